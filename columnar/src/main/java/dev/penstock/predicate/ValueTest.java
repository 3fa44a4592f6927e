package dev.penstock.predicate;

import dev.penstock.bytes.ByteAccess;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A condition on single values that are not NULL, prepared: comparisons of longs are ranges, lists
 * are sorted. Immutable.
 */
public sealed interface ValueTest {
    /** The test of a leaf. */
    static ValueTest of(Predicate.Compare compare) {
        return switch (compare.literal()) {
            case Literal.LongLiteral(long value) -> Longs.compare(compare.operator(), value);
            case Literal.BytesLiteral(byte[] value) -> new BytesCompare(compare.operator(), value);
        };
    }

    /** The test of a leaf; {@code isLong} says of which kind the column is. */
    static ValueTest of(Predicate.In in, boolean isLong) {
        if (isLong) {
            long[] values = new long[in.literals().size()];
            int count = 0;
            for (Literal literal : in.literals()) {
                if (literal instanceof Literal.LongLiteral(long value)) {
                    values[count++] = value;
                }
            }
            values = Arrays.copyOf(values, count);
            Arrays.sort(values);
            return new LongSet(values, in.negated());
        }
        List<byte[]> values = new ArrayList<>();
        for (Literal literal : in.literals()) {
            if (literal instanceof Literal.BytesLiteral(byte[] value)) {
                values.add(value);
            }
        }
        byte[][] sorted = values.toArray(new byte[0][]);
        Arrays.sort(sorted, Arrays::compareUnsigned);
        return new BytesSet(sorted, in.negated());
    }

    static ValueTest of(Predicate.StartsWith startsWith) {
        return new Prefix(startsWith.prefix(), startsWith.negated());
    }

    /** Tests of longs. */
    sealed interface Longs extends ValueTest {
        boolean matches(long value);

        /** Sets bit i of {@code bits} to whether {@code values[i]} matches, for i in [0, count). */
        void select(long[] values, int count, long[] bits);

        /** Whether any value from min to max may match. */
        boolean mayMatch(long min, long max);

        private static Longs compare(Predicate.Operator operator, long value) {
            return switch (operator) {
                case EQUAL -> new LongRange(value, value, false);
                case NOT_EQUAL -> new LongRange(value, value, true);
                case LESS ->
                        value == Long.MIN_VALUE
                                ? new LongRange(1, 0, false)
                                : new LongRange(Long.MIN_VALUE, value - 1, false);
                case LESS_OR_EQUAL -> new LongRange(Long.MIN_VALUE, value, false);
                case GREATER ->
                        value == Long.MAX_VALUE
                                ? new LongRange(1, 0, false)
                                : new LongRange(value + 1, Long.MAX_VALUE, false);
                case GREATER_OR_EQUAL -> new LongRange(value, Long.MAX_VALUE, false);
            };
        }
    }

    /** Tests of byte strings. */
    sealed interface Bytes extends ValueTest {
        boolean matches(byte[] data, int from, int to);
    }

    /** From low to high, both inclusive; empty if low is greater. */
    record LongRange(long low, long high, boolean negated) implements Longs {
        @Override
        public boolean matches(long value) {
            return (low <= value && value <= high) != negated;
        }

        @Override
        public void select(long[] values, int count, long[] bits) {
            long flip = negated ? -1L : 0;
            for (int start = 0; start < count; start += 64) {
                long word = 0;
                int end = Math.min(64, count - start);
                for (int i = 0; i < end; i++) {
                    long value = values[start + i];
                    long in = low <= value && value <= high ? 1 : 0;
                    word |= in << i;
                }
                bits[start >> 6] = word ^ flip;
            }
            clearBeyond(bits, count);
        }

        @Override
        public boolean mayMatch(long min, long max) {
            return negated ? low > min || high < max : low <= max && min <= high;
        }
    }

    /** Any of a list, which ascends. */
    record LongSet(long[] values, boolean negated) implements Longs {
        @Override
        public boolean matches(long value) {
            return Arrays.binarySearch(values, value) >= 0 != negated;
        }

        @Override
        public void select(long[] tested, int count, long[] bits) {
            for (int start = 0; start < count; start += 64) {
                long word = 0;
                int end = Math.min(64, count - start);
                for (int i = 0; i < end; i++) {
                    word |= (matches(tested[start + i]) ? 1L : 0) << i;
                }
                bits[start >> 6] = word;
            }
        }

        @Override
        public boolean mayMatch(long min, long max) {
            if (negated) {
                return true;
            }
            int at = Arrays.binarySearch(values, min);
            at = at >= 0 ? at : -at - 1;
            return at < values.length && values[at] <= max;
        }
    }

    /** Byte string against byte string, unsigned. */
    record BytesCompare(Predicate.Operator operator, byte[] value) implements Bytes {
        @Override
        public boolean matches(byte[] data, int from, int to) {
            int order = ByteAccess.compare(data, from, to, value, 0, value.length);
            return switch (operator) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
            };
        }
    }

    /** Any of a list, which ascends. */
    record BytesSet(byte[][] values, boolean negated) implements Bytes {
        @Override
        public boolean matches(byte[] data, int from, int to) {
            int low = 0;
            int high = values.length - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                byte[] value = values[middle];
                int order = ByteAccess.compare(value, 0, value.length, data, from, to);
                if (order == 0) {
                    return !negated;
                }
                if (order < 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return negated;
        }
    }

    /** Byte strings that start with a prefix. */
    record Prefix(byte[] prefix, boolean negated) implements Bytes {
        @Override
        public boolean matches(byte[] data, int from, int to) {
            boolean starts =
                    to - from >= prefix.length
                            && Arrays.equals(
                                    data, from, from + prefix.length, prefix, 0, prefix.length);
            return starts != negated;
        }
    }

    private static void clearBeyond(long[] bits, int count) {
        if ((count & 63) != 0) {
            bits[count >> 6] &= (1L << count) - 1;
        }
    }
}
