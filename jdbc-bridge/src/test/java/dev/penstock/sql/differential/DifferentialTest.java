package dev.penstock.sql.differential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.NewStore;
import dev.penstock.jdbc.PenstockConnection;
import dev.penstock.jdbc.RowAppender;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Random queries have the answers of a plain reading of the rows, with what region servers do of
 * them and without.
 */
final class DifferentialTest {
    private static final int TABLES = Integer.getInteger("penstock.differential.tables", 2);
    private static final int QUERIES = Integer.getInteger("penstock.differential.queries", 30);
    private static final long SEED = Long.getLong("penstock.differential.seed", 1);

    @TempDir private Path folder;

    @Test
    void queries_have_the_answers_of_the_rows() throws SQLException {
        try (Connection connection = NewStore.connect(folder)) {
            List<String> differences = new ArrayList<>();
            for (int i = 0; i < TABLES; i++) {
                long seed = SEED + i;
                Random random = new Random(seed);
                SampleTable table = SampleTable.random("t" + seed, random, 20 + random.nextInt(60));
                create(connection, table, random.nextInt(table.rows().size()));
                RandomQueries queries = new RandomQueries(random);
                for (int k = 0; k < QUERIES; k++) {
                    compare(connection, table, queries.next(), differences);
                }
                try (Statement statement = connection.createStatement()) {
                    statement.execute("DROP TABLE " + table.name());
                }
            }
            assertThat(differences).as("-Dpenstock.differential.seed=%d", SEED).isEmpty();
        }
    }

    /** Some rows are loaded, the others inserted. */
    private static void create(Connection connection, SampleTable table, int loaded)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(table.ddl());
        }
        try (RowAppender rows =
                connection.unwrap(PenstockConnection.class).bulkLoad(table.name()).appender()) {
            for (@Nullable Object[] row : table.rows().subList(0, loaded)) {
                for (int column = 0; column < row.length; column++) {
                    rows.append(
                            SampleTable.TYPES[column] == SampleTable.SampleType.REAL
                                            && row[column] instanceof Double real
                                    ? (Object) real.floatValue()
                                    : row[column]);
                }
                rows.endRow();
            }
            rows.finish();
        }
        String places = String.join(", ", Collections.nCopies(SampleTable.TYPES.length, "?"));
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO " + table.name() + " VALUES (" + places + ")")) {
            for (@Nullable Object[] row : table.rows().subList(loaded, table.rows().size())) {
                for (int column = 0; column < row.length; column++) {
                    insert.setObject(column + 1, row[column]);
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void compare(
            Connection connection, SampleTable table, Query query, List<String> differences) {
        List<String> expected = new ArrayList<>();
        query.of(table.rows()).forEach(row -> expected.add(text(row)));
        for (String source :
                List.of(
                        table.name(),
                        "(SELECT * FROM " + table.name() + " LIMIT 1000000) AS here")) {
            String sql = query.sql(source);
            List<String> actual = answer(connection, sql);
            if (!query.ordered()) {
                Collections.sort(expected);
                Collections.sort(actual);
            }
            if (!actual.equals(expected)) {
                List<String> more = new ArrayList<>(actual);
                expected.forEach(more::remove);
                List<String> less = new ArrayList<>(expected);
                actual.forEach(less::remove);
                differences.add(
                        "%s%n  of %s: %d rows for %d; too many %s; too few %s"
                                .formatted(
                                        sql,
                                        table.key(),
                                        actual.size(),
                                        expected.size(),
                                        more,
                                        less));
            }
        }
    }

    private static List<String> answer(Connection connection, String sql) {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                @Nullable Object[] row = new Object[columns];
                for (int i = 0; i < columns; i++) {
                    row[i] = plain(result, i + 1);
                }
                rows.add(text(row));
            }
        } catch (SQLException e) {
            rows.add(e.getSQLState() + " " + e.getMessage());
        }
        return rows;
    }

    /** A value in the classes of {@link SampleTable}. */
    private static @Nullable Object plain(ResultSet result, int column) throws SQLException {
        return switch (result.getObject(column)) {
            case null -> null;
            case Float number -> (Object) number.doubleValue();
            case Double number -> number;
            case BigDecimal number -> number;
            case Number number -> BigDecimal.valueOf(number.longValue());
            case Date date -> date.toLocalDate();
            case Time _ -> LocalTime.parse(result.getString(column));
            case Timestamp moment -> moment.toLocalDateTime();
            case Object other -> other;
        };
    }

    /** The same for values that are equal. */
    static String text(@Nullable Object[] row) {
        return Arrays.stream(row)
                .map(value ->
                        switch (value) {
                            case null -> "NULL";
                            case BigDecimal number -> number.stripTrailingZeros().toPlainString();
                            case Double number -> Double.toString(number + 0.0);
                            case String text -> "'" + text + "'";
                            default -> value.toString();
                        })
                .collect(Collectors.joining("|"));
    }
}
