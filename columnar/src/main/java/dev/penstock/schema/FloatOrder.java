package dev.penstock.schema;

/**
 * Doubles as longs whose signed order is the total order of {@link Double#compare}: negative values
 * have their lower 63 bits flipped. NaN has one representation and sorts last; -0.0 sorts before
 * 0.0.
 */
public final class FloatOrder {
    private FloatOrder() {}

    public static long toOrdered(double value) {
        long bits = Double.doubleToLongBits(value);
        return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }

    public static double fromOrdered(long ordered) {
        return Double.longBitsToDouble(ordered ^ ((ordered >> 63) & Long.MAX_VALUE));
    }
}
