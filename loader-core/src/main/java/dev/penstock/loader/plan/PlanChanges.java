package dev.penstock.loader.plan;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.report.Quantities;
import dev.penstock.schema.Column;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Refuses to go on with a load if it would not read the same records, or make other rows of them,
 * than when it began; names the first difference.
 */
final class PlanChanges {
    private static final String NOT_GIVEN = "not given";

    private final SavedPlan plan;
    private final LoadSpec spec;
    private final TableSchema table;

    PlanChanges(SavedPlan plan, LoadSpec spec, TableSchema table) {
        this.plan = plan;
        this.spec = spec;
        this.table = table;
    }

    /** Options that decide about chunks, fragments and rows. */
    static Map<String, String> options(LoadSpec spec) {
        Map<String, String> options = new LinkedHashMap<>();
        DialectOptions dialect = spec.dialect();
        options.put("--delimiter", given(dialect.delimiter()));
        options.put("--quote", character(dialect.quote()));
        options.put("--escape", character(dialect.escape()));
        options.put("--comment", character(dialect.comment()));
        options.put("--header", given(dialect.header()));
        options.put("--trailing-delimiter", given(dialect.trailingDelimiter()));
        options.put("--null", given(dialect.nullText()));
        options.put("--columns", spec.columns().isEmpty() ? NOT_GIVEN : list(spec.columns()));
        options.put("--on-duplicate", spec.duplicates().word());
        options.put("--max-rejects", spec.maxRejects().toString());
        options.put("--verify", word(spec.verification()));
        options.put("--regions", number(spec.regions()));
        options.put("--samples", number(spec.samples()));
        options.put("--seed", Long.toString(spec.seed()));
        options.put("--chunk-size", number(spec.chunkBytes()));
        options.put("--offload", spec.offload().word());
        options.put("--cut", spec.cut() == null ? NOT_GIVEN : word(spec.cut()));
        return options;
    }

    private static String given(@Nullable Object value) {
        return value == null ? NOT_GIVEN : "'" + value + "'";
    }

    private static String character(@Nullable Integer value) {
        if (value == null) {
            return NOT_GIVEN;
        }
        return value < 0 ? "none" : "'" + (char) value.intValue() + "'";
    }

    private static String list(List<String> words) {
        return String.join(",", words);
    }

    private static String number(long value) {
        return value == 0 ? NOT_GIVEN : Long.toString(value);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Compares all.
     *
     * @param now the inputs as they are
     * @param inputDigest of what they have between beginning and end
     */
    void check(List<SavedPlan.Source> now, String inputDigest) {
        options(spec)
                .forEach((name, value) -> {
                    String before = plan.options().getOrDefault(name, NOT_GIVEN);
                    same(name, before, value);
                });
        same("the number of inputs", plan.sources().size(), now.size());
        for (int i = 0; i < now.size(); i++) {
            check(i, plan.sources().get(i), now.get(i));
        }
        if (!plan.inputDigest().isEmpty()) {
            same("the content of the inputs", plan.inputDigest(), inputDigest);
        }
        checkSchema();
    }

    private void check(int index, SavedPlan.Source before, SavedPlan.Source now) {
        same("the name of input " + (index + 1), before.name(), now.name());
        same(
                "the size of " + now.name(),
                Quantities.count(before.bytes(), "byte"),
                Quantities.count(now.bytes(), "byte"));
        same("the beginning or end of " + now.name(), before.edges(), now.edges());
        same(
                "the time of change of " + now.name(),
                Instant.ofEpochMilli(before.modifiedMillis()),
                Instant.ofEpochMilli(now.modifiedMillis()));
    }

    private void checkSchema() {
        List<String> now = table(table);
        if (!plan.table().isEmpty()) {
            checkTable(plan.table(), now);
        }
        TableSchema declared = spec.schema();
        if (declared != null) {
            checkTable(now, table(declared));
        }
    }

    private void checkTable(List<String> before, List<String> now) {
        same("the number of columns", before.size() - 1, now.size() - 1);
        for (int i = 0; i < before.size() - 1; i++) {
            same("column " + (i + 1), before.get(i), now.get(i));
        }
        same("the key", before.getLast(), now.getLast());
    }

    /** Each column and then the key, as text. */
    static List<String> table(TableSchema schema) {
        List<String> texts = new ArrayList<>();
        schema.columns().forEach(column -> texts.add(text(column)));
        texts.add(key(schema));
        return texts;
    }

    private static String text(Column column) {
        return column.name() + " " + column.type().sql() + (column.nullable() ? "" : " NOT NULL");
    }

    private static String key(TableSchema schema) {
        List<String> columns =
                schema.key().stream()
                        .map(part ->
                                schema.column(part.columnIndex()).name()
                                        + (part.descending() ? " DESC" : ""))
                        .toList();
        return columns.isEmpty() ? "none" : list(columns);
    }

    private void same(String what, Object before, Object now) {
        if (!Objects.equals(before, now)) {
            throw PenstockException.conflict(
                    "The unfinished load '"
                            + spec.label()
                            + "' into table "
                            + table.name()
                            + " cannot go on, because "
                            + what
                            + " has changed: "
                            + before
                            + " -> "
                            + now
                            + ". Give it as it was, or leave out --resume to begin anew.");
        }
    }
}
