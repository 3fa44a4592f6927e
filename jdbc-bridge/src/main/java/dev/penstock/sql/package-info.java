/**
 * SQL over a store: Apache Calcite plans and runs statements; conditions, columns, limits and
 * simple aggregates go into the region servers, and what is left is computed here.
 *
 * <p>Start at {@link dev.penstock.sql.SqlEngine}. Calcite sees a store as a {@link
 * dev.penstock.sql.StoreSchema} of {@link dev.penstock.sql.StoreTable}s; {@link
 * dev.penstock.sql.PushDown} holds the rules that move work into a {@link
 * dev.penstock.sql.StoreScan} or {@link dev.penstock.sql.StoreAggregate}. Calcite computes with
 * milliseconds; {@link dev.penstock.sql.ExactFields} says how changes keep microseconds.
 */
@NullMarked
package dev.penstock.sql;

import org.jspecify.annotations.NullMarked;
