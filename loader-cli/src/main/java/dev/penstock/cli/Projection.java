package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;

import picocli.CommandLine.Option;

import java.util.List;
import java.util.stream.IntStream;

/** Which columns a command shows. */
final class Projection {
    @Option(
            names = "--columns",
            paramLabel = "a,b,…",
            hideParamSyntax = true,
            description = "Columns to print, in this order. Default: all")
    private List<String> columns = List.of();

    /** Indexes of table columns; a hidden one only if it is named. */
    int[] indexes(TableSchema schema) {
        if (columns.isEmpty()) {
            return IntStream.range(0, schema.visibleColumnCount()).toArray();
        }
        return ColumnNames.of(columns).stream().mapToInt(name -> index(schema, name)).toArray();
    }

    /** The column of that name; {@code USAGE} if there is none. */
    static int index(TableSchema schema, String name) {
        int index = schema.indexOf(name);
        if (index < 0) {
            throw PenstockException.usage(
                    "table "
                            + schema.name()
                            + " has no column "
                            + name
                            + "; it has "
                            + String.join(
                                    ", ",
                                    schema
                                            .columns()
                                            .subList(0, schema.visibleColumnCount())
                                            .stream()
                                            .map(column -> column.name())
                                            .toList()));
        }
        return index;
    }
}
