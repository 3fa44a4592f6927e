package dev.penstock.sql;

import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.jspecify.annotations.Nullable;

/**
 * What stores rows when a statement runs. Public for the code that Calcite generates, and for
 * nobody else.
 */
@FunctionalInterface
public interface RowSink {
    /**
     * Stores or removes rows.
     *
     * @param rows arrays of values, or, of a single column, values
     * @return one number: how many rows there were
     */
    Enumerable<Object> write(Enumerable<@Nullable Object> rows, DataContext context);
}
