/** Counts, sums, minima and maxima of many rows, computed where the rows are stored. */
@NullMarked
package dev.penstock.aggregate;

import org.jspecify.annotations.NullMarked;
