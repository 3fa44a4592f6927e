package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Conditions of many terms, which Calcite takes one within the other. */
final class LongChainsTest {
    private static final int ROWS = 3000;

    @TempDir private static Path folder;

    private static Connection connection;

    @BeforeAll
    static void fill() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE t (id INTEGER NOT NULL, s VARCHAR(9), PRIMARY KEY (id))");
            statement.execute("INSERT INTO t VALUES " + joined(i -> "(" + i + ", 's" + i + "')"));
        }
    }

    @AfterAll
    static void close() throws SQLException {
        connection.close();
    }

    private static String joined(IntFunction<String> term) {
        return joined(ROWS, ", ", term);
    }

    private static String joined(int count, String between, IntFunction<String> term) {
        return IntStream.range(0, count).mapToObj(term).collect(Collectors.joining(between));
    }

    private static String count(String condition) throws SQLException {
        return Answers.rows(connection, "SELECT count(*) FROM t WHERE " + condition).getFirst();
    }

    /** Each row is found by one term, but for those whose text is another's. */
    @ParameterizedTest
    @ValueSource(ints = {2, 63, 64, 65, 127, 1000, 2500})
    void many_alternatives_of_several_columns_each(int terms) throws SQLException {
        String chain = joined(terms, " OR ", i -> "id = %d AND s = 's%d'".formatted(i, i - i % 2));
        assertThat(count(chain)).isEqualTo("" + (terms + 1) / 2);
        assertThat(count("NOT (" + chain + ") AND id < " + terms)).isEqualTo("" + terms / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {63, 64, 65, 2500})
    void many_conditions_of_which_all_hold(int terms) throws SQLException {
        String chain = joined(terms, " AND ", i -> "(id <> %d OR s IS NULL)".formatted(2 * i));
        assertThat(count(chain)).isEqualTo("" + (ROWS - Math.min(terms, ROWS / 2)));
    }

    @Test
    void what_is_too_complex_for_all_that_is_said_so() {
        String sum = joined(20_000, " + ", i -> "id");
        assertThatThrownBy(() -> count(sum + " = 7"))
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith("The statement is too complex")
                .extracting(failure -> ((SQLException) failure).getSQLState())
                .isEqualTo("54001");
    }
}
