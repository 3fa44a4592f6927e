package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Chunks that servers take as text, which they read from the file or are sent: what is stored and
 * said is what a loader's own steps lead to.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
final class TextLoadTest {
    private static final int ROWS = ServedLoads.ROWS;

    /** Whether servers read files. */
    @Parameter private boolean reading;

    @TempDir private Path folder;
    private ServedLoads loads;

    @BeforeEach
    void start() throws Exception {
        loads = new ServedLoads(folder, 2, reading);
    }

    @AfterEach
    void stop() {
        loads.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 40})
    void rows_in_order_are_stored_as_by_the_loader(int regions) throws Exception {
        Path file = loads.write(ServedLoads.lines());
        JsonNode text = loads.loaded(file, "text", regions);
        String stored = loads.scan();
        JsonNode verified = loads.verified();
        loads.drop();
        JsonNode select = loads.loaded(file, "select", regions);
        assertThat(loads.scan()).isEqualTo(stored);
        assertThat(loads.verified()).isEqualTo(verified);
        for (String figure : List.of("rows_loaded", "bytes_read", "regions", "bytes_stored")) {
            assertThat(text.get(figure)).as(figure).isEqualTo(select.get(figure));
        }
        assertThat(text.get("text_chunks").asLong())
                .isGreaterThan(regions > 7 ? 0 : text.get("chunks").asLong() * 3 / 4);
        assertThat(select.get("text_chunks").asLong()).isZero();
        if (regions < 7) {
            boolean sent = text.get("bytes_sent").asLong() > Files.size(file) * 3 / 4;
            assertThat(sent).isEqualTo(!reading);
        }
    }

    /** Loaders take those of 6 MiB, of which 40 MB are seven. */
    @Test
    void chunks_are_longer_where_servers_read_them() throws Exception {
        assumeTrue(reading, "loaders and servers agree on a length only for files");
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 40_000_000; i++) {
            text.append(i).append("|").append("w".repeat(i % 40)).append("|1.25|2024-01-10\n");
        }
        Path file = Files.writeString(folder.resolve("in.tbl"), text);
        Ran ran = loads.loadInUsualChunks(file, "text", 2, "--threads", "1", "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(ran.out());
        assertThat(report.get("text_chunks").asLong()).isPositive();
        assertThat(report.get("chunks").asLong()).isBetween(4L, 6L);
        assertThat(report.get("bytes_read").asLong()).isEqualTo(Files.size(file));
    }

    /** The sample does not see the row that is out of place. */
    @Test
    void a_chunk_with_rows_of_another_region_is_the_loaders() throws Exception {
        List<String> lines = ServedLoads.lines();
        lines.add(10_033, lines.remove(15_000));
        Path file = loads.write(lines);
        JsonNode text = loads.loaded(file, "text", 3, "--samples", "1000");
        String stored = loads.scan();
        loads.drop();
        loads.loaded(file, "select", 3);
        assertThat(loads.scan()).isEqualTo(stored);
        assertThat(text.get("rows_loaded").asLong()).isEqualTo(ROWS);
        assertThat(text.get("bytes_read").asLong()).isEqualTo(Files.size(file));
        long chunks = text.get("chunks").asLong();
        assertThat(text.get("text_chunks").asLong()).isPositive().isLessThan(chunks);
    }

    @Test
    void the_first_bad_record_is_named() throws Exception {
        List<String> lines = ServedLoads.lines();
        lines.set(12_345, "12345|word|many|2024-01-01");
        lines.set(15_000, "15000|word|too many|2024-01-01");
        lines.set(19_999, "19999|word|more|2024-01-01");
        Path file = loads.write(lines);
        Ran ran = loads.load(file, "text", 3, "--threads", "2");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err())
                .contains("line 12346 (byte " + ServedLoads.bytesBefore(lines, 12_345) + ")");
        assertThat(Ran.cli("count", "t", "--connect", loads.address()).err())
                .contains("no table t");
    }

    @Test
    void rejects_are_those_of_the_loader_in_the_order_of_the_input() throws Exception {
        List<String> lines = ServedLoads.lines();
        for (int bad : new int[] {3, 4_711, 4_712, 11_000, 19_998}) {
            lines.set(bad, bad + "|word|" + bad + "..0|2024-01-01");
        }
        lines.set(8_000, lines.get(7_999));
        Path file = loads.write(lines);
        loads.assertSameRejects(file, 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep-first", "keep-last"})
    void of_equal_keys_the_first_or_last_of_the_input_stays(String which) throws Exception {
        List<String> lines = ServedLoads.lines();
        for (int at = 100; at < ROWS; at += 50) {
            String key = lines.get(at - 1).substring(0, lines.get(at - 1).indexOf('|'));
            lines.set(at, key + "|again|1.00|2024-02-29");
        }
        Path file = loads.write(lines);
        loads.load(file, "text", 5, "--on-duplicate", which);
        String stored = loads.scan();
        loads.drop();
        loads.load(file, "select", 5, "--on-duplicate", which);
        assertThat(loads.scan()).isEqualTo(stored);
    }

    @Test
    void a_percentage_of_rejects_counts_what_servers_have_parsed() throws Exception {
        List<String> lines = ServedLoads.lines();
        for (int i = 0; i < 150; i++) {
            lines.set(i * 100, "x|bad|1.00|2024-01-01");
        }
        Path file = loads.write(lines);
        Ran ran = loads.load(file, "text", 3, "--max-rejects", "1%");
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        loads.drop();
        assertThat(loads.load(file, "text", 3, "--max-rejects", "0.5%").code()).isEqualTo(1);
    }

    @Test
    void tables_without_a_key_take_text_too() throws Exception {
        loads.declare("id BIGINT, word VARCHAR(40), price DECIMAL(9,2), day DATE");
        Path file = loads.write(ServedLoads.lines());
        JsonNode text = loads.loaded(file, "text", 3);
        assertThat(text.get("text_chunks")).isEqualTo(text.get("chunks"));
        String stored = loads.scan();
        loads.drop();
        loads.loaded(file, "select", 3);
        assertThat(loads.scan()).isEqualTo(stored);
    }

    @Test
    void headers_comments_and_an_open_last_line_are_no_trouble() throws Exception {
        List<String> lines = ServedLoads.lines();
        lines.addFirst("id|word|price|day");
        lines.add(5_000, "# nothing");
        Path file = folder.resolve("in.tbl");
        Files.writeString(file, String.join("\n", lines));
        JsonNode text = loads.loaded(file, "text", 3, "--header", "--comment", "#");
        assertThat(text.get("rows_loaded").asLong()).isEqualTo(ROWS);
        assertThat(text.get("text_chunks").asLong()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 9})
    void quoted_text_travels_too(int regions) throws Exception {
        List<String> lines = quoted();
        lines.addFirst("id,word,price,day");
        Path file = folder.resolve("in.csv");
        Files.writeString(file, String.join("\n", lines));
        JsonNode text = loads.loaded(file, "text", regions);
        assertThat(text.get("rows_loaded").asLong()).isEqualTo(ROWS);
        assertThat(text.get("text_chunks").asLong())
                .isGreaterThan(text.get("chunks").asLong() * 3 / 4);
        String stored = loads.scan();
        JsonNode verified = loads.verified();
        loads.drop();
        loads.loaded(file, "select", regions);
        assertThat(loads.scan()).isEqualTo(stored);
        assertThat(loads.verified()).isEqualTo(verified);
    }

    @Test
    void bad_records_of_quoted_text_are_the_loaders() throws Exception {
        List<String> lines = quoted();
        lines.set(4_000, "4000,\"a\nb\",many,2024-01-01");
        lines.set(17_000, "17000,\"a\nb\",too many,2024-01-01");
        Path file = folder.resolve("in.csv");
        Files.writeString(file, String.join("\n", lines) + "\n");
        List<String> said = new ArrayList<>();
        for (String policy : List.of("text", "select")) {
            Path bad = folder.resolve(policy + ".bad");
            Ran ran =
                    loads.load(file, policy, 3, "--max-rejects", "2", "--rejects", bad.toString());
            assertThat(ran.code()).as(ran.err()).isEqualTo(3);
            said.add(Files.readString(bad));
            said.add(
                    Files.readString(folder.resolve(policy + ".bad.reasons.csv"))
                            .replace(policy + ".bad", ""));
            said.add(loads.scan());
            loads.drop();
        }
        assertThat(said.subList(0, 3)).isEqualTo(said.subList(3, 6));
        assertThat(loads.load(file, "text", 3).err())
                .contains("byte " + ServedLoads.bytesBefore(lines, 4_000));
    }

    /** Records short and long, and one that is longer than a part of a chunk. */
    @ParameterizedTest
    @ValueSource(ints = {12, 1500})
    void quoted_chunks_are_taken_in_parts_or_whole(int most) throws Exception {
        loads.declare("id BIGINT PRIMARY KEY, word VARCHAR(900000), price DECIMAL(9,2), day DATE");
        SplittableRandom random = new SplittableRandom(most);
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 3_000_000; i++) {
            String part = "a,\n\"\"b\r\n".repeat(random.nextInt(most));
            String word = i == 200 ? "x\n".repeat(400_000) : part;
            text.append(i).append(",\"").append(word).append("\",2.5,2024-02-29\n");
        }
        Path file = Files.writeString(folder.resolve("in.csv"), text);
        assertTakenAsText(file, 2);
    }

    /** None of them lies at a chunk's edge, where the loader would have to read it. */
    @Test
    void lines_longer_than_a_part_of_a_chunk_are_taken_with_it() throws Exception {
        loads.declare("id BIGINT PRIMARY KEY, word VARCHAR(900000), price DECIMAL(9,2), day DATE");
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 2_900_000; i++) {
            int length = i == 2_000 ? 300_000 : i == 9_000 ? 420_000 : 1;
            String word = "x".repeat(length);
            text.append(i).append(',').append(word).append(",2.5,2024-02-29\n");
        }
        Path file = Files.writeString(folder.resolve("in.csv"), text);
        assertTakenAsText(file, 1, "--quote", "none");
    }

    /** Loads a file as text, all of it but where borders of regions lie, and by the loader. */
    private void assertTakenAsText(Path file, int regions, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("--json", "--chunk-size", "1000000"));
        options.addAll(List.of(more));
        Ran ran = loads.loadInUsualChunks(file, "text", regions, options.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        JsonNode report = new ObjectMapper().readTree(ran.out());
        // Records may be too long for a border to be found among them.
        assertThat(report.get("text_chunks").asLong())
                .isGreaterThanOrEqualTo(report.get("chunks").asLong() - (regions - 1));
        String stored = loads.scan();
        JsonNode verified = loads.verified();
        loads.drop();
        assertThat(loads.loadInUsualChunks(file, "select", regions, more).code()).isZero();
        assertThat(loads.scan()).isEqualTo(stored);
        assertThat(loads.verified()).isEqualTo(verified);
    }

    /**
     * Rows in quoted fields that are longer than what a guess looks at: where the first chunk ends
     * they are taken for others, of keys that the table does not have.
     */
    @Test
    void a_load_whose_text_was_cut_within_a_field_begins_again() throws Exception {
        loads.declare("id BIGINT PRIMARY KEY, word VARCHAR(60000), price DECIMAL(9,2), day DATE");
        List<String> lines = quoted();
        StringBuilder rows = new StringBuilder();
        for (int i = 0; rows.length() < 50_000; i++) {
            rows.append('\n').append(100_000 + i).append(",word,2.5,2024-03-01");
        }
        lines.set(500, "500,\"" + rows + "\n\",1.5,2024-03-02");
        Path file = folder.resolve("in.csv");
        Files.writeString(file, String.join("\n", lines) + "\n");
        Ran ran = loads.load(file, "text", 1, "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.err())
                .contains("in.csv was cut within a record, at byte ")
                .contains("begins again and reads all quotes first");
        JsonNode report = new ObjectMapper().readTree(ran.out());
        assertThat(report.get("rows_loaded").asLong()).isEqualTo(ROWS);
        assertThat(report.get("bytes_read").asLong()).isEqualTo(Files.size(file));
        assertThat(report.get("text_chunks").asLong()).isPositive();
        String stored = loads.scan();
        loads.drop();
        loads.loaded(file, "select", 1);
        assertThat(loads.scan()).isEqualTo(stored);
    }

    /** What is taken for a bad record there is none. */
    @Test
    void bad_records_are_those_of_the_second_try() throws Exception {
        loads.declare("id BIGINT PRIMARY KEY, word VARCHAR(60000), price DECIMAL(9,2), day DATE");
        List<String> lines = quoted();
        String rows = "\n7,word,no number,no day".repeat(2000);
        lines.set(500, "500,\"" + rows + "\n\",1.5,2024-03-02");
        lines.set(12_000, "12000,\"a\nb\",many,2024-01-01");
        Path file = folder.resolve("in.csv");
        Files.writeString(file, String.join("\n", lines) + "\n");
        Path bad = folder.resolve("in.bad");
        Ran ran = loads.load(file, "text", 3, "--max-rejects", "1", "--rejects", bad.toString());
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        assertThat(ran.err()).contains("begins again");
        assertThat(Files.readString(bad)).isEqualTo(lines.get(12_000) + "\n");
        assertThat(loads.load(file, "text", 3, "--on-duplicate", "error").err())
                .contains("byte " + ServedLoads.bytesBefore(lines, 12_000));
    }

    /** Regions of different servers are not for one of them to sort out. */
    @Test
    void rows_out_of_order_are_the_loaders_where_regions_are_at_several_servers() throws Exception {
        List<String> lines = ServedLoads.lines();
        Collections.shuffle(lines, new Random(3));
        Path file = loads.write(lines);
        JsonNode text = loads.loaded(file, "text", 4);
        assertThat(text.get("text_chunks").asLong()).isZero();
        String stored = loads.scan();
        loads.drop();
        loads.loaded(file, "select", 4);
        assertThat(loads.scan()).isEqualTo(stored);
    }

    private static List<String> quoted() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            String word = i % 3 == 0 ? "\"" + "a,\n\"\"b".repeat(i % 5) + "\"" : "plain";
            lines.add(i + "," + word + "," + i % 100 + ".5,2024-02-0" + (1 + i % 9));
        }
        return lines;
    }

    /** Servers that have not run the steps yet do not get any, but for a rehearsal. */
    @Test
    void adaptive_leaves_cold_servers_alone() throws Exception {
        JsonNode report = loads.loaded(loads.write(ServedLoads.lines()), "adaptive", 3);
        assertThat(report.get("text_chunks").asLong()).isZero();
        assertThat(report.get("rows_loaded").asLong()).isEqualTo(ROWS);
    }
}
