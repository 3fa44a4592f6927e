/** Rows written over JDBC: one by one, in batches, in bulk. */
@NullMarked
package dev.penstock.bench.write;

import org.jspecify.annotations.NullMarked;
