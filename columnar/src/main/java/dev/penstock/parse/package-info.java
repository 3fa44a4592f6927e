/** Delimited text: record boundaries, the structural index, field slices, and writing it back. */
@NullMarked
package dev.penstock.parse;

import org.jspecify.annotations.NullMarked;
