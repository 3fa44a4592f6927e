package dev.penstock.it.cluster;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows of one load, each of which points to another: together one ring. A row that is lost, or
 * there twice, breaks it, whatever the counts say. Rows of different loads lie between one another,
 * so that every load touches every region.
 *
 * @param load number of the load, below {@link #MAX_LOADS}
 * @param rows how many
 */
record Ring(int load, int rows) {
    static final int MAX_LOADS = 4096;

    /** Ids are spread over these, however many rows there are. */
    private static final long PLACES = 1L << 30;

    private static final int STRIDE = 7_919;

    Ring {
        if (rows % STRIDE == 0 || load >= MAX_LOADS || rows < 1) {
            throw new IllegalArgumentException(rows + " rows of load " + load);
        }
    }

    /** A table with these rows; without a key, rows that come twice stay twice. */
    static String ddl(String table, boolean keyed) {
        return "CREATE TABLE "
                + table
                + " (id BIGINT NOT NULL, next BIGINT NOT NULL, load_no INTEGER NOT NULL, note"
                + " VARCHAR(40) NOT NULL"
                + (keyed ? ", PRIMARY KEY (id))" : ")");
    }

    private long id(int position) {
        return (long) position % rows * STRIDE % rows * (PLACES / rows) * MAX_LOADS + load;
    }

    /** All rows, one line each, ids in no order. */
    byte[] text() {
        StringBuilder text = new StringBuilder(rows * 64);
        for (int i = 0; i < rows; i++) {
            long id = id(i);
            text.append(id).append('|').append(id(i + 1)).append('|').append(load);
            text.append("|note ").append(Long.toString(id * 0x9E3779B97F4A7C15L, 36)).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Sum of the ids, which an aggregate finds too. */
    long sum() {
        long sum = 0;
        for (int i = 0; i < rows; i++) {
            sum += id(i);
        }
        return sum;
    }

    /** What a walk along all rings found. */
    record Walk(Map<Integer, Integer> rowsByLoad, long lost, long doubled) {
        boolean whole() {
            return lost == 0 && doubled == 0;
        }
    }

    /**
     * Reads the whole table as of one epoch and walks along all rings.
     *
     * @param sizes how many rows each load has, by its number
     */
    static Walk walk(Table table, Map<Integer, Integer> sizes) {
        Map<Integer, Map<Long, Long>> rings = new TreeMap<>();
        long doubled = 0;
        try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
            ColumnBatch batch = scan.newBatch();
            while (scan.next(batch)) {
                for (int row = 0; row < batch.rowCount(); row++) {
                    Map<Long, Long> ring =
                            rings.computeIfAbsent(
                                    (int) batch.longs(2).values()[row], load -> new HashMap<>());
                    long id = batch.longs(0).values()[row];
                    if (ring.put(id, batch.longs(1).values()[row]) != null) {
                        doubled++;
                    }
                }
            }
        }
        long lost = 0;
        Map<Integer, Integer> found = new TreeMap<>();
        for (Map.Entry<Integer, Map<Long, Long>> ring : rings.entrySet()) {
            int size = sizes.getOrDefault(ring.getKey(), 0);
            found.put(ring.getKey(), ring.getValue().size());
            lost += size - around(ring.getValue());
            doubled += Math.max(0, ring.getValue().size() - size);
        }
        return new Walk(found, lost, doubled);
    }

    /** Steps from any row until the ring closes; fewer than its rows if it is broken. */
    private static int around(Map<Long, Long> ring) {
        long start = ring.keySet().iterator().next();
        long at = start;
        int steps = 0;
        do {
            Long next = ring.get(at);
            if (next == null) {
                break;
            }
            at = next;
            steps++;
        } while (at != start && steps <= ring.size());
        return steps;
    }
}
