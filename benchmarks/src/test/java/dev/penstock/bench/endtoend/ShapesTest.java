package dev.penstock.bench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.contender.Contender;
import dev.penstock.bench.contender.Contenders;
import dev.penstock.bench.contender.Workload;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Both engines take every line of every shape for a row. */
final class ShapesTest {
    private static final long ROWS = 500;

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource
    void every_line_of_a_shape_is_a_row(Shape shape) throws IOException {
        Path file = folder.resolve("shape.csv");
        shape.write(file, ROWS);
        assertThat(Files.readAllLines(file)).hasSize((int) ROWS).doesNotHaveDuplicates();
        Workload workload = Workload.of(file, shape.ddl(), 2);
        List<Contender> contenders = Contenders.named("penstock,duckdb", workload, null, "python3");
        Comparison comparison = new Comparison(folder, 1);
        comparison.run(contenders);
        assertThat(comparison.skipped()).isEmpty();
        assertThat(comparison.results()).hasSize(2).allMatch(result -> result.rows() == ROWS);
    }
}
