/** Byte ranges: little-endian access, unsigned comparison, growable buffers, CRC32C. */
@NullMarked
package dev.penstock.bytes;

import org.jspecify.annotations.NullMarked;
