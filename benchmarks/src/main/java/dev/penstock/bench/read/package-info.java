/** Reads of single rows over connections. */
@NullMarked
package dev.penstock.bench.read;

import org.jspecify.annotations.NullMarked;
