/** The segment format: writer, reader, scanner, statistics and checksums. */
@NullMarked
package dev.penstock.segment;

import org.jspecify.annotations.NullMarked;
