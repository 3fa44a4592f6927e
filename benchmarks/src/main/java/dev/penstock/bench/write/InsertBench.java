package dev.penstock.bench.write;

import dev.penstock.bench.contender.MariaDbServer;
import dev.penstock.bench.contender.WorkFolder;
import dev.penstock.bench.read.Server;
import dev.penstock.loader.report.TextTable;

import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Rows per second over JDBC into a table with a key, durable when acknowledged: single INSERTs,
 * batches of INSERTs, COPY (MariaDB: LOAD DATA LOCAL INFILE, one file a thread), and the fastest
 * way for rows in memory (Penstock: {@code Table.put}; MariaDB: INSERT with a thousand VALUES).
 * Both servers run in processes of their own on loopback and take turns; every run begins with an
 * empty table and must have stored every row.
 *
 * <pre>
 *   InsertBench [ROUNDS [SINGLE_ROWS [BULK_ROWS [THREADS,THREADS... [WAY,WAY...]]]]]
 * </pre>
 */
public final class InsertBench {
    static final String TABLE = "entry";

    private static final int BATCH_ROWS = 1000;
    private static final int FILES = 8;

    /** Ids of a thread's rows begin at multiples of this. */
    private static final long PER_THREAD = 1L << 32;

    /** How rows are written. */
    private enum Way {
        SINGLE,
        BATCH,
        BULK,
        COPY
    }

    /** What a thread does. */
    @FunctionalInterface
    interface Work {
        void run(int thread) throws Exception;
    }

    private final Path folder;
    private final List<Way> ways;
    private final long singleRows;
    private final long bulkRows;

    private InsertBench(Path folder, List<Way> ways, long singleRows, long bulkRows) {
        this.folder = folder;
        this.ways = ways;
        this.singleRows = singleRows;
        this.bulkRows = bulkRows;
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = (int) number(arguments, 0, 5);
        long single = number(arguments, 1, 4_000);
        long bulk = number(arguments, 2, 1_000_000);
        int[] threads =
                Arrays.stream((arguments.length > 3 ? arguments[3] : "1,2,4,8").split(","))
                        .mapToInt(Integer::parseInt)
                        .toArray();
        List<Way> ways =
                arguments.length > 4
                        ? Arrays.stream(arguments[4].split(",")).map(Way::valueOf).toList()
                        : List.of(Way.values());
        WorkFolder work = WorkFolder.create("penstock-insert-");
        Path folder = work.path();
        List<AutoCloseable> servers = new ArrayList<>();
        try {
            List<Side> sides = new ArrayList<>();
            Server penstock = Server.start(folder.resolve("penstock"), "");
            servers.add(penstock);
            sides.add(new PenstockSide(penstock.address()));
            var obstacle = MariaDbServer.obstacle();
            if (obstacle.isEmpty()) {
                MariaDbServer mariaDb = MariaDbServer.start(folder.resolve("mariadb"));
                servers.add(mariaDb);
                sides.add(new MariaDbSide(mariaDb.url()));
            } else {
                System.out.println("without MariaDB: " + obstacle.get());
            }
            new InsertBench(folder, ways, single, bulk).run(sides, rounds, threads);
        } finally {
            for (AutoCloseable server : servers.reversed()) {
                server.close();
            }
            work.close();
        }
    }

    private static long number(String[] arguments, int index, long absent) {
        return arguments.length > index ? Long.parseLong(arguments[index]) : absent;
    }

    private void run(List<Side> sides, int rounds, int[] threads) throws Exception {
        List<Path> files = writeFiles();
        TreeMap<String, List<Double>> speeds = new TreeMap<>();
        // The first round warms up and is not counted.
        for (int round = 0; round <= rounds; round++) {
            for (Way way : ways) {
                for (int count : threads) {
                    for (Side side : sides) {
                        double speed = measure(side, way, count, files);
                        if (round > 0) {
                            speeds.computeIfAbsent(name(side, way, count), _ -> new ArrayList<>())
                                    .add(speed);
                        }
                    }
                }
            }
        }
        print(sides, threads, speeds);
    }

    private static String name(Side side, Way way, int threads) {
        return side.name() + way + threads;
    }

    private void print(List<Side> sides, int[] threads, Map<String, List<Double>> speeds) {
        List<String> header = new ArrayList<>(List.of("rows/s, medians", "threads"));
        sides.forEach(side -> header.add(side.name()));
        TextTable table =
                new TextTable("lr" + "r".repeat(sides.size()), header.toArray(String[]::new));
        for (Way way : ways) {
            for (int count : threads) {
                List<String> row = new ArrayList<>(List.of(way.name(), Integer.toString(count)));
                for (Side side : sides) {
                    List<Double> sorted =
                            speeds.getOrDefault(name(side, way, count), List.of()).stream()
                                    .sorted()
                                    .toList();
                    row.add(String.format(Locale.ROOT, "%,.0f", sorted.get(sorted.size() / 2)));
                }
                table.row(row.toArray(String[]::new));
            }
        }
        table.lines("").forEach(System.out::println);
    }

    /** Rows per second. */
    private double measure(Side side, Way way, int threads, List<Path> files) throws Exception {
        try (Connection connection = side.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + TABLE);
            statement.execute(
                    "CREATE TABLE "
                            + TABLE
                            + " (id BIGINT NOT NULL, name VARCHAR(40) NOT NULL, price DECIMAL(9,2)"
                            + " NOT NULL, PRIMARY KEY (id))");
            long rows = (way == Way.SINGLE ? singleRows : bulkRows) / threads;
            List<Connection> connections = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                connections.add(side.connect());
            }
            long start = System.nanoTime();
            if (way == Way.COPY) {
                side.copy(files, threads);
            } else {
                each(threads, thread -> write(side, way, connections.get(thread), thread, rows));
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            for (Connection each : connections) {
                each.close();
            }
            long expected = way == Way.COPY ? bulkRows / FILES * FILES : rows * threads;
            try (ResultSet count = statement.executeQuery("SELECT count(*) FROM " + TABLE)) {
                if (!count.next() || count.getLong(1) != expected) {
                    throw new IllegalStateException(
                            side.name() + " does not hold " + expected + " rows after " + way);
                }
            }
            return expected / seconds;
        }
    }

    private static void write(Side side, Way way, Connection connection, int thread, long rows)
            throws SQLException {
        long first = thread * PER_THREAD;
        if (way == Way.BULK) {
            side.bulk(connection, first, first + rows);
            return;
        }
        boolean batched = way == Way.BATCH;
        boolean transactions = batched && connection.getMetaData().supportsTransactions();
        if (transactions) {
            connection.setAutoCommit(false);
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + TABLE + " VALUES (?, ?, ?)")) {
            for (long id = first; id < first + rows; id++) {
                set(insert, 0, id);
                if (!batched) {
                    insert.executeUpdate();
                } else {
                    insert.addBatch();
                    if ((id - first + 1) % BATCH_ROWS == 0 || id + 1 == first + rows) {
                        insert.executeBatch();
                        if (transactions) {
                            connection.commit();
                        }
                    }
                }
            }
        }
    }

    /** Sets the parameters of a row; the first is {@code before + 1}. */
    static void set(PreparedStatement insert, int before, long id) throws SQLException {
        insert.setLong(before + 1, id);
        insert.setString(before + 2, text(id));
        insert.setBigDecimal(before + 3, BigDecimal.valueOf(cents(id), 2));
    }

    static String text(long id) {
        return "name of entry " + Long.toString(id * 0x9E3779B97F4A7C15L, 36);
    }

    static long cents(long id) {
        return (id * 7919) % 100_000_000;
    }

    private List<Path> writeFiles() throws IOException {
        List<Path> files = new ArrayList<>();
        long rows = bulkRows / FILES;
        for (int file = 0; file < FILES; file++) {
            Path path = folder.resolve("rows" + file + ".csv");
            try (BufferedWriter out = Files.newBufferedWriter(path)) {
                for (long id = file * rows; id < (file + 1) * rows; id++) {
                    out.write(id + "," + text(id) + "," + BigDecimal.valueOf(cents(id), 2) + "\n");
                }
            }
            files.add(path);
        }
        return files;
    }

    /** Runs the same in several threads and waits for all of them. */
    static void each(int threads, Work work) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(
                        pool.submit(() -> {
                            work.run(thread);
                            return null;
                        }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }
}
