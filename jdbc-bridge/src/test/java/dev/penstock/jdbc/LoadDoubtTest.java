package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.jdbc.ChangedSessions.Instead;
import dev.penstock.loader.LoadSpec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is said of a load that is cancelled while it is published, when the answer is lost. */
final class LoadDoubtTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    private final List<LoadJob> job = new ArrayList<>();

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE item (id INTEGER NOT NULL, PRIMARY KEY (id))");
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_load_that_was_published_is_not_said_to_be_invisible(boolean cancel) throws Exception {
        Instead publish =
                real -> {
                    cancelIf(cancel);
                    real.run();
                    throw answerLost();
                };
        SQLException failure = failure(Map.of("publish", publish));
        assertThat((Throwable) failure)
                .hasMessage(
                        "The answer was lost. The load is published nevertheless: its rows are"
                                + " visible.");
        assertThat(failure.getSQLState()).isEqualTo("40003");
        assertEnded("FAILED", "2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_load_of_which_nobody_knows_is_not_said_to_be_invisible(boolean cancel) throws Exception {
        Instead publish =
                _ -> {
                    cancelIf(cancel);
                    throw answerLost();
                };
        Instead abort =
                real -> {
                    real.run();
                    throw answerLost();
                };
        SQLException failure = failure(Map.of("publish", publish, "abort", abort));
        assertThat((Throwable) failure)
                .hasMessageContaining("Nobody knows whether the load is published")
                .hasMessageNotContaining("nothing");
        assertThat(failure.getSQLState()).isEqualTo("40003");
        assertEnded("FAILED", "0");
    }

    @Test
    void a_load_that_could_be_aborted_is_cancelled() throws Exception {
        Instead publish =
                _ -> {
                    cancelIf(true);
                    throw answerLost();
                };
        SQLException failure = failure(Map.of("publish", publish));
        assertThat((Throwable) failure).hasMessageContaining("nothing of its load is visible");
        assertThat(failure.getSQLState()).isEqualTo("57014");
        assertEnded("CANCELLED", "0");
    }

    private void cancelIf(boolean cancel) {
        if (cancel) {
            job.forEach(LoadJob::cancel);
        }
    }

    private static PenstockException answerLost() {
        return new PenstockException(ErrorCategory.IO, "The answer was lost.");
    }

    private void assertEnded(String state, String rows) throws SQLException {
        assertThat(Answers.rows(connection, "SELECT state FROM penstock_loads WHERE label = 'x'"))
                .containsExactly(state);
        assertThat(Answers.rows(connection, "SELECT count(*) FROM item")).containsExactly(rows);
    }

    /** How a load of two rows ends whose session does something else. */
    private SQLException failure(Map<String, Instead> instead) throws SQLException {
        PenstockConnection penstock = connection.unwrap(PenstockConnection.class);
        InputStream rows = new ByteArrayInputStream("1\n2\n".getBytes(StandardCharsets.UTF_8));
        LoadSpec spec = LoadSpec.builder("item").label("x").from(LoadSpec.STANDARD_INPUT).build();
        LoadJob made =
                new LoadJob(
                        ChangedSessions.of(penstock.store().loadTarget(), instead),
                        spec,
                        rows,
                        () -> {});
        job.add(made);
        return catchThrowableOfType(SQLException.class, () -> penstock.run(made));
    }
}
