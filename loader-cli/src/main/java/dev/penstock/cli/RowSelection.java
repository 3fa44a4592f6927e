package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.ddl.Conditions;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which rows of a table a command reads. */
final class RowSelection {
    /** One of the values of a key, up to a comma or the end. */
    private static final Pattern VALUE =
            Pattern.compile("(\"[^\"]*+(\"\"[^\"]*+)*+\"|[^\",][^,]*+|)(?=,|\\z)");

    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "An SQL condition, for example \"a > 5 AND b IN ('x', 'y')\".")
    private @Nullable String where;

    @Option(
            names = "--from",
            paramLabel = "KEY",
            description =
                    "Rows from this key on: values of the first key columns, with commas between"
                            + " them. In a key of several columns a value may stand in double"
                            + " quotes, as one with a comma must; two stand for one in it.")
    private @Nullable String from;

    @Option(
            names = "--to",
            paramLabel = "KEY",
            description = "Rows before this key, which is left out.")
    private @Nullable String to;

    KeyRange range(TableSchema schema) {
        byte[] start = Keys.prefix(schema, values("--from", from, schema));
        byte[] end = Keys.prefix(schema, values("--to", to, schema));
        if (end.length > 0 && Arrays.compareUnsigned(start, end) > 0) {
            throw PenstockException.usage("--from lies behind --to in the order of the key");
        }
        return new KeyRange(start, end);
    }

    /** The values that a key is written with; a key of one column is its value as it stands. */
    private static List<String> values(String option, @Nullable String key, TableSchema schema) {
        if (key == null) {
            return List.of();
        }
        return schema.key().size() == 1 ? List.of(key) : split(option, key);
    }

    private static List<String> split(String option, String key) {
        List<String> values = new ArrayList<>();
        Matcher value = VALUE.matcher(key);
        int at = 0;
        while (value.find(at) && value.start() == at) {
            values.add(unquote(value.group()));
            if (value.end() == key.length()) {
                return values;
            }
            at = value.end() + 1;
        }
        throw PenstockException.usage(
                option
                        + " "
                        + key
                        + " has a double quote that is not closed before a comma or its end");
    }

    private static String unquote(String value) {
        return value.startsWith("\"")
                ? value.substring(1, value.length() - 1).replace("\"\"", "\"")
                : value;
    }

    Predicate predicate(TableSchema schema) {
        return where == null ? Predicate.ALWAYS : Conditions.parse(where, schema);
    }
}
