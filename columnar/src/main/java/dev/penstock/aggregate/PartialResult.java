package dev.penstock.aggregate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The groups of some of the rows with the values of all aggregates. Results of disjoint sets of
 * rows are merged, in any grouping of them. Owned by one thread at a time.
 */
public final class PartialResult {
    private final List<Aggregate> aggregates;
    private final Map<GroupKey, List<PartialValue>> groups = new HashMap<>();

    public PartialResult(List<Aggregate> aggregates) {
        this.aggregates = List.copyOf(aggregates);
    }

    public List<Aggregate> aggregates() {
        return aggregates;
    }

    /** How many groups there are. */
    public int size() {
        return groups.size();
    }

    /** Whether any row of the group was seen. */
    public boolean has(GroupKey key) {
        return groups.containsKey(key);
    }

    /** Values in the order of the aggregates, by group, in no order; not to be changed. */
    public Map<GroupKey, List<PartialValue>> groups() {
        return Collections.unmodifiableMap(groups);
    }

    /** The same in the order of the groups, which are sorted at each call. */
    public SortedMap<GroupKey, List<PartialValue>> sortedGroups() {
        return new TreeMap<>(groups);
    }

    /**
     * Adds the values of a group over more rows; {@code LIMIT} if there are too many groups.
     *
     * @param values one for each aggregate, of its form
     */
    public void add(GroupKey key, List<PartialValue> values) {
        List<PartialValue> known = groups.get(key);
        if (known == null) {
            AggregateQuery.checkGroups(groups.size() + 1);
            groups.put(key, List.copyOf(values));
            return;
        }
        List<PartialValue> merged = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            merged.add(
                    PartialValue.merge(aggregates.get(i).function(), known.get(i), values.get(i)));
        }
        groups.put(key, merged);
    }

    /** Adds a result of other rows for the same aggregates. */
    public void add(PartialResult other) {
        other.groups.forEach(this::add);
    }

    /** The values of the only group of a query that groups by nothing, if any row was seen. */
    public List<PartialValue> single() {
        List<PartialValue> values = groups.get(GroupKey.NONE);
        return values != null ? values : nothing();
    }

    /** The values over no rows. */
    List<PartialValue> nothing() {
        List<PartialValue> values = new ArrayList<>();
        for (Aggregate aggregate : aggregates) {
            boolean count =
                    aggregate.function() == Aggregate.Function.COUNT
                            || aggregate.function() == Aggregate.Function.COUNT_ROWS;
            values.add(count ? new PartialValue.Count(0) : new PartialValue.None());
        }
        return values;
    }
}
