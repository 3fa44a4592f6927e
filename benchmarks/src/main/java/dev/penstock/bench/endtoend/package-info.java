/** Whole loads of one file, Penstock and other engines in turn on one machine. */
@NullMarked
package dev.penstock.bench.endtoend;

import org.jspecify.annotations.NullMarked;
