package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.ddl.Conditions;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;

/** Which rows of a table a command reads. */
final class RowSelection {
    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "An SQL condition, for example \"a > 5 AND b IN ('x', 'y')\".")
    private @Nullable String where;

    @Option(
            names = "--from",
            paramLabel = "KEY",
            split = ",",
            hideParamSyntax = true,
            description = "Rows from this key on: values of the first key columns.")
    private List<String> from = List.of();

    @Option(
            names = "--to",
            paramLabel = "KEY",
            split = ",",
            hideParamSyntax = true,
            description = "Rows before this key, which is left out.")
    private List<String> to = List.of();

    KeyRange range(TableSchema schema) {
        byte[] start = Keys.prefix(schema, from);
        byte[] end = Keys.prefix(schema, to);
        if (end.length > 0 && Arrays.compareUnsigned(start, end) > 0) {
            throw PenstockException.usage("--from lies behind --to in the order of the key");
        }
        return new KeyRange(start, end);
    }

    Predicate predicate(TableSchema schema) {
        return where == null ? Predicate.ALWAYS : Conditions.parse(where, schema);
    }
}
