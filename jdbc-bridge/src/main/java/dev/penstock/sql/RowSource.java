package dev.penstock.sql;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.jspecify.annotations.Nullable;

/**
 * What delivers rows when a statement runs. Public for the code that Calcite generates, and for
 * nobody else.
 */
@FunctionalInterface
public interface RowSource {
    /**
     * Rows as arrays of values, or, of a single column, values, in Calcite's representation.
     *
     * @param context parameters of the statement and whether it was cancelled
     */
    Enumerable<@Nullable Object> rows(DataContext context);
}
