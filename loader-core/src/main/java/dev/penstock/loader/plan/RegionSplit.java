package dev.penstock.loader.plan;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.key.KeyRange;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Splits a table's empty regions before a load.
 *
 * <p>Where there is a key, at the split points of the plan. A table without key has row ids that
 * begin with the number of the load, which the target gives out when the load begins, and by then
 * the regions are fixed. So a first session is begun only to learn its number and aborted; the load
 * proper gets the next one, unless another load comes between, and then its rows all go to the last
 * region: uneven, but right.
 */
public final class RegionSplit {
    private static final int LOAD_SHIFT = 44;
    private static final int CHUNK_SHIFT = 23;

    /** Behind those of all loads that there were, as the next one would be. */
    public static final long DRY_RUN_ORDINAL = (1L << 63 - LOAD_SHIFT) - 1;

    private RegionSplit() {}

    /**
     * Splits as planned; the load must not have begun.
     *
     * @param request of a load that does not take the table along when it is aborted
     */
    public static void run(LoadTarget target, ResolvedLoad load, Supplier<LoadRequest> request) {
        List<byte[]> points = load.splitPoints();
        if (load.splitChunks() > 1 && load.chunkCount() > 1) {
            long ordinal;
            try (LoadSession session = target.begin(request.get(), ack -> {})) {
                ordinal = session.loadOrdinal();
                session.abort();
            }
            points = rowIdPoints(load, ordinal + 1);
        }
        if (!points.isEmpty()) {
            target.preSplit(load.schema().name(), points);
        }
    }

    /** Row ids at which the chunks of a load are divided evenly. */
    static List<byte[]> rowIdPoints(ResolvedLoad load, long ordinal) {
        List<byte[]> points = new ArrayList<>();
        KeyCodec codec = new KeyCodec(load.schema());
        long last = -1;
        for (int i = 1; i < load.splitChunks(); i++) {
            long chunk = load.chunkCount() * i / load.splitChunks();
            if (chunk > 0 && chunk != last) {
                ByteBuilder key = new ByteBuilder(16);
                codec.putLong(0, ordinal << LOAD_SHIFT | chunk << CHUNK_SHIFT, key);
                points.add(key.toByteArray());
                last = chunk;
            }
        }
        return points;
    }

    /** The regions as they would be, for a dry run. */
    public static RegionMap planned(LoadTarget target, ResolvedLoad load) {
        String table = load.schema().name();
        List<byte[]> points =
                load.splitChunks() > 1 ? rowIdPoints(load, DRY_RUN_ORDINAL) : load.splitPoints();
        if (!load.createTable()) {
            RegionMap present = target.regions(table);
            if (points.isEmpty() || target.rowCount(table) > 0) {
                return present;
            }
            points = RegionOutlook.united(RegionOutlook.borders(present), points);
        }
        List<RegionInfo> regions = new ArrayList<>();
        byte[] start = new byte[0];
        for (int i = 0; i <= points.size(); i++) {
            byte[] end = i < points.size() ? points.get(i) : new byte[0];
            regions.add(new RegionInfo(i + 1L, new KeyRange(start, end), "planned"));
            start = end;
        }
        return new RegionMap(table, regions);
    }
}
