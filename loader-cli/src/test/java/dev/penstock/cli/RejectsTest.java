package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Limits of rejects by class, the files of rejected records, and records rejected for their key.
 */
final class RejectsTest {
    private static final String PARSE = "3,three\n";
    private static final String TYPE = "4,four,2023-02-29\n";
    private static final String CONSTRAINT = "5,much too long,\n";
    private static final String DUPLICATE = "1,uno,\n";

    @TempDir private Path folder;

    @BeforeEach
    void declare() throws IOException {
        write(
                "t.sql",
                "CREATE TABLE t (id INTEGER NOT NULL, name VARCHAR(5), born DATE, PRIMARY KEY"
                        + " (id))");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "4; 3; ''",
                "3; 1; the limit is 3",
                "4,duplicate=0; 1; class duplicate",
                "4,type=0; 1; class type",
                "parse=1,type=1,constraint=1,duplicate=1; 3; ''",
                "parse=1,type=1,constraint=1; 1; class duplicate",
                "parse=1,type=1,duplicate=100%; 1; class constraint",
                "100%,parse=20%; 3; ''",
                "100%,parse=19.9%; 1; class parse",
                "duplicate=5,type=1,parse=10%; 1; class ",
            })
    void limits_hold_together_and_class_by_class(String limits, int code, String said)
            throws IOException {
        Path file = write("a.csv", "1,one,\n" + PARSE + TYPE + CONSTRAINT + DUPLICATE);
        Path bad = folder.resolve("bad.csv");
        Ran ran =
                load(
                        file,
                        "--on-duplicate",
                        "reject",
                        "--max-rejects",
                        limits,
                        "--rejects",
                        bad.toString());
        assertThat(ran.code()).as(ran.err()).isEqualTo(code);
        assertThat(ran.err()).contains(said).doesNotContain("\tat ");
        if (code == 3) {
            assertThat(Files.readString(bad)).isEqualTo(PARSE + TYPE + CONSTRAINT + DUPLICATE);
            assertThat(reasons(bad))
                    .extracting(reason -> reason.get(5) + " " + reason.get(6) + " " + reason.get(1))
                    .containsExactly(
                            "parse missing_fields 2",
                            "type out_of_range 3",
                            "constraint too_long 4",
                            "duplicate duplicate_key 5");
            assertThat(reasons(bad).get(3).get(3)).isEqualTo("id");
            assertThat(reasons(bad).get(3).get(4)).isEqualTo("(id=1)");
            assertThat(reasons(bad).get(3).get(7)).contains("a.csv, line 1 (byte 0)");
            assertThat(run("scan", "t").out()).isEqualTo("id,name,born\n1,one,\n");
        } else {
            assertThat(run("count", "t").err()).contains("no table t");
            assertThat(Files.readString(bad)).startsWith(PARSE);
        }
        assertNoParts();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--max-rejects; type=1,type=2; limits the same rejects twice",
                "--max-rejects; typo=1; there are parse, type, constraint, duplicate",
                "--max-rejects; type=; is no reject limit",
                "--max-rejects; duplicate=1; needs --on-duplicate reject",
                "--on-duplicate; replace,error; two words",
                "--on-duplicate; keep; choose one of error, keep-first",
                "--rejects; nowhere/bad.csv; a folder that does not exist",
            })
    void what_makes_no_sense_is_refused(String option, String value, String said)
            throws IOException {
        Ran ran = load(write("a.csv", "1,one,\n"), option, value);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(said).doesNotContain("\tat ");
    }

    @Test
    void combinations_that_cannot_name_the_records_are_refused() throws IOException {
        Path file = write("a.csv", "1,one,\n");
        Ran cut = load(file, "--on-duplicate", "reject", "--cut", "merged");
        assertThat(cut.code()).isEqualTo(2);
        assertThat(cut.err()).contains("--cut merged").contains("--on-duplicate reject");
        Ran pipe =
                Ran.cliReading(
                        "1,one,\n",
                        "load",
                        "-",
                        "--ddl",
                        folder.resolve("t.sql").toString(),
                        "--on-duplicate",
                        "reject",
                        "--store",
                        folder.resolve("store").toString());
        assertThat(pipe.code()).isEqualTo(2);
        assertThat(pipe.err()).contains("standard input can be read only once");
    }

    /** Policy, then what the table has after the load and how many rows were what. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "keep-first; 1 old,2 b,3 c; loaded 2 rejected 0 duplicate 3 replaced 0",
                "keep-existing; 1 old,2 b,3 c; loaded 2 rejected 0 duplicate 3 replaced 0",
                "keep-last; 1 d,2 e,3 c; loaded 3 rejected 0 duplicate 2 replaced 1",
                "replace; 1 d,2 e,3 c; loaded 3 rejected 0 duplicate 2 replaced 1",
                "reject; 1 old,2 b,3 c; loaded 2 rejected 3 duplicate 0 replaced 0",
                "keep-first,replace; 1 a,2 b,3 c; loaded 3 rejected 0 duplicate 2 replaced 1",
                "keep-last,keep-existing; 1 old,2 e,3 c; loaded 2 rejected 0 duplicate 3 replaced"
                        + " 0",
                "keep-last,reject; 1 old,2 e,3 c; loaded 2 rejected 1 duplicate 2 replaced 0",
                "reject,replace; 1 a,2 b,3 c; loaded 3 rejected 2 duplicate 0 replaced 1",
            })
    void policies_say_what_becomes_of_equal_and_of_stored_keys(
            String policy, String rows, String counts) throws IOException {
        assertThat(load(write("old.csv", "1,old,\n")).code()).isZero();
        Path file = write("a.csv", "1,a,\n2,b,\n3,c,\n1,d,\n2,e,\n");
        Ran ran = load(file, "--on-duplicate", policy, "--max-rejects", "9", "--json");
        assertThat(ran.code()).as(ran.err()).isEqualTo(counts.contains("rejected 0") ? 0 : 3);
        JsonNode report = new ObjectMapper().readTree(ran.out());
        assertThat(
                        "loaded %d rejected %d duplicate %d replaced %d"
                                .formatted(
                                        report.get("rows_loaded").asLong(),
                                        report.get("rows_rejected").asLong(),
                                        report.get("rows_duplicate").asLong(),
                                        report.get("rows_replaced").asLong()))
                .isEqualTo(counts);
        assertThat(run("scan", "t").out())
                .isEqualTo(
                        "id,name,born\n"
                                + rows.replace(' ', ',').replaceAll("(\\d,\\w+),?", "$1,\n"));
    }

    /** In hexadecimal; some of them a file of records must not begin with. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "efbbbf",
                "1f8b08",
                "28b52ffd",
                "fffe",
                "feff",
                "504b0304",
                "fd377a585a00",
                "00",
                "e9",
                "0d",
                "2c",
                "efbbbfefbbbf"
            })
    void what_is_replayed_as_it_is_is_rejected_as_it_was(String strange) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(strange);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes("1,one,\n".getBytes(StandardCharsets.UTF_8));
        for (String record : List.of("S,x,", "2,S,S,S", "S", "3,y,S", "S3,4,5S")) {
            for (String part : record.splitWithDelimiters("S", 0)) {
                text.writeBytes(part.equals("S") ? bytes : part.getBytes(StandardCharsets.UTF_8));
            }
            text.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("a.csv"), text.toByteArray());
        Path bad = folder.resolve("bad.csv");
        Path again = folder.resolve("again.csv");
        Ran first = load(file, "--max-rejects", "9", "--rejects", bad.toString());
        assertThat(first.code()).as(first.err()).isEqualTo(3);
        String[] replay = {"rejects", "replay", bad.toString(), "--max-rejects", "9", "--rejects"};
        List<String> args = new ArrayList<>(Arrays.asList(replay));
        args.add(again.toString());
        Ran second = run(args.toArray(String[]::new));
        assertThat(second.code()).as(second.err()).isEqualTo(3);
        assertThat(again).hasSameBinaryContentAs(bad);
        assertThat(reasons(again))
                .extracting(reason -> reason.subList(3, 11))
                .isEqualTo(reasons(bad).stream().map(reason -> reason.subList(3, 11)).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PAR1", "ORCHARD"})
    void records_that_begin_as_other_formats_do_are_replayed(String word) throws IOException {
        String records = word + ",x,\n2,a\0much too long,\n";
        Path file = write("a.csv", "1,one,\n" + records);
        Path bad = folder.resolve("bad.csv");
        assertThat(load(file, "--max-rejects", "9", "--rejects", bad.toString()).code())
                .isEqualTo(3);
        assertThat(Files.readString(bad)).endsWith(records);
        Ran replay = run("rejects", "replay", bad.toString(), "--max-rejects", "9");
        assertThat(replay.code()).as(replay.err()).isEqualTo(3);
        String far = word + ",x,\n" + "3,y,\n4,z,\n".repeat(100) + "5,\0,\n";
        Ran text = load(write("b.csv", far), "--on-duplicate", "replace", "--max-rejects", "300");
        assertThat(text.code()).as(text.err()).isEqualTo(3);
    }

    @Test
    void lines_of_a_pipe_count_lone_returns_before_its_data() throws IOException {
        Path bad = folder.resolve("bad.csv");
        String[] args = {
            "load",
            "-",
            "--ddl",
            folder.resolve("t.sql").toString(),
            "--header",
            "--delimiter",
            ",",
            "--max-rejects",
            "1",
            "--rejects",
            bad.toString(),
            "--store",
            folder.resolve("store").toString()
        };
        Ran ran = Ran.cliReading("id,name,born\r1,one,\r4,four,2023-02-29\r5,five,\r", args);
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        assertThat(reasons(bad).getFirst().get(1)).isEqualTo("3");
    }

    @ParameterizedTest
    @CsvSource({
        "file, none, 64Ki",
        "file, none, 12Mi",
        "file, none, 24Mi",
        "file, quoted, 64Ki",
        "file, quoted, 24Mi",
        "pipe, none, 64Ki",
        "pipe, quoted, 12Mi"
    })
    void a_record_that_is_too_long_is_rejected_wherever_it_is_cut(
            String kind, String quotes, String chunkBytes) throws IOException {
        String head = "1,one,\n" + "x".repeat(20 << 20);
        String tail = "\n2,two,\n" + TYPE + "5,five,\n";
        Path file = write("a.csv", head + tail);
        Path bad = folder.resolve("bad.csv");
        List<String> args = new ArrayList<>();
        args.addAll(List.of("load", kind.equals("pipe") ? "-" : file.toString()));
        args.addAll(List.of("--ddl", folder.resolve("t.sql").toString(), "--no-header"));
        args.addAll(List.of("--delimiter", ",", "--max-rejects", "2", "--rejects", bad.toString()));
        args.addAll(List.of("--quote", quotes.equals("none") ? "none" : "\""));
        args.addAll(List.of("--chunk-size", chunkBytes + "B"));
        args.addAll(List.of("--store", folder.resolve("store").toString()));
        byte[] piped = kind.equals("pipe") ? Files.readAllBytes(file) : new byte[0];
        Ran ran = Ran.cliReadingBytes(piped, args.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        assertThat(reasons(bad))
                .extracting(reason ->
                        reason.get(6)
                                + " "
                                + reason.get(1)
                                + " "
                                + reason.get(2)
                                + " "
                                + reason.get(10))
                .containsExactly(
                        "too_large 2 7 16777217", "out_of_range 4 " + (head.length() + 8) + " 17");
        assertThat(run("count", "t").out()).isEqualTo("3\n");
    }

    @Test
    void more_equal_keys_than_a_region_names_are_refused_with_what_helps() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2 * 17_000; i++) {
            text.append(i % 17_000).append(",n,\n");
        }
        Path file = write("a.csv", text.toString());
        Ran ran = load(file, "--on-duplicate", "reject", "--max-rejects", "100%");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("more than 16384 keys, or ").contains("--regions");
        Ran passed = load(file, "--on-duplicate", "reject", "--max-rejects", "16000");
        assertThat(passed.code()).isEqualTo(1);
        assertThat(passed.err()).contains("the limit is 16000").contains("a.csv, line 17001 ");
        assertThat(load(file, "--on-duplicate", "keep-last").code()).isZero();
    }

    @Test
    void the_policy_error_says_where_the_records_of_a_key_are() throws IOException {
        Path file = write("a.csv", "1,one,\n2,two,\n3,x,extra,\n" + DUPLICATE + "1,eins,\n");
        Path other = write("b.csv", "7,\"se\nv\",\n2,zwei,\n");
        Ran within = load(file, "--max-rejects", "1");
        assertThat(within.code()).isEqualTo(1);
        assertThat(within.err())
                .contains("The key id=1 occurs more than once")
                .contains("; it is in " + file + ", line 1 (byte 0) and " + file + ", line 4 (byte")
                .endsWith(". Nothing was loaded.\n");
        Ran merged = load(file, "--max-rejects", "1", "--cut", "merged");
        assertThat(merged.err()).contains(file + ", line 4 (byte");
        assertThat(load(write("c.csv", "2,old,\n")).code()).isZero();
        Ran stored = load(other, "--threads", "1");
        assertThat(stored.code()).isEqualTo(1);
        assertThat(stored.err())
                .contains("key (id=2) exists already in table t; it is in " + other + ", line 3")
                .endsWith(". Nothing was loaded.\n");
        String[] piped = {
            "load", "-", "--table", "t", "--no-header", "--store", folder.resolve("store") + ""
        };
        assertThat(Ran.cliReading("2,zwei,\n", piped).err()).endsWith("already in table t.\n");
    }

    @Test
    void what_acts_on_a_terminal_is_shown_and_kept_as_it_was() throws IOException {
        String record = "\"x\u001b[2J\r\0\u009b\",one,\n";
        Path file = write("a.csv", record + "2,two,\n");
        Path bad = folder.resolve("bad.csv");
        Ran failed = load(file);
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).contains("value 'x\\u001b[2J\\r\\u0000\\u009b'");
        assertPrintable(failed.err());
        assertThat(load(file, "--max-rejects", "1", "--rejects", bad.toString()).code())
                .isEqualTo(3);
        assertThat(Files.readString(bad)).isEqualTo(record);
        String shown = Ran.cli("rejects", "show", bad.toString()).out();
        assertThat(shown).contains("x\\u001b[2J\\r\\u0000\\u009b");
        assertPrintable(shown);

        Path named = write("k.csv", "\u001b[31mred\n\u001b[31mred\n");
        Path ddl =
                write("k.sql", "CREATE TABLE k (name VARCHAR(9000) NOT NULL, PRIMARY KEY (name))");
        String[] twice = {"load", named.toString(), "--ddl", ddl.toString(), "--no-header"};
        Ran equal = run(twice);
        assertThat(equal.code()).isEqualTo(1);
        assertThat(equal.err()).contains("The key name=\\u001b[31mred occurs more than once");
        assertPrintable(equal.err());
        write("k.csv", ("y".repeat(8_000) + "\n").repeat(2));
        assertThat(run(twice).err()).contains("y…").hasSizeLessThan(1_000);
        Ran misnamed = run("load", "\u001b[2J.csv", "--table", "\u001b]0;t\u0007", "--verbose");
        assertThat(misnamed.code()).isNotZero();
        assertPrintable(misnamed.err().replace("\t", ""));
    }

    @Test
    void reasons_tell_a_line_end_from_a_backslash_and_an_n() throws IOException {
        Path file = write("a.csv", "\"x\ny\",one,\nx\\ny,one,\n\"x\\\\,\"\"y\",one,\n2,two,\n");
        Path bad = folder.resolve("bad.csv");
        load(file, "--max-rejects", "3", "--rejects", bad.toString());
        assertThat(reasons(bad).stream().map(reason -> reason.get(4)))
                .containsExactly("x\\ny", "x\\\\ny", "x\\\\\\\\,\"y");
    }

    private static void assertPrintable(String text) {
        assertThat(text.replace("\n", "").chars()).noneMatch(Character::isISOControl);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.csv", "link.csv", "./a.csv", "b", "c"})
    void an_input_is_not_written_over(String rejects) throws IOException {
        Path file = write("a.csv", "1,one,\n" + TYPE);
        Files.createSymbolicLink(folder.resolve("link.csv"), file);
        write("b.reasons.csv", "2,two,\n" + TYPE);
        write("c.part", "3,three,\n");
        String before = Files.readString(file);
        for (String limit : List.of("0", "9")) {
            Ran ran =
                    run(
                            "load",
                            folder.resolve("[abc].*").toString(),
                            "--ddl",
                            folder.resolve("t.sql").toString(),
                            "--no-header",
                            "--max-rejects",
                            limit,
                            "--rejects",
                            folder.resolve(rejects).toString());
            assertThat(ran.code()).as(ran.err()).isEqualTo(2);
            assertThat(ran.err()).contains("would write over").contains("name another");
        }
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(run("count", "t").err()).contains("no table t");
    }

    /** What the shell opened for another program, by the name that Linux gives it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void pipes_and_open_files_take_the_records_and_stay(int descriptor) throws Exception {
        Path out = write("out.txt", "before\n");
        Process cat =
                new ProcessBuilder("cat")
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
                        .start();
        try {
            Path pipe = Path.of("/proc", Long.toString(cat.pid()), "fd", descriptor + "");
            assumeTrue(Files.isWritable(pipe), "skipped: there is no /proc");
            Path file = write("a.csv", "1,one,\n" + TYPE);
            Ran ran = load(file, "--max-rejects", "1", "--rejects", pipe.toString());
            assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        } finally {
            cat.getOutputStream().close();
            cat.waitFor();
        }
        assertThat(Files.readString(out)).isEqualTo("before\n" + TYPE);
        try (var files = Files.list(folder)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".reasons.csv"));
        }
    }

    @Test
    void a_full_disk_under_the_rejects_file_ends_the_load() throws IOException {
        assumeTrue(Files.isWritable(Path.of("/dev/full")), "skipped: there is no /dev/full");
        Path file = write("a.csv", "1,one,\n" + TYPE);
        Ran ran = load(file, "--max-rejects", "1", "--rejects", "/dev/full");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err())
                .contains("The rejects file /dev/full could not be written")
                .contains("No space left")
                .doesNotContain("\tat ");
        assertThat(run("count", "t").err()).contains("no table t");
        Ran passed = load(file, "--rejects", "/dev/full");
        assertThat(passed.code()).isEqualTo(1);
        assertThat(passed.err()).contains("2023-02-29").contains("/dev/full");
    }

    /** Of a folder, which no file replaces, in the place of one of them. */
    @ParameterizedTest
    @ValueSource(strings = {".load.json", ".reasons.csv"})
    void rejects_files_of_which_one_cannot_be_replaced_stay(String blocked) throws IOException {
        Path file = write("a.csv", "1,one,\n" + TYPE);
        Path bad = write("bad.csv", "before\n");
        Path how = write("bad.csv.load.json", "before\n");
        Path folderInPlace = folder.resolve("bad.csv" + blocked);
        Files.deleteIfExists(folderInPlace);
        Files.createDirectories(folderInPlace.resolve("folder"));
        Ran ran = load(file, "--max-rejects", "1", "--rejects", bad.toString());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err())
                .isEqualTo(
                        "penstock: The rejects file "
                                + bad
                                + " could not be written: "
                                + folderInPlace
                                + " cannot be replaced: it is a folder."
                                + " Nothing of this load is visible.\n");
        assertThat(bad).hasContent("before");
        assertThat(folderInPlace.resolve("folder")).isDirectory();
        if (Files.isRegularFile(how)) {
            assertThat(how).hasContent("before");
        }
        assertNoParts();
    }

    @Test
    void only_what_a_load_has_left_is_replayed() throws IOException {
        Path bad = folder.resolve("bad.csv");
        Ran nothing = run("rejects", "replay", bad.toString());
        assertThat(nothing.code()).isEqualTo(2);
        assertThat(nothing.err()).contains("there is no").contains("bad.csv.load.json");
        Path file = write("a.csv", "1,one,\n" + TYPE);
        assertThat(load(file, "--rejects", bad.toString()).code()).isEqualTo(1);
        Ran failed = run("rejects", "replay", bad.toString());
        assertThat(failed.code()).isEqualTo(2);
        assertThat(failed.err()).contains("failed").contains("load all of it again");
        load(file, "--rejects", bad.toString(), "--max-rejects", "1");
        assertThat(Ran.cli("rejects", "show", bad.toString()).out())
                .isEqualTo(Files.readString(folder.resolve("bad.csv.reasons.csv")));
        Ran same = run("rejects", "replay", bad.toString(), "--rejects", bad.toString());
        assertThat(same.code()).isEqualTo(2);
        assertThat(same.err()).contains("name another");
        Ran still = run("rejects", "replay", bad.toString());
        assertThat(still.code()).isEqualTo(1);
        assertThat(still.err()).contains("bad.csv, line 1").contains("2023-02-29");
    }

    @Test
    void rejects_that_were_not_replayed_outlive_a_load_that_does_not_fail() throws IOException {
        Path bad = folder.resolve("bad.csv");
        String[] keep = {"--rejects", bad.toString(), "--max-rejects", "1"};
        assertThat(load(write("a.csv", "1,one,\n" + TYPE), keep).code()).isEqualTo(3);
        Ran next = load(write("b.csv", "2,two,\n"), keep);
        assertThat(next.code()).isZero();
        assertThat(next.err())
                .contains(bad + " had the rejects of load ")
                .endsWith("and was not replayed; it is " + bad + ".1 now.\n");
        assertThat(Files.readString(bad)).isEmpty();
        assertThat(Files.readString(folder.resolve("bad.csv.1"))).isEqualTo(TYPE);
        // Nothing is kept of what nobody needs: no rejects, or replayed ones.
        assertThat(load(write("c.csv", "3,three,\n" + TYPE), keep).err()).isEmpty();
        Files.writeString(bad, "4,four,2024-02-29\n");
        assertThat(run("rejects", "replay", bad.toString()).code()).isZero();
        assertThat(load(write("d.csv", "5,five,\n"), keep).err()).isEmpty();
        assertThat(folder.resolve("bad.csv.2")).doesNotExist();
        Files.writeString(folder.resolve("bad.csv.1"), "6,six,2024-02-29\n");
        Ran kept = run("rejects", "replay", bad + ".1");
        assertThat(kept.code()).as(kept.err()).isZero();
        assertThat(run("count", "t").out()).isEqualTo("6\n");
    }

    @Test
    void rejects_that_are_needed_outlive_a_load_that_fails() throws IOException {
        Path bad = folder.resolve("bad.csv");
        Path file = write("a.csv", "1,one,\n" + TYPE);
        String[] keep = {"--rejects", bad.toString(), "--max-rejects", "1"};
        assertThat(load(file, keep).code()).isEqualTo(3);
        Ran again = load(file, keep);
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("exists already").contains("bad.csv.failed");
        Ran worse = load(write("b.csv", PARSE + TYPE), keep);
        assertThat(worse.code()).isEqualTo(1);
        assertThat(Files.readString(bad)).isEqualTo(TYPE);
        assertThat(Files.readString(folder.resolve("bad.csv.failed"))).isEqualTo(PARSE + TYPE);
        Ran dry = load(file, "--rejects", bad.toString(), "--max-rejects", "1", "--dry-run");
        assertThat(dry.code()).isEqualTo(2);
        assertThat(dry.err()).contains("name another file for a dry run");
        Files.writeString(bad, "4,four,2024-02-29\n");
        assertThat(run("rejects", "replay", bad.toString()).code()).isZero();
        assertThat(run("count", "t").out()).isEqualTo("2\n");
    }

    /** As a loader leaves it that is killed between publishing and saying so. */
    @ParameterizedTest
    @CsvSource({"mine, true, 0", "mine, false, 2", "'', true, 2"})
    void what_became_of_a_load_is_asked_for_by_its_label(String label, boolean loaded, int code)
            throws IOException {
        Path bad = folder.resolve("bad.csv");
        Path how = folder.resolve("bad.csv.load.json");
        List<String> args = new ArrayList<>(List.of("--rejects", bad.toString()));
        args.addAll(List.of("--max-rejects", "1"));
        args.addAll(label.isEmpty() ? List.of() : List.of("--label", label));
        load(write("a.csv", "1,one,\n" + TYPE), args.toArray(String[]::new));
        String said = Files.readString(how);
        assertThat(said).contains("\"LOADED\"");
        if (!loaded) {
            said = said.replaceAll("(\"load_id\" : \")[^\"]*", "$1another");
        }
        Files.writeString(how, said.replace("LOADED", "PUBLISHING"));
        Files.writeString(bad, "4,four,2024-02-29\n");
        Ran replay = run("rejects", "replay", bad.toString());
        assertThat(replay.code()).as(replay.err()).isEqualTo(code);
        assertThat(replay.err())
                .contains(loaded ? label.isEmpty() ? "no label to ask for" : "" : "failed");
    }

    @Test
    void a_replayed_file_that_was_changed_is_not_loaded_again() throws IOException {
        Path bad = folder.resolve("bad.csv");
        load(write("a.csv", "1,one,\n" + TYPE), "--rejects", bad.toString(), "--max-rejects", "1");
        Files.writeString(bad, "4,four,2024-02-29\n");
        assertThat(run("rejects", "replay", bad.toString()).code()).isZero();
        Files.writeString(bad, "6,six,2024-02-29\n7,seven,2024-02-29\n");
        Ran again = run("rejects", "replay", bad.toString());
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("was used before").contains("another label");
        Ran other = run("rejects", "replay", bad.toString(), "--label", "more");
        assertThat(other.code()).as(other.err()).isZero();
        assertThat(run("count", "t").out()).isEqualTo("4\n");
    }

    private void assertNoParts() throws IOException {
        try (var files = Files.list(folder)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".part"));
        }
    }

    private List<List<String>> reasons(Path bad) throws IOException {
        return ReasonsFile.read(bad);
    }

    private Path write(String name, String text) throws IOException {
        return new CsvFolder(folder).write(name, text);
    }

    private Ran load(Path file, String... more) {
        return new CsvFolder(folder).load(file, more);
    }

    private Ran run(String... words) {
        return new CsvFolder(folder).run(words);
    }
}
