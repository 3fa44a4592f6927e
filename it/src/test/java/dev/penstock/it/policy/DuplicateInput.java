package dev.penstock.it.policy;

import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Rows with equal keys at chosen places, and what a load of them must do by a policy: worked out
 * with a plain map, one row after the other.
 *
 * @param stored rows of the table before the load
 * @param files rows of each input, in order
 */
record DuplicateInput(Map<Integer, String> stored, List<List<Row>> files) {
    private static final int FILES = 2;

    /** Where the other row of a key is. */
    enum Placement {
        WITHIN_CHUNK,
        ACROSS_CHUNKS,
        ACROSS_FILES,
        STORED,
        MIXED
    }

    /** One row of an input. */
    record Row(int key, String value) {}

    /**
     * What a load must leave and report.
     *
     * @param rows the table afterwards
     * @param failed whether the load must fail; then nothing is counted
     */
    record Outcome(
            Map<Integer, String> rows,
            boolean failed,
            long loaded,
            long rejected,
            long duplicate,
            long replaced) {}

    /**
     * @param rate share of rows whose key is that of another, at least one if it is not 0
     */
    static DuplicateInput random(int count, double rate, Placement placement, long seed) {
        Random random = new Random(seed);
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(i * 7);
        }
        Collections.shuffle(keys, random);
        Map<Integer, String> stored = new TreeMap<>();
        boolean storedToo = placement == Placement.STORED || placement == Placement.MIXED;
        for (int i = 0; storedToo && i < count / 4; i++) {
            stored.put(i * 28 + 1, "other " + i);
        }
        int wanted = rate == 0 ? 0 : (int) Math.max(1, Math.round(rate * count));
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            places.add(i);
        }
        Collections.shuffle(places, random);
        for (int place : places.subList(0, wanted)) {
            Placement here =
                    placement == Placement.MIXED
                            ? Placement.values()[random.nextInt(4)]
                            : placement;
            if (here == Placement.STORED) {
                stored.put(keys.get(place), "stored " + place);
            } else {
                keys.set(place, keys.get(partner(place, count, here, random)));
            }
        }
        List<List<Row>> files = new ArrayList<>();
        for (int file = 0; file < FILES; file++) {
            List<Row> rows = new ArrayList<>();
            for (int i = count * file / FILES; i < count * (file + 1) / FILES; i++) {
                rows.add(new Row(keys.get(i), "row " + i));
            }
            files.add(rows);
        }
        return new DuplicateInput(stored, files);
    }

    private static int partner(int place, int count, Placement placement, Random random) {
        int half = count / FILES;
        int start = place < half ? 0 : half;
        return switch (placement) {
            case WITHIN_CHUNK -> place > start ? place - 1 : place + 1;
            case ACROSS_CHUNKS -> start + (place - start + half / 2) % half;
            case ACROSS_FILES -> (half - start) + random.nextInt(half);
            case STORED, MIXED -> throw new IllegalArgumentException(placement.name());
        };
    }

    long count() {
        return files.stream().mapToLong(List::size).sum();
    }

    Outcome outcome(DuplicatePolicy policy) {
        Map<Integer, String> winners = new LinkedHashMap<>();
        long rejected = 0;
        long duplicate = 0;
        boolean failed = false;
        for (List<Row> file : files) {
            for (Row row : file) {
                if (!winners.containsKey(row.key())) {
                    winners.put(row.key(), row.value());
                    continue;
                }
                switch (policy.within()) {
                    case ERROR -> failed = true;
                    case KEEP_FIRST -> duplicate++;
                    case KEEP_LAST -> {
                        winners.put(row.key(), row.value());
                        duplicate++;
                    }
                    case REJECT -> rejected++;
                }
            }
        }
        Map<Integer, String> rows = new TreeMap<>(stored);
        long loaded = 0;
        long replaced = 0;
        for (Map.Entry<Integer, String> winner : winners.entrySet()) {
            @Nullable String before = stored.get(winner.getKey());
            if (before == null) {
                rows.put(winner.getKey(), winner.getValue());
                loaded++;
                continue;
            }
            switch (policy.stored()) {
                case ERROR -> failed = true;
                case KEEP_EXISTING -> duplicate++;
                case REJECT -> rejected++;
                case REPLACE -> {
                    rows.put(winner.getKey(), winner.getValue());
                    loaded++;
                    replaced++;
                }
            }
        }
        return failed
                ? new Outcome(stored, true, 0, 0, 0, 0)
                : new Outcome(rows, false, loaded, rejected, duplicate, replaced);
    }
}
