package dev.penstock.sql;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Rows of a table (id, n) with a region for every ten keys. A call is done region by region, all of
 * it in a region or nothing, and ends where one refuses, as those of a store do.
 */
final class RegionedRows implements KeyMoves.Rows {
    static final TableSchema SCHEMA =
            Ddl.parseCreateTable(
                    "CREATE TABLE t (id BIGINT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (id))");

    private static final KeyCodec KEYS = new KeyCodec(SCHEMA);

    /** What is stored: n by id. */
    final Map<Long, Long> values = new TreeMap<>();

    /** Keys of a load that is being compared: neither stored nor removed. */
    final Set<Long> held = new HashSet<>();

    /** Regions of which a load does not know what it left out: nothing is removed. */
    final Set<Integer> keeping = new HashSet<>();

    /** Regions that answer no reads of rows. */
    final Set<Integer> silent = new HashSet<>();

    private final Map<String, Runnable> events = new HashMap<>();
    private int writes;

    RegionedRows(long... idsAndValues) {
        for (int i = 0; i < idsAndValues.length; i += 2) {
            values.put(idsAndValues[i], idsAndValues[i + 1]);
        }
    }

    static ColumnBatch rows(long... idsAndValues) {
        int count = idsAndValues.length / 2;
        ColumnBatch rows = ColumnBatch.forColumns(SCHEMA.columns(), count);
        for (int row = 0; row < count; row++) {
            rows.longs(0).values()[row] = idsAndValues[2 * row];
            rows.longs(1).values()[row] = idsAndValues[2 * row + 1];
        }
        rows.setRowCount(count);
        return rows;
    }

    /** Does something, once, just before a region takes this: "store 12" or "delete 7". */
    RegionedRows before(String change, Runnable event) {
        events.put(change, event);
        return this;
    }

    /** Changes of regions so far. */
    int writes() {
        return writes;
    }

    private static long id(byte[] key) {
        ColumnBatch row = ColumnBatch.forColumns(SCHEMA.columns(), 1);
        KEYS.decode(key, 0, key.length, row, 0);
        return row.longs(0).values()[0];
    }

    private static int region(long id) {
        return (int) (id / 10);
    }

    private static List<Long> ids(Collection<byte[]> keys) {
        return keys.stream().map(RegionedRows::id).toList();
    }

    private static Map<Long, Long> valuesOf(ColumnBatch rows) {
        Map<Long, Long> values = new TreeMap<>();
        for (int row = 0; row < rows.rowCount(); row++) {
            values.put(rows.longs(0).values()[row], rows.longs(1).values()[row]);
        }
        return values;
    }

    private void each(String change, Collection<Long> ids, Predicate<List<Long>> write) {
        Map<Integer, List<Long>> byRegion = new TreeMap<>();
        ids.forEach(id -> byRegion.computeIfAbsent(region(id), _ -> new ArrayList<>()).add(id));
        byRegion.values()
                .forEach(part -> {
                    part.forEach(id -> {
                        Runnable event = events.remove(change + " " + id);
                        if (event != null) {
                            event.run();
                        }
                    });
                    writes += write.test(part) ? 1 : 0;
                });
    }

    private void checkStored(Collection<Long> ids) {
        if (ids.stream().anyMatch(held::contains)) {
            throw PenstockException.conflict("a row has a key of a load");
        }
    }

    private void checkRemoved(Collection<Long> ids) {
        if (ids.stream().anyMatch(id -> held.contains(id) || keeping.contains(region(id)))) {
            throw PenstockException.conflict("a load has left it out");
        }
    }

    @Override
    public int regionOf(byte[] key) {
        return region(id(key));
    }

    @Override
    public int firstPresent(List<byte[]> keys) {
        for (int i = 0; i < keys.size(); i++) {
            if (values.containsKey(id(keys.get(i)))) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void checkPut(List<byte[]> keys) {
        checkStored(ids(keys));
    }

    @Override
    public void checkDelete(List<byte[]> keys) {
        checkRemoved(ids(keys));
    }

    @Override
    public int insert(ColumnBatch rows) {
        Map<Long, Long> given = valuesOf(rows);
        List<Long> present = new ArrayList<>();
        each(
                "store",
                given.keySet(),
                part -> {
                    checkStored(part);
                    present.addAll(part.stream().filter(values::containsKey).toList());
                    if (present.isEmpty()) {
                        part.forEach(id -> values.put(id, given.get(id)));
                    }
                    return present.isEmpty();
                });
        for (int row = 0; row < rows.rowCount(); row++) {
            if (present.contains(rows.longs(0).values()[row])) {
                return row;
            }
        }
        return -1;
    }

    @Override
    public void put(ColumnBatch rows) {
        Map<Long, Long> given = valuesOf(rows);
        each(
                "store",
                given.keySet(),
                part -> {
                    checkStored(part);
                    part.forEach(id -> values.put(id, given.get(id)));
                    return true;
                });
    }

    @Override
    public void delete(List<byte[]> keys) {
        each(
                "delete",
                ids(keys),
                part -> {
                    checkRemoved(part);
                    part.forEach(values::remove);
                    return true;
                });
    }

    @Override
    public Optional<ColumnBatch> get(byte[] key) {
        long id = id(key);
        if (silent.contains(region(id))) {
            throw new PenstockException(ErrorCategory.RETRY, "the server does not answer");
        }
        return Optional.ofNullable(values.get(id)).map(n -> rows(id, n));
    }
}
