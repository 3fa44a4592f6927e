package dev.penstock.aggregate;

import dev.penstock.predicate.Literal;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The values of the group-by columns that the rows of one group share; empty stands for NULL.
 * Ordered by the first column, then by the next; NULL comes last.
 */
public final class GroupKey implements Comparable<GroupKey> {
    /** The only group of a query that groups by nothing. */
    public static final GroupKey NONE = new GroupKey(List.of());

    private final List<Optional<Literal>> values;
    private final int hash;

    public GroupKey(List<Optional<Literal>> values) {
        this.values = List.copyOf(values);
        this.hash = hash(this.values);
    }

    public List<Optional<Literal>> values() {
        return values;
    }

    @Override
    public int compareTo(GroupKey other) {
        int count = Math.min(values.size(), other.values.size());
        for (int i = 0; i < count; i++) {
            int order = compare(values.get(i), other.values.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(values.size(), other.values.size());
    }

    private static int compare(Optional<Literal> left, Optional<Literal> right) {
        if (left.isEmpty() || right.isEmpty()) {
            return Boolean.compare(left.isEmpty(), right.isEmpty());
        }
        return switch (left.get()) {
            case Literal.LongLiteral(long a) ->
                    right.get() instanceof Literal.LongLiteral(long b) ? Long.compare(a, b) : -1;
            case Literal.BytesLiteral(byte[] a) ->
                    right.get() instanceof Literal.BytesLiteral(byte[] b)
                            ? Arrays.compareUnsigned(a, b)
                            : 1;
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GroupKey key && compareTo(key) == 0;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    private static int hash(List<Optional<Literal>> values) {
        int hash = 1;
        for (Optional<Literal> value : values) {
            int part =
                    switch (value.orElse(null)) {
                        case null -> 0;
                        case Literal.LongLiteral(long number) -> Long.hashCode(number);
                        case Literal.BytesLiteral(byte[] bytes) -> Arrays.hashCode(bytes);
                    };
            hash = 31 * hash + part;
        }
        return hash;
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
