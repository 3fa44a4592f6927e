package dev.penstock.kv.client;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.TableDescriptor;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Which server hosts which keys, remembered per table and asked again when a server says that it is
 * not (or no longer) the right one. Thread-safe.
 */
public final class Routes {
    /** How often one call is tried on another route before its failure is the caller's. */
    public static final int MAX_ATTEMPTS = 6;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final MetadataService metadata;
    private final LongConsumer pause;
    private final ConcurrentHashMap<String, List<RegionAssignment>> tables =
            new ConcurrentHashMap<>();

    public Routes(MetadataService metadata) {
        this(metadata, LockSupport::parkNanos);
    }

    /**
     * The same.
     *
     * @param pause waits for so many nanoseconds
     */
    public Routes(MetadataService metadata, LongConsumer pause) {
        this.metadata = metadata;
        this.pause = pause;
    }

    /** The table's regions in key order, maybe as they were some time ago. */
    public List<RegionAssignment> regions(TableDescriptor table) {
        List<RegionAssignment> known = tables.get(key(table.schema().name()));
        return known != null && known.getFirst().tableId() == table.tableId()
                ? known
                : refresh(table);
    }

    /**
     * The table's regions as they are now.
     *
     * @throws PenstockException of category CONFLICT if another table has the name meanwhile, whose
     *     columns mean something else
     */
    public List<RegionAssignment> refresh(TableDescriptor table) {
        String name = table.schema().name();
        List<RegionAssignment> regions = List.copyOf(metadata.regions(name));
        if (regions.isEmpty()) {
            throw PenstockException.internal("table " + name + " has no region");
        }
        if (regions.getFirst().tableId() != table.tableId()) {
            throw PenstockException.conflict(
                    "table "
                            + name
                            + " was dropped, and another one of that name was made since; look at"
                            + " its columns, and open it or prepare the statement again");
        }
        tables.put(key(name), regions);
        return regions;
    }

    public void forget(String table) {
        tables.remove(key(table));
    }

    /** The region that holds an encoded key. */
    public RegionAssignment regionOf(TableDescriptor table, byte[] key) {
        List<RegionAssignment> regions = regions(table);
        return regions.get(KeyRange.indexOf(regions, RegionAssignment::range, key));
    }

    /** Calls the region that holds the key, on a fresh route if the known one is out of date. */
    public <T> T call(TableDescriptor table, byte[] key, Function<RegionAssignment, T> call) {
        return rerouting(table, () -> call.apply(regionOf(table, key)));
    }

    /** Calls again, on fresh routes, if a region is not where it was thought to be. */
    public <T> T rerouting(TableDescriptor table, Supplier<T> call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.get();
            } catch (PenstockException e) {
                if (e.category() != ErrorCategory.REROUTE || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                refresh(table, attempt);
            }
        }
    }

    /**
     * The same after a call has found a region elsewhere for the n-th time, 1 = the first. Then
     * routes were old; later a region is being split, and answers nothing for a moment.
     */
    public List<RegionAssignment> refresh(TableDescriptor table, int attempt) {
        if (attempt > 1) {
            pause.accept(FIRST_PAUSE_NANOS << 2 * (attempt - 2));
        }
        return refresh(table);
    }

    private static String key(String table) {
        return table.toLowerCase(Locale.ROOT);
    }
}
