package dev.penstock.cli.resume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.resume.MortalTarget.Death;
import dev.penstock.cli.resume.MortalTarget.Moment;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.RejectLimit;
import dev.penstock.loader.RejectLimits;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Loads whose loader and server die again and again, and of which some loaders send text and others
 * what they make of it: a chunk that came in one form and is not recorded comes again in the other,
 * and counts once.
 */
final class ResumedTextTest {
    private static final long SEED = 20_261_201;
    private static final int ROWS = 16_000;
    private static final int CHUNK_BYTES = 64 << 10;

    /**
     * Of the rows; chunks lie in one region or two, in all of them, or in those of their number.
     */
    enum Kind {
        ORDERED,
        SHUFFLED,
        QUOTED,
        WITH_BAD_RECORDS,
        KEYLESS;

        private String ddl() {
            String key = this == KEYLESS ? "" : ", PRIMARY KEY (id)";
            return "CREATE TABLE orders (id BIGINT NOT NULL, note VARCHAR(80), price DECIMAL(9,2)"
                    + key
                    + ")";
        }
    }

    @TempDir private Path folder;

    private Path input(Kind kind) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            String note = "note " + random.nextInt(1 << 30) + " of " + random.nextInt(1 << 30);
            boolean bad = kind == Kind.WITH_BAD_RECORDS && i > ROWS / 4 && i % 500 == 0;
            text.append(kind == Kind.SHUFFLED ? Integer.reverse(i) >>> 1 : i).append('|');
            text.append(kind == Kind.QUOTED ? "\"" + note + "\nnext line\"" : note).append('|');
            text.append(bad ? "dear" : random.nextInt(100_000) + ".25").append('\n');
        }
        return Files.writeString(folder.resolve("orders.tbl"), text);
    }

    private LoadSpec spec(Kind kind, Path file, int threads) {
        return LoadSpec.builder("orders")
                .from(file.toString())
                .schema(Ddl.parseCreateTable(kind.ddl()))
                .dialect(
                        DialectOptions.DEFAULT
                                .withDelimiter('|')
                                .withQuote(kind == Kind.QUOTED ? '"' : -1))
                .regions(3)
                .threads(threads)
                .chunkBytes(CHUNK_BYTES)
                .maxRejects(RejectLimits.of(RejectLimit.ofCount(100)))
                .rejectsFile(folder.resolve("rejects"))
                .label("monday")
                .resume(true)
                .build();
    }

    private static LoadReport run(Path store, LoadSpec spec) throws Exception {
        try (RegionServerProcess server = RegionServerProcess.start(store, "127.0.0.1:0", null);
                Penstock penstock = Penstock.connect(server.address())) {
            return BulkLoad.into(penstock.loadTarget(), "orders").spec(spec).build().run();
        }
    }

    /**
     * Has a loader of a server die, unless the load comes to its end before that. What a server
     * that was killed at that moment would have left is in {@code next} then.
     *
     * @return chunks that came as text, or -1 if the loader died
     */
    private static long survives(
            Path store, Path next, LoadSpec spec, Moment moment, int count, boolean text)
            throws Exception {
        try (RegionServerProcess server = RegionServerProcess.start(store, "127.0.0.1:0", null);
                Penstock penstock = Penstock.connect(server.address())) {
            MortalTarget target =
                    new MortalTarget(penstock, moment, count, () -> copy(store, next));
            if (text) {
                target.sendingText();
            }
            return BulkLoad.into(target, "orders").spec(spec).build().run().textChunks();
        } catch (Death e) {
            return -1;
        }
    }

    /** But for what comes and goes while a connection is made. */
    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file :
                    files.filter(path -> !path.toString().contains("penstock-neighbours"))
                            .sorted()
                            .toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Segments by region, and the rejects. */
    private List<String> stored(Path store) throws IOException {
        List<String> stored = new ArrayList<>();
        try (Stream<Path> files = Files.walk(store)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".seg")).toList()) {
                stored.add(file.getName(file.getNameCount() - 2) + " " + checksum(file));
            }
        }
        stored.sort(String::compareTo);
        stored.add("rejects " + checksum(folder.resolve("rejects")));
        return stored;
    }

    private static String checksum(Path file) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(Files.readAllBytes(file));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    private static List<Object> facts(LoadReport report) {
        return List.of(
                report.rowsLoaded(),
                report.rowsRejected(),
                report.bytesRead(),
                report.chunks(),
                report.bytesStored());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void loads_in_one_go_come_to_the_same_as_text_and_as_what_loaders_make_of_it(Kind kind)
            throws Exception {
        LoadSpec spec = spec(kind, input(kind), 2);
        LoadReport expected = run(folder.resolve("fragments"), spec);
        List<String> stored = stored(folder.resolve("fragments"));
        Path store = folder.resolve("text");
        long texts = survives(store, store, spec, Moment.PUBLISH, 0, true);
        assertThat(texts).isPositive();
        if (kind != Kind.WITH_BAD_RECORDS) {
            assertThat(texts).isEqualTo(expected.chunks());
        }
        assertThat(facts(run(store, spec))).isEqualTo(facts(expected));
        assertThat(stored(store)).isEqualTo(stored);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void loaders_that_die_and_send_text_in_turn_come_to_the_same_end(Kind kind) throws Exception {
        Path file = input(kind);
        LoadSpec spec = spec(kind, file, 2);
        Path straight = folder.resolve("straight");
        LoadReport expected = run(straight, spec);
        List<String> stored = stored(straight);
        assertThat(expected.chunks()).isGreaterThan(5);

        Moment[] moments = {Moment.DURABLE, Moment.SENT, Moment.RECORDED};
        Path store = folder.resolve("store0");
        int attempt = 0;
        boolean done = false;
        while (!done) {
            Path next = folder.resolve("store" + ++attempt);
            boolean text = attempt / 2 % 2 == 0;
            done = survives(store, next, spec, moments[attempt % 3], 2, text) >= 0;
            store = done ? store : next;
        }
        assertThat(attempt).isGreaterThan(3);
        LoadReport report = run(store, spec);
        assertThat(report.loadedBefore()).isTrue();
        assertThat(facts(report)).isEqualTo(facts(expected));
        assertThat(stored(store)).isEqualTo(stored);
    }

    @Test
    void text_with_bad_records_is_declined_though_its_rows_have_come_before() throws Exception {
        Path file = input(Kind.WITH_BAD_RECORDS);
        LoadSpec spec = spec(Kind.WITH_BAD_RECORDS, file, 1);
        LoadReport expected = run(folder.resolve("straight"), spec);
        Path store = folder.resolve("store0");
        boolean done = false;
        for (int attempt = 1; !done; attempt++) {
            Path durable = folder.resolve("durable" + attempt);
            done = survives(store, durable, spec, Moment.DURABLE, 1, false) >= 0;
            if (!done) {
                Path recorded = folder.resolve("store" + attempt);
                // A chunk, or its bad records and then that it is done.
                done = survives(durable, recorded, spec, Moment.RECORDED, 2, true) >= 0;
                store = done ? durable : recorded;
            }
        }
        assertThat(facts(run(store, spec))).isEqualTo(facts(expected));
    }
}
