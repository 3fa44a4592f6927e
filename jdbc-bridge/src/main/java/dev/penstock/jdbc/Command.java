package dev.penstock.jdbc;

import dev.penstock.loader.LoadOption;
import dev.penstock.schema.TableSchema;

import java.util.List;
import java.util.Map;

/** A statement that the driver runs itself, because no planner is needed for it. */
sealed interface Command {
    /**
     * {@code CREATE TABLE}.
     *
     * @param ifNotExists whether a table of that name is no error
     */
    record CreateTable(TableSchema schema, boolean ifNotExists) implements Command {}

    /**
     * {@code DROP TABLE}.
     *
     * @param ifExists whether a missing table is no error
     */
    record DropTable(String table, boolean ifExists) implements Command {}

    /**
     * {@code COPY table FROM ...}.
     *
     * @param columns that the fields fill, empty for the header's names or all of the table
     * @param inputs files, folders and globs; empty for {@code STDIN}
     */
    record Copy(
            String table,
            List<String> columns,
            List<String> inputs,
            Map<LoadOption, String> options)
            implements Command {
        public Copy {
            columns = List.copyOf(columns);
            inputs = List.copyOf(inputs);
            options = Map.copyOf(options);
        }
    }
}
