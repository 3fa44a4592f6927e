package dev.penstock.bench.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.sql.TpchAnswers.Answer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The 22 queries of TPC-H give what DuckDB says. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TpchAnswersTest {
    private static final double SCALE = 0.02;

    @SuppressWarnings("NullAway.Init") // loaded before the tests
    private TpchAnswers both;

    @BeforeAll
    void load(@TempDir Path folder) throws SQLException, IOException {
        both = TpchAnswers.load(folder, SCALE);
    }

    @AfterAll
    void close() throws SQLException {
        both.close();
    }

    static Stream<Integer> queries() {
        return IntStream.rangeClosed(1, TpchAnswers.QUERIES).boxed();
    }

    @ParameterizedTest
    @MethodSource("queries")
    void a_query_gives_what_duckdb_says(int number) throws SQLException, IOException {
        Answer answer = both.ask(number);
        assertThat(answer.difference()).isNull();
        assertThat(answer.rows()).isPositive();
    }

    @Test
    void a_difference_is_found() {
        Rows rows = new Rows(List.of(Arrays.asList("a", "1.50", null)));
        assertThat(rows.differenceFrom(new Rows(List.of(Arrays.asList("a", "1.5000001", null)))))
                .isNull();
        assertThat(rows.differenceFrom(new Rows(List.of(Arrays.asList("a", "1.51", null)))))
                .isEqualTo("no: row 1 is [a, 1.50, null], not [a, 1.51, null]");
        assertThat(rows.differenceFrom(new Rows(List.of(Arrays.asList("a", "1.50", "x")))))
                .startsWith("no: row 1");
        assertThat(rows.differenceFrom(new Rows(List.of(List.of("a", "1.50")))))
                .startsWith("no: row 1");
        assertThat(rows.differenceFrom(new Rows(List.of()))).isEqualTo("no: 1 rows, not 0");
    }
}
