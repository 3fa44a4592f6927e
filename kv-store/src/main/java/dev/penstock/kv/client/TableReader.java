package dev.penstock.kv.client;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.predicate.Predicate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads all regions of one table at a time, as of one epoch. Thread-safe. */
public final class TableReader {

    private final Cluster cluster;
    private final Routes routes;
    private final TableDescriptor table;

    public TableReader(Cluster cluster, Routes routes, TableDescriptor table) {
        this.cluster = cluster;
        this.routes = routes;
        this.table = table;
    }

    /** Rows in the range for which the predicate is true. */
    public long count(long epoch, KeyRange range, Predicate predicate) {
        List<Long> parts =
                eachRegion(
                        range,
                        region ->
                                cluster.locate(region.server())
                                        .count(
                                                region.regionId(),
                                                epoch,
                                                range.intersect(region.range()),
                                                predicate));
        return parts.stream().mapToLong(part -> part).sum();
    }

    /** Aggregates of the rows that the query chooses. */
    public PartialResult aggregate(long epoch, AggregateQuery query) {
        List<PartialResult> parts =
                eachRegion(
                        query.range(),
                        region ->
                                cluster.locate(region.server())
                                        .aggregate(
                                                region.regionId(),
                                                epoch,
                                                query.withRange(
                                                        query.range().intersect(region.range()))));
        PartialResult all = new PartialResult(query.aggregates());
        parts.forEach(all::add);
        return all;
    }

    /**
     * The index of the first of these encoded keys that has a row, or -1: one question to each
     * region that holds some of them, or few.
     */
    public int firstPresent(List<byte[]> keys) {
        return routes.rerouting(table, () -> firstPresentOnce(keys));
    }

    private int firstPresentOnce(List<byte[]> keys) {
        Map<RegionAssignment, List<Integer>> byRegion = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            byRegion.computeIfAbsent(routes.regionOf(table, keys.get(i)), _ -> new ArrayList<>())
                    .add(i);
        }
        int first = keys.size();
        for (var part : byRegion.entrySet()) {
            RegionAssignment region = part.getKey();
            List<Integer> indexes = part.getValue();
            List<byte[]> held = indexes.stream().map(keys::get).toList();
            for (int from = 0, to; from < held.size(); from = to) {
                to = RowWriter.endOfCall(held, from);
                List<byte[]> asked = held.subList(from, to);
                long found =
                        cluster.locate(region.server())
                                .firstPresent(region.regionId(), asked, RegionService.LATEST);
                if (found >= asked.size()) {
                    throw PenstockException.corrupt(
                            "region " + region.regionId() + " names a key that was not asked for");
                }
                if (found >= 0) {
                    first = Math.min(first, indexes.get(from + (int) found));
                    break;
                }
            }
        }
        return first == keys.size() ? -1 : first;
    }

    public List<RegionChecksum> checksums(long epoch) {
        return eachRegion(
                KeyRange.ALL,
                region -> cluster.locate(region.server()).checksum(region.regionId(), epoch));
    }

    /** All over again if regions have changed meanwhile, so that no row is seen twice. */
    private <T> List<T> eachRegion(KeyRange range, Function<RegionAssignment, T> call) {
        for (int attempt = 1; ; attempt++) {
            List<RegionAssignment> regions = new ArrayList<>();
            for (RegionAssignment region : routes.refresh(table, attempt - 1)) {
                if (region.range().overlaps(range)) {
                    regions.add(region);
                }
            }
            try {
                return Fanout.map(regions, Runtime.getRuntime().availableProcessors(), call);
            } catch (PenstockException e) {
                if (e.category() != ErrorCategory.REROUTE || attempt == Routes.MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
