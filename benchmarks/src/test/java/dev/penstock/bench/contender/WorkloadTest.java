package dev.penstock.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** As many rows as every contender has to count. */
final class WorkloadTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({"'', 0", "'1', 1", "'1\n', 1", "'1\n2', 2", "'1\n2\n', 2", "'a,b\n1,2', 1"})
    void rows_are_lines_whether_the_last_one_ends_or_not(String text, long rows)
            throws IOException {
        Path file = Files.writeString(folder.resolve("file.csv"), text);
        String ddl = "CREATE TABLE t (a INT, b INT)";
        assertThat(Workload.of(file, ddl, 1).rows()).isEqualTo(rows);
    }
}
