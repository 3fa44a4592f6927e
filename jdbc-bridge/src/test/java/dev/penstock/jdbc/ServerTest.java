package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.dialect.Dialect;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.security.CertificateAuthority;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.security.TlsFiles;
import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.kv.server.ServeOptions;
import dev.penstock.loader.LoadReport;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The driver against a region server: the same as in a folder, and what is said when it is gone.
 */
@Timeout(180)
final class ServerTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // started before each test
    private RegionServerProcess server;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void start() throws SQLException {
        server = RegionServerProcess.start(ServeOptions.of(folder.resolve("data"), "127.0.0.1:0"));
        connection = connect();
        run("CREATE TABLE sale (id BIGINT NOT NULL, name VARCHAR(20), PRIMARY KEY (id))");
    }

    @AfterEach
    void stop() throws SQLException {
        connection.close();
        server.close();
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:penstock://" + server.address() + "/");
    }

    @Test
    void files_streams_rows_and_batches_go_to_the_server() throws SQLException, IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "id,name\n1,one\n2,two\n");
        assertThat(run("COPY sale FROM '" + file + "' WITH (HEADER, LABEL 'file')")).isEqualTo(2);
        PenstockConnection penstock = connection.unwrap(PenstockConnection.class);
        LoadReport report =
                penstock.bulkLoad("sale").delimiter(',').from(new Endless(50_000, null)).run();
        assertThat(report.rowsLoaded()).isEqualTo(50_000);
        assertThat(report.bytesSent()).isPositive();
        try (RowAppender rows = penstock.bulkLoad("sale").label("rows").appender()) {
            rows.append(3).append("three").endRow().append(4).appendNull().endRow();
            rows.finish();
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO sale VALUES (?, ?)")) {
            for (int i = 0; i < 10; i++) {
                insert.setInt(1, -i);
                insert.setString(2, "minus " + i);
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).hasSize(10);
        }
        try (Connection other = connect();
                Statement statement = other.createStatement()) {
            assertThat(number(statement, "SELECT count(*) FROM sale")).isEqualTo(50_014);
            assertThat(
                            number(
                                    statement,
                                    "SELECT sum(a.id) FROM sale a JOIN sale b ON a.id = b.id"
                                            + " WHERE a.id < 10 AND b.name <> 'one'"))
                    .isEqualTo(2 + 3 - 45);
            assertThat(
                            number(
                                    statement,
                                    "SELECT sum(row_count) FROM penstock_loads WHERE state ="
                                            + " 'PUBLISHED' AND label <> ''"))
                    .isEqualTo(4);
        }
        assertThat(run("DROP TABLE sale")).isZero();
    }

    @Test
    void an_update_moves_rows_of_the_server() throws SQLException {
        run("INSERT INTO sale VALUES (1, 'a'), (2, 'b')");
        assertThat(run("UPDATE sale SET id = id + 1")).isEqualTo(2);
        assertThatThrownBy(() -> run("UPDATE sale SET id = 3 WHERE name = 'a'"))
                .hasMessageContaining("(id=3)");
        assertThat(Answers.rows(connection, "SELECT * FROM sale ORDER BY id"))
                .containsExactly("2|a", "3|b");
    }

    @Test
    void many_rows_of_a_statement_go_to_the_server_as_a_load() throws Exception {
        connection
                .unwrap(PenstockConnection.class)
                .bulkLoad("sale")
                .delimiter(',')
                .from(new Endless(10_000, null))
                .run();
        run("CREATE TABLE log (id BIGINT, name VARCHAR(20))");
        assertThat(run("INSERT INTO log SELECT * FROM sale")).isEqualTo(10_000);
        assertThat(run("INSERT INTO log SELECT * FROM sale")).isEqualTo(10_000);
        assertThat(run("UPDATE sale SET name = 'old'")).isEqualTo(10_000);
        assertThatThrownBy(() -> run("INSERT INTO sale SELECT * FROM sale"))
                .hasMessageContaining("has a row with key (id=100) already");
        assertThat(
                        Answers.rows(
                                connection,
                                "SELECT table_name, state, row_count FROM penstock_loads"))
                .containsExactlyInAnyOrder(
                        "sale|PUBLISHED|10000",
                        "log|PUBLISHED|10000",
                        "log|PUBLISHED|10000",
                        "sale|PUBLISHED|10000");
        assertThat(Answers.rows(connection, "SELECT count(*), sum(id), max(name) FROM log"))
                .containsExactly("20000|101990000|name 9999");
        assertThat(Answers.rows(connection, "SELECT name, count(*) FROM sale GROUP BY name"))
                .containsExactly("old|10000");
    }

    @Test
    void a_server_that_goes_away_is_named_and_leaves_nothing_of_a_load() throws Exception {
        String address = server.address();
        TableLoad load =
                connection
                        .unwrap(PenstockConnection.class)
                        .bulkLoad("sale")
                        .delimiter(',')
                        .from(new Endless(400_000, server::close));
        SQLException failure = catchThrowableOfType(SQLException.class, load::run);
        assertThat(failure.getSQLState()).as(failure.toString()).startsWith("08");
        assertThat(failure.getMessage()).doesNotContain("\n").contains(address);
        failure = catchThrowableOfType(SQLException.class, () -> run("DELETE FROM sale"));
        assertThat(failure.getSQLState()).as(failure.toString()).startsWith("08");
        assertThat(failure.getMessage()).doesNotContain("\n").contains(address);
        failure =
                catchThrowableOfType(
                        SQLException.class, () -> run("CREATE TABLE other (a INTEGER)"));
        assertThat(failure.getSQLState()).as(failure.toString()).startsWith("08");
        server = RegionServerProcess.start(ServeOptions.of(folder.resolve("data"), address));
        try (Connection again = connect();
                Statement statement = again.createStatement()) {
            assertThat(number(statement, "SELECT count(*) FROM sale")).isZero();
        }
    }

    @Test
    void with_roles_the_loads_of_readable_tables_are_shown() throws Exception {
        Path keys = folder.resolve("keys");
        Instant now = Instant.now();
        Duration day = Duration.ofDays(1);
        CertificateAuthority authority = CertificateAuthority.create(keys, now, day);
        authority.issueServer(keys, "db", List.of("localhost"), now, day);
        authority.issueClient(keys, "owner", now, day);
        authority.issueClient(keys, "reader", now, day);
        Path rules =
                Files.writeString(
                        keys.resolve("access"),
                        "grant admin on a, b to owner\ngrant read on a to reader\n");
        ServerSecurity security =
                new ServerSecurity(
                        TlsFiles.of(
                                keys.resolve("ca.crt"),
                                keys.resolve("db.crt"),
                                keys.resolve("db.key")),
                        Optional.of(rules),
                        false);
        try (RegionServerProcess secured =
                        RegionServerProcess.start(
                                ServeOptions.of(folder.resolve("secured"), "localhost:0")
                                        .withSecurity(security));
                // Under another name of the store, so that this process knows no loads of it.
                Connection owner = connect(secured.address() + ",localhost:1", keys, "owner");
                Connection reader = connect(secured.address(), keys, "reader")) {
            Path file = Files.writeString(folder.resolve("a.csv"), "1\n2\n");
            try (Statement statement = owner.createStatement()) {
                for (String table : List.of("a", "b")) {
                    statement.execute("CREATE TABLE " + table + " (id BIGINT, PRIMARY KEY (id))");
                    statement.execute("COPY " + table + " FROM '" + file + "'");
                }
            }
            try (Statement statement = reader.createStatement();
                    ResultSet loads =
                            statement.executeQuery(
                                    "SELECT table_name, state, row_count FROM penstock_loads")) {
                List<String> shown = new ArrayList<>();
                while (loads.next()) {
                    shown.add(
                            loads.getString(1) + " " + loads.getString(2) + " " + loads.getLong(3));
                }
                assertThat(shown).containsExactly("a PUBLISHED 2");
            }
        }
    }

    @Test
    void a_load_of_another_process_runs_while_a_loader_works_on_it() throws SQLException {
        try (Penstock other = Penstock.connect(server.address())) {
            MetadataService leader = other.cluster().metadata();
            LoadRequest request =
                    LoadRequest.intoExisting(
                                    "sale",
                                    "night",
                                    DuplicatePolicy.ERROR,
                                    Dialect.csv(),
                                    List.of(0, 1),
                                    List.of("a.csv"),
                                    false)
                            .withPlan("a plan");
            String loadId = leader.beginLoad(request).loadId();
            assertThat(stateOfOnlyLoad()).isEqualTo("RUNNING");
            leader.releaseLoad(loadId, MetadataService.FIRST_LOADER);
            assertThat(stateOfOnlyLoad()).isEqualTo("UNFINISHED");
            leader.resumeLoad(loadId, 2);
            assertThat(stateOfOnlyLoad()).isEqualTo("RUNNING");
            leader.abort(loadId);
        }
    }

    private String stateOfOnlyLoad() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet loads = statement.executeQuery("SELECT state FROM penstock_loads")) {
            assertThat(loads.next()).isTrue();
            String state = loads.getString(1);
            assertThat(loads.next()).isFalse();
            return state;
        }
    }

    private static Connection connect(String address, Path keys, String name) throws SQLException {
        Properties files = new Properties();
        files.setProperty("tlsCa", keys.resolve("ca.crt").toString());
        files.setProperty("tlsCert", keys.resolve(name + ".crt").toString());
        files.setProperty("tlsKey", keys.resolve(name + ".key").toString());
        return DriverManager.getConnection("jdbc:penstock://" + address + "/", files);
    }

    private long run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeLargeUpdate(sql);
        }
    }

    private static long number(Statement statement, String sql) throws SQLException {
        try (ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    /** Rows made while they are read; something may happen in the middle. */
    private static final class Endless extends InputStream {
        private final int count;
        private final @Nullable Runnable middle;
        private byte[] lines = new byte[0];
        private int at;
        private int next;

        Endless(int count, @Nullable Runnable middle) {
            this.count = count;
            this.middle = middle;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (at == lines.length) {
                if (next >= count) {
                    return -1;
                }
                if (middle != null && next <= count / 2 && next + 1000 > count / 2) {
                    middle.run();
                }
                StringBuilder text = new StringBuilder();
                for (int end = next + 1000; next < end; next++) {
                    text.append(next + 100).append(",name ").append(next).append('\n');
                }
                lines = text.toString().getBytes(StandardCharsets.UTF_8);
                at = 0;
            }
            int read = Math.min(length, lines.length - at);
            System.arraycopy(lines, at, target, offset, read);
            at += read;
            return read;
        }
    }
}
