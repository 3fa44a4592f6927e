package dev.penstock.loader.plan;

import dev.penstock.loader.LoadSpec;
import dev.penstock.sampler.Sample;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.RegionMap;
import dev.penstock.target.TargetCapabilities;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a load does to the regions of its table, as far as that is known before: whether it splits
 * any, and which there will be.
 *
 * @param keyless whether row ids are the keys, which begin with the number of the load
 * @param wanted regions that the load is to be spread over
 * @param borders where the regions begin that the table has now, but for the first; ascending
 * @param empty whether the table has no rows, so that all its regions can be split; of no matter
 *     where none is to be
 * @param splits whether split points are to be sent
 * @param notes what the user should know of that
 */
record RegionOutlook(
        boolean keyless,
        int wanted,
        List<byte[]> borders,
        boolean empty,
        boolean splits,
        List<String> notes) {

    /**
     * @param target null to plan for a schema alone
     * @param exists whether the target has the table
     */
    static RegionOutlook of(
            LoadSpec spec,
            @Nullable LoadTarget target,
            TableSchema schema,
            boolean exists,
            int wanted) {
        boolean keyless = schema.hiddenRowId();
        List<byte[]> borders =
                exists && target != null ? borders(target.regions(schema.name())) : List.of();
        RegionOutlook asTheyAre =
                new RegionOutlook(keyless, wanted, borders, true, false, List.of());
        if (wanted <= 1) {
            return asTheyAre;
        }
        if (target != null
                && target.capabilities().placement() != TargetCapabilities.Placement.PRE_SPLIT) {
            return asTheyAre.with("The target decides about regions itself, so none are split.");
        }
        boolean enough = borders.size() + 1 >= wanted || !borders.isEmpty() && spec.regions() == 0;
        if (enough && !keyless) {
            return asTheyAre;
        }
        boolean empty = !exists || target == null || !enough && target.rowCount(schema.name()) == 0;
        if (keyless && (enough || !empty)) {
            return asTheyAre.with(
                    "The table has no key, so rows of a load come after those of all loads before:"
                            + " they go to its last region.");
        }
        if (!empty && borders.isEmpty()) {
            return asTheyAre.with("The table holds rows already, so its regions stay as they are.");
        }
        RegionOutlook splitting =
                new RegionOutlook(keyless, wanted, borders, empty, true, List.of());
        return empty
                ? splitting
                : splitting.with(
                        "The table holds rows already, so only those of its regions are split that"
                                + " hold none.");
    }

    private RegionOutlook with(String note) {
        return new RegionOutlook(keyless, wanted, borders, empty, splits, List.of(note));
    }

    static List<byte[]> borders(RegionMap regions) {
        return regions.regions().stream().skip(1).map(region -> region.range().start()).toList();
    }

    /** The borders and the points, ascending, each once. */
    static List<byte[]> united(List<byte[]> borders, List<byte[]> points) {
        List<byte[]> united = new ArrayList<>(borders);
        for (byte[] point : points) {
            if (borders.stream().noneMatch(border -> Arrays.equals(border, point))) {
                united.add(point);
            }
        }
        united.sort(Arrays::compareUnsigned);
        return united;
    }

    /** The regions that there are now, or that are wanted if those are more. */
    int most() {
        return Math.max(wanted, borders.size() + 1);
    }

    /** Whether split points may be the borders of equal parts of the input. */
    boolean mayDivide() {
        return splits && borders.isEmpty();
    }

    /** Points that make the wanted regions together with the borders; none without key. */
    List<byte[]> splitPoints(Sample sample) {
        return splits && !keyless ? sample.splitPoints(wanted, borders) : List.of();
    }

    /** How many fewer points there are than would be needed. */
    int leftOut(List<byte[]> points) {
        return splits && !keyless ? Math.max(0, wanted - 1 - borders.size() - points.size()) : 0;
    }

    /** The borders that will be there, if nobody stores rows before the load begins. */
    List<byte[]> bordersAfter(List<byte[]> points) {
        return empty ? united(borders, points) : borders;
    }

    /**
     * The regions that will be there.
     *
     * @param splitChunks as in {@link ResolvedLoad}
     * @param chunkCount chunks, or -1 if only reading will tell
     */
    int regionsAfter(List<byte[]> points, int splitChunks, long chunkCount) {
        long chunkPoints = Math.max(0, Math.min(splitChunks, chunkCount) - 1);
        return (int) (bordersAfter(points).size() + 1 + chunkPoints);
    }
}
