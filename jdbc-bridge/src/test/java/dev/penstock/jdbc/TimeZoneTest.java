package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.Calendar;
import java.util.TimeZone;

/**
 * Dates and times are what they read as in the zone of the process, whichever way they go. Each
 * zone has a process of its own, since libraries keep the zone that they see first.
 */
final class TimeZoneTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, 2026-07-02, 23:04:05",
        "Europe/Berlin, 2026-01-02, 00:04:05",
        "America/Los_Angeles, 2026-07-02, 20:04:05",
        "Asia/Kolkata, 1969-12-31, 00:00:01"
    })
    void what_is_written_is_read(String zone, String day, String hour) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Duser.timezone=" + zone,
                                "-XX:TieredStopAtLevel=1",
                                "--add-modules=jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                                "-cp",
                                ServerChild.classPath(),
                                Child.class.getName(),
                                folder.resolve("store").toString(),
                                day,
                                hour)
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        String moment = day + "|" + hour + "|" + day + " " + hour + ".0|" + day + " " + hour;
        assertThat(output.lines().filter(line -> line.contains("|")))
                .containsExactly(
                        "batched|" + moment,
                        "date|" + moment,
                        "instant|" + moment,
                        "literal|" + moment,
                        "rows|" + moment,
                        "single|" + moment,
                        "updated|" + moment);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO moments (d, t, dt, id) VALUES (?, ?, ?, ?)",
                "UPSERT INTO moments (d, t, dt, id) VALUES (?, ?, ?, ?)",
                "UPDATE moments SET d = ?, t = ?, dt = ? WHERE id = ?"
            })
    void what_a_calendar_of_another_zone_says_is_stored(String sql) throws SQLException {
        Calendar calendar = calendarOfAnotherZone();
        try (Connection connection = NewStore.connect(folder);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE moments (id INTEGER NOT NULL, d DATE, t TIME, dt TIMESTAMP,"
                            + " PRIMARY KEY (id))");
            for (boolean batch : new boolean[] {false, true}) {
                statement.execute("DELETE FROM moments");
                if (sql.startsWith("UPDATE")) {
                    statement.execute("INSERT INTO moments (id) VALUES (1)");
                }
                try (PreparedStatement write = connection.prepareStatement(sql)) {
                    write.setDate(1, new Date(at("2026-07-01T00:00")), calendar);
                    write.setTime(2, new Time(at("1970-01-01T23:04:05")), calendar);
                    write.setTimestamp(3, new Timestamp(at("2026-07-02T23:04:05")), calendar);
                    write.setInt(4, 1);
                    if (batch) {
                        write.addBatch();
                        assertThat(write.executeBatch()).containsExactly(1);
                    } else {
                        assertThat(write.executeUpdate()).isOne();
                    }
                }
                assertThat(Answers.rows(connection, "SELECT d, t, dt FROM moments"))
                        .containsExactly("2026-07-01|23:04:05.000|2026-07-02 23:04:05.000");
                assertRead(statement, calendar);
            }
        }
    }

    private static void assertRead(Statement statement, Calendar calendar) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT d, t, dt FROM moments")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getDate(1, calendar)).hasTime(at("2026-07-01T00:00"));
            assertThat(row.getTime(2, calendar)).hasTime(at("1970-01-01T23:04:05"));
            assertThat(row.getTimestamp(3, calendar)).hasTime(at("2026-07-02T23:04:05"));
        }
    }

    @Test
    void a_calendar_keeps_the_microseconds_of_a_timestamp() throws SQLException {
        Timestamp moment = new Timestamp(at("2026-07-02T23:04:05"));
        moment.setNanos(123_456_000);
        try (Connection connection = NewStore.connect(folder);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE moments (dt TIMESTAMP)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO moments VALUES (?)")) {
                insert.setTimestamp(1, moment, calendarOfAnotherZone());
                insert.executeUpdate();
            }
            Table table = connection.unwrap(PenstockConnection.class).store().table("moments");
            try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
                ColumnBatch batch = scan.newBatch();
                assertThat(scan.next(batch)).isTrue();
                assertThat(batch.longs(0).values()[0] % 1_000_000).isEqualTo(123_456);
            }
        }
    }

    /** Of a zone where the day is another one than here for much of the time. */
    private static Calendar calendarOfAnotherZone() {
        boolean ahead = TimeZone.getDefault().getRawOffset() > 0;
        return Calendar.getInstance(
                TimeZone.getTimeZone(ahead ? "America/Los_Angeles" : "Asia/Tokyo"));
    }

    /** The milliseconds of what a clock shows in that zone. */
    private static long at(String text) {
        return LocalDateTime.parse(text)
                .atZone(calendarOfAnotherZone().getTimeZone().toZoneId())
                .toInstant()
                .toEpochMilli();
    }

    /** Runs in the process of a zone. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws SQLException {
            String day = args[1];
            String hour = args[2];
            try (Connection connection =
                    DriverManager.getConnection("jdbc:penstock:" + args[0] + "?create=true")) {
                write(connection, day, hour);
                try (PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT way, d, t, dt FROM moments WHERE dt = ? AND d = ? AND t = ?"
                                        + " ORDER BY way")) {
                    query.setTimestamp(1, Timestamp.valueOf(day + " " + hour));
                    query.setDate(2, Date.valueOf(day));
                    query.setTime(3, Time.valueOf(hour));
                    print(query);
                }
            }
        }

        private static void print(PreparedStatement query) throws SQLException {
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    System.out.println(
                            row.getString(1)
                                    + "|"
                                    + row.getDate(2)
                                    + "|"
                                    + row.getTime(3)
                                    + "|"
                                    + row.getTimestamp(4)
                                    + "|"
                                    + row.getString(4).substring(0, 19));
                }
            }
        }
    }

    @SuppressWarnings("JavaUtilDate") // what JDBC takes
    private static void write(Connection connection, String day, String hour) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE moments (way VARCHAR(8) NOT NULL, d DATE, t TIME, dt TIMESTAMP,"
                            + " PRIMARY KEY (way))");
            statement.execute(
                    "INSERT INTO moments VALUES ('literal', DATE '%1$s', TIME '%2$s', TIMESTAMP '%1$s %2$s'), ('updated', NULL, NULL, NULL)"
                            .formatted(day, hour));
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO moments VALUES (?, ?, ?, ?)")) {
            insert.setString(1, "single");
            set(insert, 2, day, hour);
            insert.executeUpdate();
            insert.setString(1, "batched");
            insert.addBatch();
            Timestamp moment = Timestamp.valueOf(day + " " + hour);
            insert.setString(1, "instant");
            insert.setObject(4, moment.toInstant());
            insert.addBatch();
            insert.setString(1, "date");
            insert.setObject(4, new java.util.Date(moment.getTime()));
            insert.addBatch();
            insert.executeBatch();
            try (RowAppender rows =
                    connection.unwrap(PenstockConnection.class).bulkLoad("moments").appender()) {
                rows.append("rows").append(Date.valueOf(day)).append(Time.valueOf(hour));
                rows.append(moment.toInstant()).endRow().finish();
            }
        }
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE moments SET d = ?, t = ?, dt = ? WHERE way = 'updated'")) {
            set(update, 1, day, hour);
            update.executeUpdate();
        }
    }

    private static void set(PreparedStatement statement, int first, String day, String hour)
            throws SQLException {
        statement.setDate(first, Date.valueOf(day));
        statement.setTime(first + 1, Time.valueOf(hour));
        statement.setTimestamp(first + 2, Timestamp.valueOf(day + " " + hour));
    }
}
