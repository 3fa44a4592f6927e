/** Rows in memory, column by column, following the Arrow layout. */
@NullMarked
package dev.penstock.batch;

import org.jspecify.annotations.NullMarked;
