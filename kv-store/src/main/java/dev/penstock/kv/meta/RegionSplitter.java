package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Splits empty regions before a load. For each: close the region (only if it is empty), create its
 * parts, in one call to each server, write the record, drop the old one. If the record cannot be
 * written the old region is opened again, unless the record may be there all the same.
 */
final class RegionSplitter {
    /** Regions in one call, so that their keys fit into a frame. */
    private static final int MAX_CREATED = 256;

    /** Each makes a region, with a folder and a log on a server. */
    private static final int MAX_POINTS = 1 << 14;

    /** All are in one record, twice. */
    private static final long MAX_POINT_BYTES = 32 << 20;

    private final MetadataState state;
    private final RegionServiceLocator locator;
    private final Recorder recorder;

    RegionSplitter(MetadataState state, RegionServiceLocator locator, Recorder recorder) {
        this.state = state;
        this.locator = locator;
        this.recorder = recorder;
    }

    /**
     * @throws PenstockException of category {@code USAGE} if the points do not ascend or are more
     *     than anybody needs; then nothing has been made
     */
    void split(TableDescriptor table, List<byte[]> points, Placement placement) {
        if (points.size() > MAX_POINTS
                || points.stream().mapToLong(point -> point.length).sum() > MAX_POINT_BYTES) {
            throw PenstockException.usage(
                    "too many split points: at most "
                            + MAX_POINTS
                            + " are possible at once, with "
                            + MAX_POINT_BYTES
                            + " bytes in all");
        }
        for (int i = 1; i < points.size(); i++) {
            if (Arrays.compareUnsigned(points.get(i - 1), points.get(i)) >= 0) {
                throw PenstockException.usage("split points must ascend");
            }
        }
        for (RegionAssignment region : state.regions(table.tableId())) {
            List<byte[]> inside =
                    points.stream()
                            .filter(point ->
                                    region.range().contains(point)
                                            && !Arrays.equals(point, region.range().start()))
                            .toList();
            if (!inside.isEmpty() && isClosed(region)) {
                replace(table, region, inside, placement);
            }
        }
    }

    /** A region that has not been cleared of an earlier load stays as it is. */
    private boolean isClosed(RegionAssignment region) {
        try {
            return locator.locate(region.server()).closeIfEmpty(region.regionId());
        } catch (PenstockException e) {
            if (e.category() != ErrorCategory.CONFLICT) {
                throw e;
            }
            return false;
        }
    }

    private void replace(
            TableDescriptor table,
            RegionAssignment region,
            List<byte[]> points,
            Placement placement) {
        placement.release(region.server().serverId());
        try {
            List<MetadataRecord.Part> parts = new ArrayList<>();
            Map<ServerDescriptor, List<RegionDescriptor>> created = new LinkedHashMap<>();
            for (int i = 0; i <= points.size(); i++) {
                KeyRange range =
                        new KeyRange(
                                i == 0 ? region.range().start() : points.get(i - 1),
                                i == points.size() ? region.range().end() : points.get(i));
                ServerDescriptor server = placement.next();
                long regionId = state.newId();
                created.computeIfAbsent(server, key -> new ArrayList<>())
                        .add(descriptor(table, regionId, range));
                parts.add(new MetadataRecord.Part(regionId, range, server.serverId()));
            }
            created.forEach(this::create);
            recorder.record(new MetadataRecord.RegionSplit(region.regionId(), parts));
        } catch (RuntimeException e) {
            if (!recorder.isInDoubt()) {
                reopen(table, region, e);
            }
            throw e;
        }
        locator.locate(region.server()).dropRegion(region.regionId());
    }

    /** A server that cannot be told now asks for what it has closed. */
    private void reopen(TableDescriptor table, RegionAssignment region, RuntimeException cause) {
        try {
            locator.locate(region.server()).createRegions(List.of(region.of(table)));
        } catch (PenstockException e) {
            cause.addSuppressed(e);
        }
    }

    private void create(ServerDescriptor server, List<RegionDescriptor> regions) {
        for (int from = 0; from < regions.size(); from += MAX_CREATED) {
            int to = Math.min(regions.size(), from + MAX_CREATED);
            locator.locate(server).createRegions(regions.subList(from, to));
        }
    }

    private static RegionDescriptor descriptor(
            TableDescriptor table, long regionId, KeyRange range) {
        return new RegionDescriptor(regionId, table.tableId(), table.schema(), range);
    }
}
