package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that have a connection in common have statements of their own. */
@Timeout(60)
final class SharedConnectionTest {
    private static final int THREADS = 4;
    private static final int STATEMENTS = 25;

    @TempDir private Path folder;

    @Test
    void each_statement_has_its_own_parameters() throws Exception {
        try (Connection connection = NewStore.connect(folder);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            CyclicBarrier together = new CyclicBarrier(THREADS);
            List<Future<List<Integer>>> answers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread * STATEMENTS;
                answers.add(threads.submit(() -> ask(connection, first, together)));
            }
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread * STATEMENTS;
                assertThat(answers.get(thread).get())
                        .hasSize(STATEMENTS)
                        .satisfies(numbers -> {
                            for (int i = 0; i < STATEMENTS; i++) {
                                assertThat(numbers.get(i)).isEqualTo(first + i);
                            }
                        });
            }
        }
    }

    private static List<Integer> ask(Connection connection, int first, CyclicBarrier together)
            throws Exception {
        List<Integer> answers = new ArrayList<>();
        for (int number = first; number < first + STATEMENTS; number++) {
            together.await(10, TimeUnit.SECONDS);
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT n FROM (VALUES 1) AS v(n) WHERE n < ?")) {
                statement.setInt(1, 9);
                statement.executeQuery().close();
            }
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT CAST(? AS INTEGER)")) {
                statement.setInt(1, number);
                together.await(10, TimeUnit.SECONDS);
                try (ResultSet result = statement.executeQuery()) {
                    assertThat(result.next()).isTrue();
                    answers.add(result.getInt(1));
                }
            }
        }
        return answers;
    }
}
