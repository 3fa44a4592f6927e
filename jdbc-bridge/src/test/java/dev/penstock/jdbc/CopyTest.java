package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.loader.LoadReport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringReader;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.zip.GZIPOutputStream;

/** COPY from files, streams, readers and typed rows, on a store in a folder. */
@Timeout(120)
final class CopyTest {
    @TempDir private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = NewStore.connect(folder);
        run(
                "CREATE TABLE sale (id BIGINT NOT NULL, name VARCHAR(20), price DECIMAL(9,2),"
                        + " sold DATE, PRIMARY KEY (id))");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void a_file_is_loaded_as_the_command_does_it() throws SQLException, IOException {
        Path file = file("a.csv", "id|name|price|sold\n1|one|1.50|2026-01-02\n2|\\N|2|\\N\n");
        try (Statement statement = connection.createStatement()) {
            String copy =
                    "COPY sale FROM '"
                            + file
                            + "' WITH (DELIMITER '|', HEADER, NULL '\\N', LABEL 'x')";
            assertThat(statement.execute(copy)).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(2);
            assertThat(statement.getLargeUpdateCount()).isEqualTo(2);
            assertThat(statement.getResultSet()).isNull();
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getUpdateCount()).isEqualTo(-1);
            LoadReport report =
                    statement.unwrap(PenstockStatement.class).loadReport().orElseThrow();
            assertThat(report.rowsLoaded()).isEqualTo(2);
            assertThat(report.label()).isEqualTo("x");
            assertThat(report.text()).contains("sale");
            assertThat(LoadReport.fromJson(report.json())).isEqualTo(report);
            statement.executeQuery("SELECT 1").close();
            assertThat(statement.unwrap(PenstockStatement.class).loadReport()).isEmpty();
        }
        assertThat(rows("SELECT * FROM sale ORDER BY id"))
                .containsExactly("1|one|1.50|2026-01-02", "2|null|2.00|null");
    }

    @Test
    void globs_folders_lists_and_compressed_files_are_understood()
            throws SQLException, IOException {
        Files.createDirectories(folder.resolve("in"));
        file("in/a.csv", "1,one,1,2026-01-02\n");
        file("in/b.csv", "2,two,2,2026-01-02\n");
        Files.write(folder.resolve("c.csv.gz"), gzip("3,three,3,2026-01-02\n"));
        assertThat(run("COPY sale FROM '" + folder + "/in/*.csv', '" + folder + "/c.csv.gz'"))
                .isEqualTo(3);
        run("DELETE FROM sale");
        assertThat(run("COPY sale FROM '" + folder + "/in' WITH (THREADS 1, REGIONS 3)"))
                .isEqualTo(2);
    }

    @Test
    void what_a_folder_has_besides_files_is_a_warning() throws SQLException, IOException {
        Files.createDirectories(folder.resolve("in/more"));
        file("in/a.csv", "1,one,1,2026-01-02\n");
        String in = folder.resolve("in").toString();
        String copy = "COPY sale FROM '" + in + "' WITH (HEADER false)";
        String said =
                "01000 Of %s, a folder is left out: %s/more. What is in them is loaded if they are named, too."
                        .formatted(in, in);
        try (Statement statement = connection.createStatement()) {
            assertThat(warnings(statement)).isEmpty();
            assertThat(statement.executeUpdate(copy)).isOne();
            assertThat(warnings(statement)).containsExactly(said);
            statement.clearWarnings();
            assertThat(warnings(statement)).isEmpty();
            assertThatThrownBy(() -> statement.executeUpdate(copy)).hasMessageContaining("key");
            assertThat(warnings(statement)).containsExactly(said);
            statement.executeQuery("SELECT 1").close();
            assertThat(warnings(statement)).isEmpty();
        }
    }

    private static List<String> warnings(Statement statement) throws SQLException {
        List<String> said = new ArrayList<>();
        SQLWarning next = statement.getWarnings();
        while (next != null) {
            said.add(next.getSQLState() + " " + next.getMessage());
            next = next.getNextWarning();
        }
        return said;
    }

    @Test
    void columns_choose_what_the_fields_fill() throws SQLException, IOException {
        Path file = file("a.csv", "one,x,1\ntwo,y,2\n");
        try (PreparedStatement copy =
                connection.prepareStatement(
                        "COPY sale (name, -, id) FROM '" + file + "' (HEADER false)")) {
            assertThat(copy.executeLargeUpdate()).isEqualTo(2);
            assertThatThrownBy(() -> copy.setInt(1, 1))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState()).isEqualTo("07009"));
        }
        assertThat(rows("SELECT id, name, price FROM sale ORDER BY 1"))
                .containsExactly("1|one|null", "2|two|null");
    }

    @Test
    void rejects_are_counted_and_kept() throws SQLException, IOException {
        Path file = file("a.csv", "1,one,1,2026-01-02\nx,two,2,2026-01-02\n3,three,3,2026-01-03\n");
        Path bad = folder.resolve("bad.csv");
        assertThatThrownBy(() -> run("COPY sale FROM '" + file + "' (HEADER false)"))
                .hasMessageContaining("line 2")
                .hasMessageContaining("id")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22000"));
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("0");
        try (Statement statement = connection.createStatement()) {
            assertThat(
                            statement.executeUpdate(
                                    "COPY sale FROM '"
                                            + file
                                            + "' (HEADER false, MAX_REJECTS 1, REJECTS_FILE '"
                                            + bad
                                            + "')"))
                    .isEqualTo(2);
            assertThat(
                            statement
                                    .unwrap(PenstockStatement.class)
                                    .loadReport()
                                    .orElseThrow()
                                    .rowsRejected())
                    .isEqualTo(1);
        }
        assertThat(Files.readString(bad)).contains("x,two,2,2026-01-02");
    }

    @Test
    void a_stream_and_a_reader_are_loaded_without_being_kept() throws SQLException {
        PenstockConnection penstock = connection.unwrap(PenstockConnection.class);
        int count = 200_000;
        LoadReport report = penstock.bulkLoad("SALE").delimiter('|').from(new Numbers(count)).run();
        assertThat(report.rowsLoaded()).isEqualTo(count);
        assertThat(rows("SELECT count(*), sum(id), min(name) FROM sale"))
                .containsExactly(count + "|" + (count * (count - 1L) / 2) + "|näme");
        assertThat(
                        penstock.copyIn(
                                        "COPY sale (id, name) FROM STDIN WITH (DELIMITER ';')",
                                        new StringReader("-1;grüße 🎉\n-2;\"a;b\"\n"))
                                .rowsLoaded())
                .isEqualTo(2);
        assertThat(rows("SELECT name FROM sale WHERE id < 0 ORDER BY id DESC"))
                .containsExactly("grüße 🎉", "a;b");
        assertThatThrownBy(() -> run("COPY sale FROM STDIN")).hasMessageContaining("copyIn");
        assertThatThrownBy(() ->
                        penstock.copyIn("COPY sale FROM STDIN", new StringReader("-3,\ud83c\n")))
                .isInstanceOf(SQLException.class);
    }

    @Test
    void typed_rows_keep_null_empty_text_quotes_and_line_ends_apart() throws SQLException {
        run(
                "CREATE TABLE typed (i INTEGER, d DOUBLE, b BOOLEAN, n DECIMAL(30,4), t"
                    + " VARCHAR(40), dt DATE, tm TIME, seen TIMESTAMP, raw VARBINARY(8), u UUID)");
        UUID uuid = new UUID(1, 2);
        RowAppender rows = connection.unwrap(PenstockConnection.class).bulkLoad("typed").appender();
        try (rows) {
            rows.append(1)
                    .append(1.5)
                    .append(true)
                    .append(new BigDecimal("12345678901234567890.5"))
                    .append("a \"quoted\",\nline")
                    .append(LocalDate.of(2026, 1, 2))
                    .append(LocalTime.of(3, 4, 5))
                    .append(LocalDateTime.of(2026, 1, 2, 3, 4, 5, 600_000_000))
                    .append(new byte[] {1, (byte) 0xab})
                    .append(uuid)
                    .endRow();
            rows.append(2).append(-0.25f).append(false).append(Long.MIN_VALUE).append("");
            for (int i = 0; i < 5; i++) {
                rows.append((Object) null);
            }
            rows.endRow();
            for (int i = 0; i < 4; i++) {
                rows.appendNull();
            }
            rows.append("\\N");
            for (int i = 0; i < 5; i++) {
                rows.appendNull();
            }
            rows.endRow();
            rows.finish();
        }
        assertThat(rows.report().orElseThrow().rowsLoaded()).isEqualTo(3);
        assertThat(
                        rows(
                                "SELECT i, d, b, n, t, dt, tm, seen, raw, u FROM typed ORDER BY i"
                                        + " NULLS LAST"))
                .containsExactly(
                        "1|1.5|true|12345678901234567890.5000|a \"quoted\",\nline|2026-01-02"
                                + "|03:04:05.000|2026-01-02 03:04:05.600|01ab|"
                                + uuid,
                        "2|-0.25|false|-9223372036854775808.0000||null|null|null|null|null",
                        "null|null|null|null|\\N|null|null|null|null|null");
    }

    @Test
    void an_appender_that_did_not_end_well_leaves_nothing() throws SQLException {
        PenstockConnection penstock = connection.unwrap(PenstockConnection.class);
        RowAppender half = penstock.bulkLoad("sale").columns("id", "name").appender();
        half.append(1).append("one").endRow().append(2);
        assertThatThrownBy(half::finish).hasMessageContaining("fewer values than the 2 columns");
        RowAppender wide = penstock.bulkLoad("sale").columns("id", "name").appender();
        wide.append(1).append("one");
        assertThatThrownBy(() -> wide.append(3)).hasMessageContaining("more values");
        assertThatThrownBy(wide::finish).hasMessageContaining("a call before failed");
        wide.close();
        RowAppender wrong = penstock.bulkLoad("sale").columns("id", "name").appender();
        wrong.append("no number").append("one").endRow();
        assertThatThrownBy(wrong::finish)
                .hasMessageContaining("no number")
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22000"));
        RowAppender cancelled = penstock.bulkLoad("sale").columns("id").appender();
        cancelled.append(7).endRow();
        cancelled.cancel();
        assertThatThrownBy(cancelled::finish)
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("0");
    }

    @Test
    void an_appender_closed_without_finish_leaves_nothing() throws SQLException {
        PenstockConnection penstock = connection.unwrap(PenstockConnection.class);
        assertThatThrownBy(
                        () -> {
                            try (RowAppender rows =
                                    penstock.bulkLoad("sale").columns("id").appender()) {
                                for (int i = 0; i < 50_000; i++) {
                                    rows.append(i).endRow();
                                    if (i == 49_000) {
                                        throw new IllegalStateException("of the caller");
                                    }
                                }
                                rows.finish();
                            }
                        })
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("of the caller");
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("0");
        RowAppender done = penstock.bulkLoad("sale").columns("id").appender();
        assertThat(done.append(1).endRow().finish().rowsLoaded()).isEqualTo(1);
        done.close();
        assertThatThrownBy(done::finish).hasMessageContaining("closed");
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("1");
    }

    @Test
    void a_broken_file_and_a_wrong_value_are_said_in_one_sentence() throws Exception {
        Path broken = folder.resolve("broken.csv.gz");
        byte[] whole = gzip("1,one,1,2026-01-02\n".repeat(100_000));
        Files.write(broken, Arrays.copyOf(whole, whole.length / 2));
        assertRefused(
                "COPY sale FROM '" + broken + "' (HEADER false)",
                "58030",
                "The compressed file " + broken + " is damaged or cut off");
        Path wrong = file("wrong.csv", "1,one,1,2026-01-02\n2,two,many,2026-01-02\n");
        assertRefused(
                "COPY sale FROM '" + wrong + "' (HEADER false)",
                "22000",
                wrong + ", line 2 (byte 19), column price: value 'many'");
        Path title = file("title.csv", "1\u001b]0;x\u0007,one,1,2026-01-02\n");
        assertRefused(
                "COPY sale FROM '" + title + "' (HEADER false)",
                "22000",
                "column id: value '1\\u001b]0;x\\u0007'");
        assertRefused("COPY sale FROM '" + folder + "/none'", "42000", "There is no file");
        assertRefused("COPY nowhere FROM '" + wrong + "'", "42P01", "there is no table nowhere");
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("0");
    }

    @Test
    void a_copy_that_broke_off_goes_on_and_gives_the_same_rows() throws Exception {
        assumeTrue(Files.isWritable(Path.of("/dev/full")), "skipped: there is no /dev/full");
        Path file = folder.resolve("sales.csv.gz");
        Files.write(file, gzip("id,name,price,sold\n" + numbered(0, 80_000)));
        String copy =
                "COPY sale FROM '"
                        + file
                        + "' WITH (HEADER, THREADS 1, SAMPLES 100, CHUNK_SIZE '64KiB', LABEL"
                        + " 'night', RESUME";
        String noRoom = ", REJECTS '/dev/full')"; // Not even for the header.
        assertRefused(copy + noRoom, "58030", "/dev/full could not be written");
        assertRefused(copy + " true" + noRoom, "58030", "the same command goes on with it");
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("0");
        assertThat(rows("SELECT DISTINCT state FROM penstock_loads WHERE label = 'night'"))
                .containsExactly("UNFINISHED");
        assertThat(run(copy + ")")).isEqualTo(80_000);
        assertThat(run(copy + ")")).isEqualTo(80_000);
        assertThat(rows("SELECT count(*), count(DISTINCT load_id) FROM penstock_loads"))
                .containsExactly("4|1");
        run(
                "CREATE TABLE plain (id BIGINT NOT NULL, name VARCHAR(20), price DECIMAL(9,2),"
                        + " sold DATE, PRIMARY KEY (id))");
        run("COPY plain FROM '" + file + "' WITH (HEADER)");
        assertThat(rows("SELECT count(*) FROM (SELECT * FROM sale EXCEPT SELECT * FROM plain)"))
                .containsExactly("0");
        assertThat(rows("SELECT count(*), sum(id), sum(price) FROM sale"))
                .isEqualTo(rows("SELECT count(*), sum(id), sum(price) FROM plain"));
    }

    private static String numbered(int from, int to) {
        SplittableRandom random = new SplittableRandom(to);
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i).append(",n").append(random.nextLong(1L << 50)).append(',');
            text.append(random.nextInt(100_000)).append(".25,2026-01-02\n");
        }
        return text.toString();
    }

    private void assertRefused(String sql, String state, String words) {
        assertThatThrownBy(() -> run(sql))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> {
                            assertThat(e.getSQLState()).isEqualTo(state);
                            assertThat(e.getMessage()).contains(words).doesNotContain("\n");
                        });
    }

    @Test
    void a_copy_from_a_named_pipe_can_be_cancelled_while_it_waits() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        String copy = "COPY sale FROM '" + pipe + "' (HEADER false)";
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeUpdate(copy))
                    .isInstanceOf(SQLTimeoutException.class);
        }
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("0");
        Path other = folder.resolve("other");
        assertThat(new ProcessBuilder("mkfifo", other.toString()).start().waitFor()).isZero();
        CompletableFuture<Long> count =
                async(() -> run("COPY sale FROM '" + other + "' (HEADER false)"));
        try (OutputStream out = Files.newOutputStream(other)) {
            out.write(
                    "1,one,1.5,2026-01-02\n2,two,1.5,2026-01-02\n"
                            .getBytes(StandardCharsets.UTF_8));
        }
        assertThat(count.get()).isEqualTo(2);
    }

    @Test
    void what_a_load_read_from_is_not_kept_when_it_has_ended() throws Exception {
        PenstockConnection penstock = connection.unwrap(PenstockConnection.class);
        InputStream input =
                new ByteArrayInputStream("1,one,1,2026-01-02\n".getBytes(StandardCharsets.UTF_8));
        ReferenceQueue<InputStream> gone = new ReferenceQueue<>();
        PhantomReference<InputStream> watched = new PhantomReference<>(input, gone);
        penstock.bulkLoad("sale").label("kept").header(false).from(input).run();
        input = InputStream.nullInputStream();
        Reference<? extends InputStream> found = null;
        for (int i = 0; i < 100 && found == null; i++) {
            System.gc();
            found = gone.remove(100);
        }
        assertThat(found).isSameAs(watched);
        assertThat(input.available()).isZero();
        assertThat(rows("SELECT state, row_count FROM penstock_loads WHERE label = 'kept'"))
                .containsExactly("PUBLISHED|1");
    }

    @Test
    void many_typed_rows_arrive() throws SQLException {
        try (RowAppender rows =
                connection.unwrap(PenstockConnection.class).bulkLoad("sale").appender()) {
            for (int i = 0; i < 150_000; i++) {
                rows.append(i).append("name " + i % 100).append(i % 1000).appendNull().endRow();
            }
            rows.finish();
        }
        assertThat(rows("SELECT count(*), sum(price), count(sold) FROM sale"))
                .containsExactly("150000|74925000.00|0");
    }

    @Test
    void a_cancelled_copy_leaves_nothing() throws Exception {
        Silent silent = new Silent();
        TableLoad load = connection.unwrap(PenstockConnection.class).bulkLoad("sale").from(silent);
        CompletableFuture<LoadReport> report = async(load::run);
        silent.asked.await();
        assertThat(rows("SELECT state FROM penstock_loads")).contains("RUNNING");
        load.cancel();
        assertCancelled(report);
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("0");
        assertThat(rows("SELECT state FROM penstock_loads")).contains("CANCELLED");
    }

    @Test
    void a_closed_connection_stops_its_loads() throws Exception {
        Silent silent = new Silent();
        PenstockConnection other =
                DriverManager.getConnection("jdbc:penstock:" + folder.resolve("store"))
                        .unwrap(PenstockConnection.class);
        TableLoad load = other.bulkLoad("sale").from(silent);
        CompletableFuture<LoadReport> report = async(load::run);
        silent.asked.await();
        other.close();
        assertCancelled(report);
        assertThat(rows("SELECT count(*) FROM sale")).containsExactly("0");
    }

    @Test
    void a_copy_has_a_query_timeout_and_can_be_cancelled() throws Exception {
        run("CREATE TABLE pile (a INTEGER, b VARCHAR(20))");
        Path file = folder.resolve("pile.csv.gz");
        byte[] part = gzip("1,one and only\n".repeat(1_000_000));
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int i = 0; i < 60; i++) {
                out.write(part);
            }
        }
        String copy = "COPY pile FROM '" + file + "' (HEADER false)";
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.executeUpdate(copy))
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining("query timeout");
            statement.setQueryTimeout(0);
            CompletableFuture<Integer> count = async(() -> statement.executeUpdate(copy));
            while (!rows("SELECT count(*) FROM penstock_loads WHERE phase = 'LOAD' AND state ="
                            + " 'RUNNING'")
                    .equals(List.of("1"))) {
                Thread.onSpinWait();
            }
            statement.cancel();
            assertCancelled(count);
        }
        assertThat(rows("SELECT count(*) FROM pile")).containsExactly("0");
    }

    @Test
    void loads_are_listed_with_what_they_did() throws SQLException, IOException {
        Path file = file("a.csv", "1,one,1,2026-01-02\n2,two,2,2026-01-02\n");
        run("COPY sale FROM '" + file + "' (HEADER false, LABEL 'first')");
        assertThatThrownBy(() -> run("COPY sale FROM '" + file + "' (HEADER false, LABEL 'again')"))
                .isInstanceOf(SQLException.class);
        assertThat(
                        rows(
                                "SELECT table_name, label, state, row_count, input_bytes > 0,"
                                    + " mb_per_second > 0, started > TIMESTAMP '2026-01-01"
                                    + " 00:00:00', rejects, epoch IS NOT NULL FROM penstock_loads"
                                    + " WHERE label <> '' ORDER BY started"))
                .satisfiesExactly(
                        row ->
                                assertThat(row)
                                        .startsWith("sale|first|PUBLISHED|2|true|true|true|0|true"),
                        row -> assertThat(row).startsWith("sale|again|FAILED|"));
        assertThat(rows("SELECT phase FROM penstock_loads WHERE label = 'first'"))
                .containsExactly("PUBLISH");
    }

    private static void assertCancelled(CompletableFuture<?> load) {
        assertThatThrownBy(load::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"))
                .hasMessageContaining("nothing of its load is visible");
    }

    private interface Work<T> {
        T run() throws SQLException;
    }

    private static <T> CompletableFuture<T> async(Work<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        result.complete(work.run());
                    } catch (SQLException | RuntimeException e) {
                        result.completeExceptionally(e);
                    }
                });
        return result;
    }

    /** A stream of which nothing ever comes. */
    private static final class Silent extends InputStream {
        private final CountDownLatch asked = new CountDownLatch(1);

        @Override
        public int read() throws IOException {
            return read(new byte[1], 0, 1);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            asked.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return -1;
        }
    }

    /** Rows made while they are read. */
    private static final class Numbers extends InputStream {
        private final int count;
        private int next;
        private InputStream line = InputStream.nullInputStream();

        Numbers(int count) {
            this.count = count;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int read = line.read(target, offset, length);
            while (read < 0 && next < count) {
                String text = next++ + "|näme|1.25|2026-01-02\n";
                line = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
                read = line.read(target, offset, length);
            }
            return read;
        }
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private long run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeLargeUpdate(sql);
        }
    }

    private List<String> rows(String sql) throws SQLException {
        return Answers.rows(connection, sql);
    }
}
