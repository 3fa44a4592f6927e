package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.parse.RecordBoundary;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Rejected records about as long as a record may be. */
final class LargeRecordTest {
    private static final int MOST = RecordBoundary.DEFAULT_MAX_RECORD_BYTES;

    @TempDir private Path folder;
    private Path bad;

    @BeforeEach
    void declare() throws IOException {
        bad = folder.resolve("bad.csv");
        new CsvFolder(folder)
                .write(
                        "t.sql",
                        "CREATE TABLE t (id INT NOT NULL, note VARCHAR(16777216), PRIMARY KEY"
                                + " (id))");
    }

    private Ran load(String record) throws IOException {
        CsvFolder csv = new CsvFolder(folder);
        Path file = csv.write("a.csv", "1,one\n" + record + "\n2,two\n");
        return csv.load(file, "--max-rejects", "1", "--rejects", bad.toString());
    }

    private static String record(String id, int bytes) {
        return id + "," + "a".repeat(bytes - id.length() - 1);
    }

    @Test
    void the_longest_record_is_kept_whole_and_said_to_be() throws IOException {
        Ran ran = load(record("x", MOST));
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        assertThat(Files.size(bad)).isEqualTo(MOST + 1L);
        List<String> reason = ReasonsFile.read(bad).getFirst();
        assertThat(reason.get(6)).isEqualTo("bad_value");
        assertThat(reason.get(8)).doesNotContain("beginning");
        assertThat(reason.get(10)).isEqualTo(Integer.toString(MOST));
    }

    /** Of a longer one only the beginning is kept, too long to be replayed as a record. */
    @Test
    void the_beginning_of_a_longer_record_is_not_taken_for_a_record() throws IOException {
        Ran ran = load(record("3", MOST + 5));
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        List<String> reason = ReasonsFile.read(bad).getFirst();
        assertThat(reason.get(6)).isEqualTo("too_large");
        assertThat(reason.get(8)).endsWith("of a record so long only the beginning is kept here");
        assertThat(Files.size(bad)).isEqualTo(MOST + 1L + 1L);
    }
}
