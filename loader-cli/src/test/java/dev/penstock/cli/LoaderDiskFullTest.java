package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;

import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.loader.RejectedLoad;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.report.RejectFiles;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Commands whose own disk becomes full at the n-th call that needs room, for every n: they say so
 * in one sentence that names the file or its folder and what has become of the load, nothing of
 * which is visible; rejects files are as before. When there is room again the same command leaves
 * what the undisturbed one leaves.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class LoaderDiskFullTest {
    /** So many that what is rejected does not stay in memory. */
    private static final int ROWS = 1500;

    /** Records whose date is one. */
    private static final long GOOD = IntStream.range(0, ROWS).filter(i -> i % 7 != 3).count();

    private static final String KEPT = "What has been loaded is kept: the same command goes on";

    /** Facts of a report that depend on nothing but what was loaded. */
    private static final Pattern FACTS =
            Pattern.compile(
                    "\"(rows_loaded|rows_rejected|rows_duplicate|rejects_by_reason|bytes_read"
                            + "|bytes_input|input_digest|chunks)\":(\\{[^}]*}|[^,}]*)");

    /** How the load is done. */
    enum Way {
        PLAIN("--threads 1"),
        RESUMED("--threads 1 --label monday --resume"),
        RAW_RESUMED("--threads 1 --cut raw --label monday --resume"),
        /** Servers reject when the load ends. */
        DEFERRED("--threads 1 --offload sequential"),
        /** Rejects for their keys, which are found in the end, come on top. */
        DUPLICATES("--threads 1 --on-duplicate reject --label monday"),
        /** The rejects file has others, which are all that is left of their records. */
        OVER_OTHERS("--threads 1"),
        DRY_RUN("--threads 1 --dry-run");

        private final String options;

        Way(String options) {
            this.options = options;
        }

        List<String> options() {
            return List.of(options.split(" "));
        }

        boolean resumes() {
            return options.contains("--resume");
        }
    }

    @TempDir private static Path data;
    private static RegionServerProcess server;
    private static int tables;

    @TempDir private Path folder;

    private int cases;
    private int published;

    @BeforeAll
    static void serve() {
        server = RegionServerProcess.start(data, "127.0.0.1:0", null);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Ran run(LocalDisk disk, OutputStream out, String... words) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream(new byte[0]),
                        false,
                        disk);
        int code = Cli.run(console, words);
        return new Ran(code, String.valueOf(out), err.toString(StandardCharsets.UTF_8));
    }

    private void writeInput(Way way) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            int id = way == Way.DUPLICATES && i % 97 == 5 ? i - 1 : i;
            text.append(id).append('|').append(i % 7 == 3 ? "soon" : "2001-02-03");
            text.append("|a note, long enough to be more than one write: ").append(i).append('\n');
        }
        Files.writeString(folder.resolve("t.tbl"), text);
    }

    /** What a load works on: a table of its own, and rejects files of its own. */
    private record Place(Path folder, String table) {
        Path rejects() {
            return folder.resolve("bad.tbl");
        }

        String ddl() throws IOException {
            Path file = folder.resolveSibling(table + ".sql");
            Files.writeString(
                    file,
                    "CREATE TABLE "
                            + table
                            + " (id BIGINT NOT NULL, born DATE, note VARCHAR(80), PRIMARY KEY"
                            + " (id))");
            return file.toString();
        }

        /** Of the rejects files, all that is there. */
        Map<String, String> files() throws IOException {
            Map<String, String> files = new TreeMap<>();
            try (Stream<Path> found = Files.list(folder)) {
                for (Path file : found.filter(Files::isRegularFile).toList()) {
                    files.put(String.valueOf(file.getFileName()), Files.readString(file));
                }
            }
            return files;
        }

        /** The same without what each load has of its own. */
        Map<String, String> lastingFiles() throws IOException {
            Map<String, String> files = files();
            files.replaceAll((name, text) ->
                    text.replaceAll("\"load_id\" : \"[^\"]*\"", "").replace(table, "t"));
            return files;
        }
    }

    private Place place(String name, Way way) throws IOException {
        Place place = new Place(Files.createDirectory(folder.resolve(name)), "table" + ++tables);
        if (way == Way.OVER_OTHERS) {
            try (Stream<Path> others = Files.list(folder.resolve("others"))) {
                for (Path file : others.filter(Files::isRegularFile).toList()) {
                    Files.copy(file, place.folder().resolve(file.getFileName()));
                }
            }
        }
        return place;
    }

    private Ran load(LocalDisk disk, Place place, Way way) throws IOException {
        return load(disk, new ByteArrayOutputStream(), place, place.rejects(), way, "--json");
    }

    private Ran load(
            LocalDisk disk, OutputStream out, Place place, Path rejects, Way way, String how)
            throws IOException {
        List<String> words = new ArrayList<>();
        words.addAll(List.of("load", folder.resolve("t.tbl").toString()));
        words.addAll(List.of("--table", place.table(), "--ddl", place.ddl(), "--delimiter", "|"));
        words.addAll(List.of("--no-header", "--max-rejects", "1000", "--chunk-size", "16KiB"));
        words.addAll(List.of("--rejects", rejects.toString(), "--regions", "2"));
        words.addAll(List.of("--connect", server.address(), how));
        words.addAll(way.options());
        return run(disk, out, words.toArray(String[]::new));
    }

    /** Without the names of the columns. */
    private static List<String> rows(Place place) {
        Ran scan = Ran.cli("scan", place.table(), "--connect", server.address());
        return scan.code() == 0 ? scan.out().lines().skip(1).toList() : List.of();
    }

    private static List<String> facts(Ran ran) {
        List<String> facts = new ArrayList<>();
        Matcher matcher = FACTS.matcher(ran.out());
        while (matcher.find()) {
            facts.add(matcher.group());
        }
        return facts;
    }

    /** What the undisturbed load leaves. */
    private record Whole(
            List<String> facts, List<String> rows, Map<String, String> files, int calls) {}

    private Whole undisturbed(Way way) throws IOException {
        FullDisk roomy = new FullDisk(0, false);
        Place place = place("whole", way);
        Ran ran = load(roomy, place, way);
        assertThat(ran.code()).as(ran.err()).isEqualTo(ExitCode.REJECTS);
        assertThat(facts(ran)).hasSizeGreaterThan(4);
        assertThat(roomy.openFiles()).isZero();
        assertThat(place.files()).containsKeys("bad.tbl", "bad.tbl.reasons.csv");
        return new Whole(facts(ran), rows(place), place.lastingFiles(), roomy.calls());
    }

    @ParameterizedTest
    @EnumSource
    void a_load_fails_cleanly_and_comes_to_its_end_when_there_is_room_again(Way way)
            throws IOException {
        writeInput(way);
        if (way == Way.OVER_OTHERS) {
            Place others = place("others", Way.PLAIN);
            assertThat(load(LocalDisk.SYSTEM, others, Way.PLAIN).code()).isEqualTo(3);
        }
        Whole whole = undisturbed(way);
        for (int n = 1; n <= whole.calls(); n++) {
            try {
                fullFrom(n, n % 2 == 0, way, whole);
            } catch (AssertionError e) {
                throw new AssertionError(way + ", full at call " + n, e);
            }
        }
        System.out.printf(
                "loader's disk full: %s, %d cases, %d failed cleanly, %d published before, all"
                        + " came to the same end%n",
                way, cases, cases - published, published);
        assertThat(cases - published).isGreaterThan(8);
    }

    private void fullFrom(int n, boolean half, Way way, Whole whole) throws IOException {
        Place place = place("full" + n, way);
        Map<String, String> before = place.files();
        FullDisk disk = new FullDisk(n, half);
        Ran full = load(disk, place, way);
        cases++;
        assertThat(disk.isFull()).isTrue();
        assertThat(disk.openFiles()).as("open files").isZero();
        assertThat(disk.leftOver()).as("temporary files").isEmpty();
        assertThat(place.files().keySet()).noneMatch(name -> name.endsWith(".part"));
        if (full.code() == ExitCode.REJECTS) {
            checkPublished(place, full, whole);
            return;
        }
        checkSaid(full, place, way);
        assertThat(rows(place)).as("rows of a load that failed").isEmpty();
        assertThat(place.files()).as("rejects files").isEqualTo(before);
        Ran again = load(LocalDisk.SYSTEM, place, way);
        assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.REJECTS);
        assertThat(facts(again)).isEqualTo(whole.facts());
        assertThat(rows(place)).isEqualTo(whole.rows());
        assertThat(place.lastingFiles()).isEqualTo(whole.files());
    }

    /** It had no room any more to write that it is published: that is asked for when it matters. */
    private void checkPublished(Place place, Ran ran, Whole whole) throws IOException {
        published++;
        assertThat(facts(ran)).isEqualTo(whole.facts());
        assertThat(rows(place)).isEqualTo(whole.rows());
        assertThat(RejectedLoad.beside(place.rejects()).outcome())
                .isEqualTo(RejectedLoad.Outcome.PUBLISHING);
        Map<String, String> files = place.lastingFiles();
        files.computeIfPresent(
                "bad.tbl.load.json", (name, text) -> text.replace("PUBLISHING", "LOADED"));
        assertThat(files).isEqualTo(whole.files());
    }

    private static void checkSaid(Ran ran, Place place, Way way) {
        assertThat(ran.code()).as(ran.err()).isEqualTo(ExitCode.FAILED);
        assertThat(ran.err().strip().lines()).as("lines on standard error").hasSize(1);
        assertThat(ran.err())
                .startsWith("penstock: ")
                .contains(FullDisk.FULL + ". Nothing of this load is visible.")
                .containsAnyOf(
                        place.rejects().toString(), String.valueOf(place.rejects().getParent()))
                .doesNotContain("Exception");
        assertThat(ran.err().contains(KEPT)).as(ran.err()).isEqualTo(way.resumes());
        assertThat(ran.out()).contains("\"category\":\"io\"").contains("\"exit_code\":1");
    }

    // What commands write besides

    @Test
    void generate_names_its_file_which_stays_what_it_was() throws IOException {
        Path whole = folder.resolve("whole.tbl");
        FullDisk roomy = new FullDisk(0, false);
        assertThat(generate(roomy, whole).code()).isZero();
        Path file = Files.writeString(folder.resolve("nation.tbl"), "earlier");
        for (int n = 1; n <= roomy.calls(); n++) {
            FullDisk disk = new FullDisk(n, true);
            Ran full = generate(disk, file);
            assertThat(full.code()).isEqualTo(ExitCode.FAILED);
            assertThat(full.err())
                    .isEqualTo(
                            "penstock: " + file + " cannot be written: " + FullDisk.FULL + ".\n");
            assertThat(disk.openFiles()).isZero();
            assertThat(folder.toFile().list()).containsExactlyInAnyOrder("whole.tbl", "nation.tbl");
            assertThat(file).hasContent("earlier");
        }
        assertThat(generate(LocalDisk.SYSTEM, file).code()).isZero();
        assertThat(Files.mismatch(whole, file)).isEqualTo(-1);
        System.out.printf("loader's disk full: generate, %d cases%n", roomy.calls());
        assertThat(roomy.calls()).isGreaterThan(1);
    }

    private Ran generate(LocalDisk disk, Path file) {
        return run(
                disk,
                new ByteArrayOutputStream(),
                "generate",
                "customer",
                "--scale",
                "0.01",
                "--out",
                file.toString());
    }

    /** Standard output into a file of a disk that is full, or into a pipe that nobody reads. */
    private static final class FullOutput extends OutputStream {
        private final String why;

        FullOutput() {
            this(FullDisk.FULL);
        }

        FullOutput(String why) {
            this.why = why;
        }

        @Override
        public void write(int b) throws IOException {
            throw new IOException(why);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-V", "--help", "load --help", "rejects show --help"})
    void what_is_only_printed_fails_in_words_too(String words) {
        checkFullIsToldAndClosedIsNot(words.split(" "));
    }

    /** A full standard output is told in words; that nobody reads it any more is no failure. */
    private void checkFullIsToldAndClosedIsNot(String... command) {
        Ran full = run(LocalDisk.SYSTEM, new BufferedOutputStream(new FullOutput()), command);
        assertThat(full.code()).isEqualTo(ExitCode.FAILED);
        assertThat(full.err())
                .isEqualTo("penstock: Standard output cannot be written: " + FullDisk.FULL + ".\n");
        OutputStream closed = new BufferedOutputStream(new FullOutput("Broken pipe"));
        Ran unread = run(LocalDisk.SYSTEM, closed, command);
        assertThat(unread.code()).isEqualTo(ExitCode.DONE);
        assertThat(unread.err()).isEmpty();
    }

    /** Far more than a buffer, and less than one. */
    @ParameterizedTest
    @ValueSource(ints = {100_000, 10})
    void reasons_that_cannot_be_shown_are_not_called_unreadable(int lines) throws IOException {
        Path bad = folder.resolve("bad.tbl");
        Files.writeString(RejectFiles.reasonsFile(bad), "a reason\n".repeat(lines));
        String[] show = {"rejects", "show", bad.toString()};
        checkFullIsToldAndClosedIsNot(show);
        assertThat(Ran.cli(show).out()).hasLineCount(lines);
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"PLAIN", "RESUMED", "DRY_RUN"})
    void a_report_that_cannot_be_written_does_not_hide_that_the_load_is_published(Way way)
            throws IOException {
        writeInput(way);
        for (String how : List.of("--json", "--quiet", "--verbose")) {
            Place place = place("output" + how, way);
            Ran ran =
                    load(
                            LocalDisk.SYSTEM,
                            new BufferedOutputStream(new FullOutput()),
                            place,
                            place.rejects(),
                            way,
                            how);
            assertThat(ran.code()).as(ran.err()).isEqualTo(ExitCode.FAILED);
            String said = "penstock: Standard output cannot be written: " + FullDisk.FULL + ".";
            String done =
                    String.format(
                            Locale.ROOT,
                            " The load is published nevertheless: %,d rows are visible",
                            GOOD);
            assertThat(Arrays.asList(ran.err().split("\n", -1)).getFirst())
                    .isEqualTo(
                            switch (way) {
                                case DRY_RUN -> said;
                                case RESUMED ->
                                        said + done + ", and the same command prints the report.";
                                default -> said + done + ".";
                            });
            if (!how.equals("--verbose")) {
                assertThat(ran.err().strip().lines()).as("lines on standard error").hasSize(1);
            }
            assertThat(rows(place)).hasSize(way == Way.DRY_RUN ? 0 : (int) GOOD);
        }
    }

    /** Who does not read the report may still ask how the load has ended. */
    @ParameterizedTest
    @ValueSource(strings = {"--json", "--quiet", "--verbose"})
    void a_report_that_nobody_reads_does_not_hide_that_records_were_rejected(String how)
            throws IOException {
        writeInput(Way.PLAIN);
        Place place = place("unread" + how, Way.PLAIN);
        OutputStream closed = new BufferedOutputStream(new FullOutput("Broken pipe"));
        Ran ran = load(LocalDisk.SYSTEM, closed, place, place.rejects(), Way.PLAIN, how);
        assertThat(ran.code()).as(ran.err()).isEqualTo(ExitCode.REJECTS);
        assertThat(rows(place)).hasSize((int) GOOD);
    }

    @Test
    void a_rejects_device_that_is_full_is_named() throws IOException {
        Path device = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.isWritable(device));
        writeInput(Way.PLAIN);
        Place place = place("device", Way.PLAIN);
        Ran ran =
                load(
                        LocalDisk.SYSTEM,
                        new ByteArrayOutputStream(),
                        place,
                        device,
                        Way.PLAIN,
                        "--quiet");
        assertThat(ran.code()).isEqualTo(ExitCode.FAILED);
        assertThat(ran.err())
                .isEqualTo(
                        "penstock: The rejects file /dev/full could not be written: "
                                + FullDisk.FULL
                                + ". Nothing of this load is visible.\n");
        assertThat(rows(place)).isEmpty();
        assertThat(RejectFiles.loadFile(device)).doesNotExist();
    }

    /** The library is unpacked by the first load of a process that needs it. */
    @Test
    void a_library_that_cannot_be_unpacked_is_a_sentence_too() throws Exception {
        writeInput(Way.PLAIN);
        Path input = folder.resolve("t.tbl.zst");
        Files.write(input, Zstd.compress(Files.readAllBytes(folder.resolve("t.tbl"))));
        Path nowhere = folder.resolve("nowhere");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Djava.io.tmpdir=" + nowhere,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "load",
                                input.toString(),
                                "--ddl",
                                place("zstd", Way.PLAIN).ddl(),
                                "--store",
                                folder.resolve("store").toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(err).isEqualTo(ExitCode.FAILED);
        assertThat(err)
                .contains(
                        "penstock: Reading "
                                + input
                                + " failed: the library of zstd could not be unpacked in "
                                + nowhere)
                .doesNotContain("\tat ");
    }
}
