/** Whole loads side by side on one machine: the command, its tables, records and charts. */
@NullMarked
package dev.penstock.bench.endtoend;

import org.jspecify.annotations.NullMarked;
