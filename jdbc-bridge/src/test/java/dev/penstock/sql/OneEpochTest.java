package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.joining;

import dev.penstock.jdbc.Answers;
import dev.penstock.jdbc.NewStore;
import dev.penstock.jdbc.PenstockConnection;
import dev.penstock.kv.Table;

import org.apache.calcite.DataContext;
import org.apache.calcite.DataContexts;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.Typed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A load that is published while a statement reads is in none of its reads. */
final class OneEpochTest {
    /** So many that a join of them is not read whole by the first call. */
    private static final int ROWS = 40;

    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        for (String name : List.of("few", "fewer")) {
            try (var statement = connection.createStatement()) {
                statement.execute(
                        "CREATE TABLE "
                                + name
                                + " (id INTEGER NOT NULL, n INTEGER, PRIMARY KEY (id))");
            }
            load(name, lines(0, ROWS));
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT x.id, y.id FROM few x JOIN fewer y ON x.n < y.n + 99",
                "SELECT x.id, y.id FROM few x JOIN few y ON x.n < y.n + 99",
                "SELECT x.id, y.id FROM few x LEFT JOIN fewer y ON x.n < y.n + 99",
                "SELECT x.id, y.id FROM few x, few z, fewer y WHERE x.n + z.n < y.n + 99"
            })
    void a_statement_sees_one_epoch(String sql) throws SQLException {
        List<String> before = Answers.rows(connection, sql);
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet result = statement.executeQuery()) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                if (rows.isEmpty()) {
                    load("few", lines(ROWS, 2 * ROWS));
                    load("fewer", lines(ROWS, 2 * ROWS));
                }
                rows.add(row(result));
            }
            assertThat(rows).isEqualTo(before);
        }
    }

    /** Else a statement that is prepared once would never see what comes later. */
    @Test
    void each_execution_sees_the_epoch_of_its_own() throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT count(*) FROM few x JOIN fewer y ON x.n = y.n")) {
            for (int rows = ROWS; rows < ROWS + 3; rows++) {
                try (ResultSet result = statement.executeQuery()) {
                    assertThat(result.next()).isTrue();
                    assertThat(result.getInt(1)).isEqualTo(rows);
                }
                load("few", lines(rows, rows + 1));
                load("fewer", lines(rows, rows + 1));
            }
        }
    }

    /** Also where a plan asks for a table's rows anew, as a correlated subquery may. */
    @Test
    void an_execution_keeps_the_epoch_of_its_first_read() throws SQLException {
        List<DataContext> executions = new ArrayList<>();
        Bindable<Object> plan = StatementRun.each(new Plan(executions));
        Table table = connection.unwrap(PenstockConnection.class).store().table("few");
        plan.bind(DataContexts.EMPTY);
        long epoch = StatementRun.epoch(executions.get(0), table);
        load("few", lines(ROWS, ROWS + 1));
        plan.bind(DataContexts.EMPTY);
        assertThat(StatementRun.epoch(executions.get(0), table)).isEqualTo(epoch);
        assertThat(StatementRun.epoch(executions.get(1), table)).isGreaterThan(epoch);
    }

    /** Remembers what it is run with. */
    private record Plan(List<DataContext> executions) implements Bindable<Object>, Typed {
        @Override
        public Enumerable<Object> bind(DataContext context) {
            executions.add(context);
            return Linq4j.emptyEnumerable();
        }

        @Override
        public Type getElementType() {
            return Object.class;
        }
    }

    private static String lines(int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> n + "," + n + "\n").collect(joining());
    }

    private static String row(ResultSet result) throws SQLException {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            values.add(String.valueOf(result.getString(i)));
        }
        return String.join("|", values);
    }

    private void load(String table, String lines) throws SQLException {
        connection
                .unwrap(PenstockConnection.class)
                .bulkLoad(table)
                .delimiter(',')
                .header(false)
                .from(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)))
                .run();
    }
}
