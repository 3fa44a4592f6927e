package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Text whose rows belong to several regions, all of one server, which finds out which to which:
 * what is stored and said is what a loader's own steps lead to.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
final class SpreadLoadTest {
    /** Whether the server reads files. */
    @Parameter private boolean reading;

    @TempDir private Path folder;
    private ServedLoads loads;

    @BeforeEach
    void start() throws Exception {
        loads = new ServedLoads(folder, 1, reading);
    }

    @AfterEach
    void stop() {
        loads.close();
    }

    private static List<String> shuffled() {
        List<String> lines = ServedLoads.lines();
        Collections.shuffle(lines, new Random(7));
        return lines;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 40})
    void rows_out_of_order_are_stored_as_by_the_loader(int regions) throws Exception {
        Path file = loads.write(shuffled());
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
        assertThat(text.get("text_chunks")).isEqualTo(text.get("chunks"));
        boolean sent = text.get("bytes_sent").asLong() > Files.size(file);
        assertThat(sent).isEqualTo(!reading);
    }

    /** Regions of fewer rows than a chunk. */
    @Test
    void rows_in_order_may_lie_in_many_regions_a_chunk() throws Exception {
        Path file = loads.write(ServedLoads.lines());
        JsonNode text = loads.loaded(file, "text", 200);
        String stored = loads.scan();
        loads.drop();
        loads.loaded(file, "select", 200);
        assertThat(loads.scan()).isEqualTo(stored);
        assertThat(text.get("text_chunks")).isEqualTo(text.get("chunks"));
    }

    @Test
    void the_first_bad_record_is_named_and_nothing_stays() throws Exception {
        List<String> lines = shuffled();
        lines.set(12_345, "12345|word|many|2024-01-01");
        lines.set(15_000, "15000|word|too many|2024-01-01");
        Path file = loads.write(lines);
        Ran ran = loads.load(file, "text", 3, "--threads", "2");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err())
                .contains("line 12346 (byte " + ServedLoads.bytesBefore(lines, 12_345) + ")");
        assertThat(Ran.cli("count", "t", "--connect", loads.address()).err())
                .contains("no table t");
    }

    @Test
    void rejects_and_double_keys_are_those_of_the_loader() throws Exception {
        List<String> lines = shuffled();
        for (int bad : new int[] {3, 4_711, 4_712, 11_000, 19_998}) {
            lines.set(bad, bad + "|word|" + bad + "..0|2024-01-01");
        }
        lines.set(8_000, lines.get(700));
        Path file = loads.write(lines);
        loads.assertSameRejects(file, 6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep-first", "keep-last"})
    void of_equal_keys_the_first_or_last_of_the_input_stays(String which) throws Exception {
        List<String> lines = shuffled();
        for (int at = 100; at < ServedLoads.ROWS; at += 50) {
            String other = lines.get(at - 99);
            lines.set(at, other.substring(0, other.indexOf('|')) + "|again|1.00|2024-02-29");
        }
        Path file = loads.write(lines);
        JsonNode text = loads.loaded(file, "text", 5, "--on-duplicate", which);
        String stored = loads.scan();
        loads.drop();
        loads.loaded(file, "select", 5, "--on-duplicate", which);
        assertThat(loads.scan()).isEqualTo(stored);
        assertThat(text.get("text_chunks")).isEqualTo(text.get("chunks"));
    }

    @Test
    void keys_of_text_and_nulls_are_no_trouble() throws Exception {
        loads.declare(
                "id BIGINT, word VARCHAR(40), price DECIMAL(9,2), day DATE, PRIMARY KEY (day, id)");
        List<String> lines = shuffled();
        lines.replaceAll(line -> line.endsWith("5") ? line.replaceAll("\\|w*\\|", "||") : line);
        Path file = loads.write(lines);
        loads.loaded(file, "text", 6);
        String stored = loads.scan();
        JsonNode verified = loads.verified();
        loads.drop();
        loads.loaded(file, "select", 6);
        assertThat(loads.scan()).isEqualTo(stored);
        assertThat(loads.verified()).isEqualTo(verified);
    }
}
