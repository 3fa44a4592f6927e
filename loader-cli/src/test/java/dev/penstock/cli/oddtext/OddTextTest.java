package dev.penstock.cli.oddtext;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.Printable;
import dev.penstock.dialect.Dialect;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.RejectLimit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/**
 * Random texts, with all that quotes, escapes and line ends may do, are loaded in several ways;
 * what a scan reads and what was rejected is what {@link PlainReader} finds in them.
 */
final class OddTextTest {
    private static final int SETS = Integer.getInteger("penstock.oddText.sets", 4);
    private static final int SETS_WITH_WORKERS =
            Integer.getInteger("penstock.oddText.setsWithWorkers", 0);
    private static final long SEED = Long.getLong("penstock.oddText.seed", 1);

    /** How a text is loaded. */
    private enum Way {
        WHOLE,
        CUT,
        GZIP,
        STREAM,
        RAW,
        WORKERS
    }

    @TempDir private Path folder;

    @Test
    void all_ways_of_loading_a_text_find_what_is_in_it() throws IOException {
        int rows = 0;
        try (Penstock store = Penstock.open(folder.resolve("store"))) {
            for (int i = 0; i < SETS; i++) {
                rows += loadAll(store, SEED + i, i < SETS_WITH_WORKERS);
            }
        }
        assertThat(rows).as("rows of seeds from %d on", SEED).isGreaterThanOrEqualTo(SETS);
    }

    private int loadAll(Penstock store, long seed, boolean workers) throws IOException {
        Random random = new Random(seed);
        OddFormat format = OddFormat.of(random);
        boolean large = seed % 10 == 0 && !format.endsLinesWithReturns();
        byte[] text = OddText.of(random, format, large ? 10_000 : 1 + random.nextInt(400));
        PlainReader.Content expected = PlainReader.read(format, text);
        for (Way way : Way.values()) {
            if (way != Way.WORKERS || workers) {
                String name = "-Dpenstock.oddText.seed=%d, %s of %s".formatted(seed, way, format);
                String table = load(store, random, format, way, text, seed);
                check(name, store.table(table), text, expected);
            }
        }
        return expected.rows().size();
    }

    /** The name of the table; what was rejected is in a file of that name. */
    private String load(
            Penstock store, Random random, OddFormat format, Way way, byte[] text, long seed)
            throws IOException {
        String table = "t" + seed + way;
        Path file = folder.resolve(table + ".csv");
        try (OutputStream out =
                way == Way.GZIP
                        ? new GZIPOutputStream(Files.newOutputStream(file))
                        : Files.newOutputStream(file)) {
            out.write(text);
        }
        LoadSpecBuilder spec =
                LoadSpec.builder(table)
                        .from(way == Way.STREAM ? LoadSpec.STANDARD_INPUT : file.toString())
                        .schema(Ddl.parseCreateTable(format.declaration(table)))
                        .dialect(dialect(random, format))
                        .maxRejects(RejectLimit.parse("100%"))
                        .rejectsFile(folder.resolve(table))
                        .regions(1 + random.nextInt(3))
                        .threads(2)
                        .workers(way == Way.WORKERS ? 2 : 0);
        if (way != Way.WHOLE) {
            spec.chunkBytes(1024 + random.nextInt(8192));
        }
        if (way == Way.RAW) {
            spec.offload(OffloadPolicy.RAW);
        }
        LoadReport report =
                BulkLoad.into(store.loadTarget(), table)
                        .spec(spec.build())
                        .standardInput(new ByteArrayInputStream(text))
                        .run();
        assertThat(report.rowsLoaded()).as(table).isEqualTo(store.table(table).count());
        return table;
    }

    private static DialectOptions dialect(Random random, OddFormat format) {
        DialectOptions options =
                DialectOptions.DEFAULT
                        .withDelimiter(format.delimiter())
                        .withQuote(orNone(format.quote()))
                        .withEscape(orNone(format.escape()))
                        .withComment(orNone(format.comment()))
                        .withTrailingDelimiter(format.trailing())
                        .withNullText(format.nullText());
        return random.nextBoolean() ? options : options.withHeader(format.header());
    }

    private static int orNone(char character) {
        return character == OddFormat.NONE ? Dialect.NONE : character;
    }

    private void check(String name, Table table, byte[] text, PlainReader.Content expected)
            throws IOException {
        List<PlainReader.Place> rejects = new ArrayList<>();
        Path file = folder.resolve(table.tableName() + ".reasons.csv");
        for (String reason : Files.readAllLines(file).stream().skip(1).toList()) {
            String[] fields = reason.split(",", 4);
            rejects.add(
                    new PlainReader.Place(
                            Integer.parseInt(fields[2]), Integer.parseInt(fields[1])));
        }
        assertThat(rejects)
                .as(() -> shown("rejects, " + name, excerpt(text, rejects, expected.rejects())))
                .isEqualTo(expected.rejects());
        assertThat(rows(table)).as(() -> shown("rows, " + name, "")).isEqualTo(expected.rows());
    }

    /** The text where two readings differ first. */
    private static String excerpt(
            byte[] text, List<PlainReader.Place> one, List<PlainReader.Place> other) {
        for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
            int from = i < one.size() ? one.get(i).position() : text.length;
            int to = i < other.size() ? other.get(i).position() : text.length;
            if (from != to) {
                int start = Math.max(0, Math.min(from, to) - 40);
                int length = Math.min(200, text.length - start);
                return new String(text, start, length, StandardCharsets.ISO_8859_1);
            }
        }
        return "";
    }

    private static String shown(String name, String excerpt) {
        return Printable.reversible(name + ", about: " + excerpt);
    }

    private static List<List<@Nullable String>> rows(Table table) {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
            scan.forEachBatch(batch -> {
                for (int row = 0; row < batch.rowCount(); row++) {
                    List<@Nullable String> values = new ArrayList<>();
                    for (int i = 0; i < table.schema().visibleColumnCount(); i++) {
                        values.add(value(table, batch, i, row));
                    }
                    rows.add(values);
                }
            });
        }
        return rows;
    }

    private static @Nullable String value(Table table, ColumnBatch batch, int column, int row) {
        if (!batch.column(column).validity().isValid(row)) {
            return null;
        }
        String type = table.schema().column(column).type().sql();
        return switch (type) {
            case "INTEGER" -> Long.toString(batch.longs(column).values()[row]);
            case "DECIMAL(9,2)" ->
                    BigDecimal.valueOf(batch.longs(column).values()[row], 2).toPlainString();
            case "DATE" -> LocalDate.ofEpochDay(batch.longs(column).values()[row]).toString();
            default -> {
                int[] offsets = batch.bytes(column).offsets();
                int from = offsets[row];
                int length = offsets[row + 1] - from;
                yield new String(batch.bytes(column).data(), from, length, StandardCharsets.UTF_8);
            }
        };
    }
}
