package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Files as they come: strange names, ends, marks and packings. */
final class OddInputTest {
    @TempDir private Path folder;
    private Path ddl;

    @BeforeEach
    void writeDdl() throws IOException {
        ddl = folder.resolve("t.sql");
        Files.writeString(
                ddl, "CREATE TABLE t (id INTEGER NOT NULL, name VARCHAR(40), PRIMARY KEY (id))");
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                Arguments.of("no last newline", "1,a\n2,b", 2),
                Arguments.of("two kinds of line ends", "1,a\r\n2,b\n3,c", 3),
                Arguments.of("a byte-order mark", "\u00EF\u00BB\u00BF1,a\n", 1),
                Arguments.of("a mark and nothing else", "\u00EF\u00BB\u00BF", 0),
                Arguments.of("nothing", "", 0),
                Arguments.of("only line ends", "\n\n", 0),
                Arguments.of("a zero byte in a value", "1,a\0b\n", 1),
                Arguments.of("words that other formats begin with", "1,BZh\n2,PAR1\n3,ORC", 3));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void text_is_read_however_it_ends(String what, String text, int rows) throws IOException {
        assertRows(rows, file("x.csv", bytes(text)));
    }

    @ParameterizedTest
    @CsvSource({"with space.csv", "[x]{y}.csv", "-dash.csv", "ünïcode ö.csv", "no_ending", "a.gz"})
    void names_do_not_matter(String name) throws IOException {
        assertRows(1, file(name, bytes("1,a\n")));
    }

    @Test
    void a_declaration_may_begin_with_a_byte_order_mark() throws IOException {
        Files.writeString(ddl, "\uFEFF" + Files.readString(ddl));
        assertRows(1, file("x.csv", bytes("1,a\n")));
    }

    @Test
    void empty_files_among_others_are_no_error() throws IOException {
        Path empty = file("b.csv", bytes(""));
        Path full = file("c.csv", bytes("1,a\n"));
        assertRows(1, file("a.csv", bytes("")), full, empty);
    }

    @Test
    void folders_in_a_folder_are_left_out_and_the_user_is_told() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        file("data/a.csv", bytes("1,a\n"));
        assertThat(load(data).err()).doesNotContain("left out");
        Files.createDirectories(data.resolve("_temporary"));
        Files.createDirectories(data.resolve("2026"));
        file("data/2026/b.csv", bytes("2,b\n"));
        Ran one = load(data);
        assertThat(one.code()).as(one.err()).isZero();
        assertThat(one.err())
                .contains("Of " + data + ", a folder is left out: " + data.resolve("2026") + ". ");
        for (int year = 2020; year < 2026; year++) {
            Files.createDirectories(data.resolve("" + year));
        }
        Ran seven = load(data.resolve("2*"), data.resolve("a.csv"));
        assertThat(seven.err()).contains("No file matches");
        assertThat(load(data).err())
                .contains(", 7 folders are left out: ")
                .contains(data.resolve("2022") + " and 4 more. What is in them is loaded if");
        assertRows(1, data);
    }

    @Test
    void files_in_a_folder_that_are_left_out_are_named() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        file("data/a.csv", bytes("1,a\n"));
        file("data/_SUCCESS", bytes(""));
        assertThat(load(data).err()).doesNotContain("left out");
        Path hidden = file("data/_b.csv", bytes("2,b\n"));
        Path pipe = data.resolve("c.csv");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Ran ran = load(data);
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.err())
                .contains("Of " + data + ", a file is left out: " + hidden + ". ")
                .contains("Of " + data + ", a special file is left out: " + pipe + ". ");
        assertRows(1, data);
        assertRows(2, data.resolve("*"));
    }

    @Test
    void a_link_to_nothing_is_an_error() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        file("data/a.csv", bytes("1,a\n"));
        Path link = Files.createSymbolicLink(data.resolve("b.csv"), folder.resolve("gone.csv"));
        for (Path word : List.of(data, data.resolve("*.csv"))) {
            Ran ran = load(word);
            assertThat(ran.code()).as(ran.err()).isEqualTo(2);
            assertThat(ran.err()).contains(link + " is a link to a file that is not there.");
        }
    }

    /** A damaged header of a member must not end the input as if nothing had followed. */
    @Test
    void what_follows_a_gzip_member_and_is_none_is_an_error() throws IOException {
        Path cut = file("x.csv.gz", Arrays.copyOfRange(gzip("2,b\n"), 1, 20));
        Files.write(cut, join(gzip("1,a\n"), Files.readAllBytes(cut)));
        Ran ran = load(cut);
        assertThat(ran.code()).as(ran.err()).isEqualTo(1);
        assertThat(ran.err()).contains("x.csv.gz is damaged or cut off");
    }

    static Stream<Arguments> others() {
        return Stream.of(
                Arguments.of("UTF-16", "\u00FF\u00FE1\0,\0a\0\n\0"),
                Arguments.of("UTF-16", "\u00FE\u00FF\0001\0,\0a\0\n"),
                Arguments.of("UTF-16LE", "1\0,\0a\0\n\0"),
                Arguments.of("UTF-16BE", "\0001\0,\0a\0\n"),
                Arguments.of("UTF-32", "\u00FF\u00FE\0\0001\0\0\0"),
                Arguments.of("bzip2 -dc", "BZh91AY&SY\u001C\u00B1"),
                Arguments.of("xz -dc", "\u00FD7zXZ\0\0\u0004"),
                Arguments.of("lz4 -dc", "\u0004\"M\u0018d"),
                Arguments.of("zip archive", "PK\u0003\u0004\u0014\0"),
                Arguments.of("Parquet", "PAR1\u0015\u0004\0"),
                Arguments.of("ORC", "ORC\0\0"),
                Arguments.of("tar archive", "a".repeat(257) + "ustar\0"),
                Arguments.of("Avro", "Obj\u0001\u0004"));
    }

    @ParameterizedTest
    @MethodSource("others")
    void what_is_no_text_is_called_by_its_name(String word, String head) throws IOException {
        Ran ran = load(file("x.csv", bytes(head)));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("x.csv").contains(word).doesNotContain("\tat ");
        assertThat(load(file("z.csv", gzip(head))).err()).contains(word);
    }

    private void assertRows(int rows, Path... files) throws IOException {
        Ran ran = load(files);
        assertThat(ran.code()).as(ran.err()).isZero();
        Ran count = Ran.cli("count", "t", "--store", store().toString());
        assertThat(count.out()).isEqualTo(rows + "\n");
    }

    private Ran load(Path... files) {
        List<String> arguments = new ArrayList<>(List.of("load"));
        Stream.of(files).map(Path::toString).forEach(arguments::add);
        arguments.addAll(List.of("--ddl", ddl.toString(), "--table", "t", "--on-duplicate"));
        arguments.addAll(List.of("replace", "--delimiter", ",", "--no-header"));
        arguments.addAll(List.of("--store", store().toString()));
        return Ran.cli(arguments.toArray(String[]::new));
    }

    private Path store() {
        return folder.resolve("store");
    }

    private Path file(String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content);
    }

    /** Every char is a byte. */
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes(text));
        }
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
