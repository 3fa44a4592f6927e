package dev.penstock.aggregate;

import dev.penstock.aggregate.Aggregate.Function;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.FloatSums;

import java.math.BigInteger;
import java.util.Arrays;

/** The value of one aggregate over some of the rows, in a form that can be merged with others'. */
public sealed interface PartialValue {
    /** No row had a value. */
    record None() implements PartialValue {}

    record Count(long rows) implements PartialValue {}

    /** The sum of integers, or of decimals as unscaled values. */
    record ExactSum(BigInteger sum) implements PartialValue {}

    /**
     * A sum of floating point numbers with what its rounding has lost ({@link FloatSums}), so that
     * the order of the rows matters in the last digit at most. Not finite if any of the numbers is
     * not.
     */
    record FloatSum(double sum, double lost) implements PartialValue {
        public double value() {
            return Double.isFinite(sum) ? sum + lost : sum;
        }

        FloatSum plus(double number) {
            double total = sum + number;
            return new FloatSum(total, lost + FloatSums.lost(sum, number, total));
        }
    }

    /** Smallest or greatest value of a column of longs, in the column's physical form. */
    record LongValue(long value) implements PartialValue {}

    /** Smallest or greatest value of a column of byte strings. */
    record BytesValue(byte[] value) implements PartialValue {
        @Override
        public boolean equals(Object other) {
            return other instanceof BytesValue that && Arrays.equals(value, that.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }
    }

    /** The value over both sets of rows. */
    static PartialValue merge(Function function, PartialValue left, PartialValue right) {
        if (left instanceof None) {
            return right;
        }
        if (left.getClass() != right.getClass() && !(right instanceof None)) {
            throw PenstockException.corrupt(
                    "parts of a result have different forms: " + left + " and " + right);
        }
        return switch (right) {
            case None _ -> left;
            case Count(long rows) -> new Count(((Count) left).rows() + rows);
            case ExactSum(BigInteger sum) -> new ExactSum(((ExactSum) left).sum().add(sum));
            case FloatSum(double sum, double lost) -> {
                FloatSum both = ((FloatSum) left).plus(sum);
                yield new FloatSum(both.sum(), both.lost() + lost);
            }
            case LongValue(long value) -> {
                long other = ((LongValue) left).value();
                yield (other <= value) == (function == Function.MIN) ? left : right;
            }
            case BytesValue(byte[] value) -> {
                int order = Arrays.compareUnsigned(((BytesValue) left).value(), value);
                yield (order <= 0) == (function == Function.MIN) ? left : right;
            }
        };
    }

    /** Whether an aggregate of that function can have this value. */
    default boolean fits(Function function) {
        return switch (this) {
            case None _ -> function != Function.COUNT && function != Function.COUNT_ROWS;
            case Count _ -> function == Function.COUNT || function == Function.COUNT_ROWS;
            case ExactSum _, FloatSum _ -> function == Function.SUM;
            case LongValue _, BytesValue _ -> function == Function.MIN || function == Function.MAX;
        };
    }
}
