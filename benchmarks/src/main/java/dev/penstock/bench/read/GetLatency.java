package dev.penstock.bench.read;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bench.contender.WorkFolder;
import dev.penstock.cli.generate.TpchTable;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.schema.TableSchema;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * How long a row takes by its key: loads a lineitem file into servers of their own, then asks for
 * random rows of it by several clients at a time, over loopback, and checks every answer.
 *
 * <pre>
 *   GetLatency FILE [CLIENTS [SECONDS [SERVERS]]]
 * </pre>
 */
public final class GetLatency {
    private static final int ROUNDS = 4;
    private static final int WANTED_ROWS = 200_000;

    private final Table table;
    private final List<Expected> rows;

    private GetLatency(Table table, List<Expected> rows) {
        this.table = table;
        this.rows = rows;
    }

    /** What a row must hold. */
    private record Expected(byte[] key, long partKey, String comment) {
        boolean matches(ColumnBatch row) {
            return row.longs(1).values()[0] == partKey
                    && new String(row.bytes(15).get(0), StandardCharsets.UTF_8).equals(comment);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        int clients = number(arguments, 1, 8);
        int seconds = number(arguments, 2, 5);
        int servers = number(arguments, 3, 1);
        TableSchema schema = Ddl.parseCreateTable(TpchTable.LINEITEM.ddl());
        WorkFolder folder = WorkFolder.create("penstock-get-");
        List<Server> started = new ArrayList<>();
        try {
            for (int i = 0; i < servers; i++) {
                String leader = i == 0 ? "" : started.getFirst().address();
                started.add(Server.start(folder.path().resolve("server" + i), leader));
            }
            try (Penstock store = Penstock.connect(started.getFirst().address())) {
                load(store, file, schema, servers);
                new GetLatency(store.table(schema.name()), expected(file, schema))
                        .measure(clients, seconds);
            }
        } finally {
            started.reversed().forEach(Server::close);
            folder.close();
        }
    }

    private static int number(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private static void load(Penstock store, Path file, TableSchema schema, int servers)
            throws IOException {
        LoadSpecBuilder builder =
                LoadSpec.builder(schema.name()).from(file.toString()).schema(schema);
        if (servers > 1) {
            builder.regions(servers);
        }
        BulkLoad.into(store.loadTarget(), schema.name()).spec(builder.build()).run();
    }

    /** Rows spread over the whole file. */
    private static List<Expected> expected(Path file, TableSchema schema) throws IOException {
        List<Expected> rows = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            String line = in.readLine();
            long step = line == null ? 1 : 1 + Files.size(file) / line.length() / WANTED_ROWS;
            for (long number = 0; line != null; line = in.readLine(), number++) {
                if (number % step == 0) {
                    String[] fields = line.split("\\|", -1);
                    rows.add(
                            new Expected(
                                    Keys.encode(schema, List.of(fields[0], fields[3])),
                                    Long.parseLong(fields[1]),
                                    fields[15]));
                }
            }
        }
        return rows;
    }

    private void measure(int clients, int seconds) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            for (int round = 0; round < ROUNDS; round++) {
                long end = System.nanoTime() + seconds * 1_000_000_000L / ROUNDS;
                List<Future<long[]>> parts = new ArrayList<>();
                for (int client = 0; client < clients; client++) {
                    Random random = new Random(31L * round + client);
                    parts.add(threads.submit(() -> ask(random, end)));
                }
                List<long[]> nanos = new ArrayList<>();
                for (Future<long[]> part : parts) {
                    nanos.add(part.get());
                }
                report(round, nanos, (double) seconds / ROUNDS);
            }
        }
    }

    /** The nanoseconds of each read until the time is over. */
    private long[] ask(Random random, long end) {
        LongStream.Builder nanos = LongStream.builder();
        long before = System.nanoTime();
        while (before < end) {
            Expected row = rows.get(random.nextInt(rows.size()));
            ColumnBatch found = table.get(row.key()).orElseThrow();
            long after = System.nanoTime();
            nanos.add(after - before);
            if (!row.matches(found)) {
                throw new IllegalStateException("a read found another row than was asked for");
            }
            before = System.nanoTime();
        }
        return nanos.build().toArray();
    }

    private static void report(int round, List<long[]> parts, double seconds) {
        long[] nanos = parts.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "round %d: %,d reads, %,.0f/s, p50 %.3f ms, p99 %.3f ms, p99.9 %.3f ms,"
                        + " longest %.3f ms%n",
                round,
                nanos.length,
                nanos.length / seconds,
                nanos[nanos.length / 2] / 1e6,
                nanos[(int) (nanos.length * 0.99)] / 1e6,
                nanos[(int) (nanos.length * 0.999)] / 1e6,
                nanos[nanos.length - 1] / 1e6);
    }
}
