package dev.penstock.kv.server;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.Sort;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.RegionMap;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A table whose every row follows from its id, and loads of it. */
final class Orders {
    static final TableSchema SCHEMA =
            Ddl.parseCreateTable(
                    "CREATE TABLE orders (id BIGINT, name VARCHAR(30), price DECIMAL(15,2),"
                            + " PRIMARY KEY (id))");

    /** Rows of one chunk. */
    static final int CHUNK_ROWS = 1000;

    private Orders() {}

    static String name(long id) {
        return "order " + id * 31 % 997;
    }

    static long price(long id) {
        return id * 7 % 10_000;
    }

    static byte[] key(long id) {
        return Keys.encode(SCHEMA, List.of(Long.toString(id)));
    }

    /** Points that cut ids from 0 to {@code count} into equal parts. */
    static List<byte[]> splitPoints(long count, int parts) {
        List<byte[]> points = new ArrayList<>();
        for (int i = 1; i < parts; i++) {
            points.add(key(count * i / parts));
        }
        return points;
    }

    static LoadRequest request() {
        return LoadRequest.intoExisting(
                "orders",
                "",
                DuplicatePolicy.ERROR,
                Dialect.csv(),
                List.of(0, 1, 2),
                List.of("test"),
                false);
    }

    /** The rows with the given ids, in that order. */
    static ColumnBatch rows(long... ids) {
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), ids.length);
        for (int row = 0; row < ids.length; row++) {
            batch.longs(0).values()[row] = ids[row];
            byte[] name = name(ids[row]).getBytes(StandardCharsets.UTF_8);
            batch.bytes(1).append(row, name, 0, name.length);
            batch.longs(2).values()[row] = price(ids[row]);
        }
        batch.setRowCount(ids.length);
        return batch;
    }

    /**
     * The ids of a chunk: every {@code chunkCount}-th one, so that each chunk has rows everywhere.
     */
    static long[] chunkIds(int chunk, int chunkCount) {
        long[] ids = new long[CHUNK_ROWS];
        for (int i = 0; i < CHUNK_ROWS; i++) {
            ids[i] = (long) (CHUNK_ROWS - 1 - i) * chunkCount + chunk;
        }
        return ids;
    }

    /** Sends chunks {@code [from, to)} of {@code chunkCount} as sorted fragments, by threads. */
    static void send(LoadSession session, int from, int to, int chunkCount, int threads)
            throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int first = from + thread;
                done.add(
                        executor.submit(() -> {
                            Sort sort = new Sort(SCHEMA);
                            Encode encode = new Encode(SCHEMA);
                            for (int chunk = first; chunk < to; chunk += threads) {
                                sendChunk(
                                        session,
                                        sort.run(rows(chunkIds(chunk, chunkCount))),
                                        encode,
                                        chunk);
                            }
                        }));
            }
            for (Future<?> future : done) {
                future.get();
            }
        }
        session.flush();
    }

    private static void sendChunk(
            LoadSession session, ColumnBatch sorted, Encode encode, int chunk) {
        KeyCodec codec = new KeyCodec(SCHEMA);
        RegionMap regions = session.regions();
        int from = 0;
        while (from < sorted.rowCount()) {
            int region = regions.indexOf(codec.encode(sorted, from));
            int to = from + 1;
            while (to < sorted.rowCount() && regions.indexOf(codec.encode(sorted, to)) == region) {
                to++;
            }
            sendFragment(session, sorted, from, to, encode, chunk, region);
            from = to;
        }
    }

    private static void sendFragment(
            LoadSession session,
            ColumnBatch sorted,
            int from,
            int to,
            Encode encode,
            int chunk,
            int region) {
        UUID load = UUID.fromString(session.loadId());
        Encode.Choice[] choices = new Encode.Choice[SCHEMA.columnCount()];
        Arrays.fill(choices, Encode.Choice.DICTIONARY);
        ByteBuilder out = new ByteBuilder(1 << 12);
        encode.run(
                sorted,
                from,
                to,
                choices,
                true,
                new SegmentIdentity(
                        load.getMostSignificantBits(), load.getLeastSignificantBits(), chunk),
                out);
        session.send(
                new FragmentHeader(
                        chunk,
                        session.regions().region(region).regionId(),
                        FragmentForm.SORTED,
                        to - from),
                out.array(),
                out.length());
    }
}
