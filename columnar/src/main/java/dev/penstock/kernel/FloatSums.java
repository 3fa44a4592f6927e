package dev.penstock.kernel;

/**
 * Sums of doubles that keep what rounding has lost (Knuth, "The Art of Computer Programming",
 * volume 2, section 4.2.2, theorem B, whose six operations ask for no comparison). Four sums side
 * by side, since each waits for the one before.
 */
public final class FloatSums {
    private FloatSums() {}

    /**
     * Adds numbers to {@code sums[at]}, and what that loses to {@code lost[at]}. If one of them or
     * of the sums is not finite, neither is the new sum, and what is lost means nothing.
     *
     * @param ordered the numbers, as longs in their order
     */
    public static void add(long[] ordered, int count, double[] sums, double[] lost, int at) {
        double sum0 = sums[at];
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        double lost0 = 0;
        double lost1 = 0;
        double lost2 = 0;
        double lost3 = 0;
        int i = 0;
        for (; i <= count - 4; i += 4) {
            double number0 = number(ordered[i]);
            double number1 = number(ordered[i + 1]);
            double number2 = number(ordered[i + 2]);
            double number3 = number(ordered[i + 3]);
            double total0 = sum0 + number0;
            double total1 = sum1 + number1;
            double total2 = sum2 + number2;
            double total3 = sum3 + number3;
            lost0 += lost(sum0, number0, total0);
            lost1 += lost(sum1, number1, total1);
            lost2 += lost(sum2, number2, total2);
            lost3 += lost(sum3, number3, total3);
            sum0 = total0;
            sum1 = total1;
            sum2 = total2;
            sum3 = total3;
        }
        for (; i < count; i++) {
            double number = number(ordered[i]);
            double total = sum0 + number;
            lost0 += lost(sum0, number, total);
            sum0 = total;
        }
        double left = sum0 + sum1;
        double right = sum2 + sum3;
        double sum = left + right;
        if (!Double.isFinite(sum)) {
            addInTurn(ordered, count, sums, lost, at);
            return;
        }
        lost[at] +=
                lost(left, right, sum)
                        + (lost(sum0, sum1, left) + lost(sum2, sum3, right))
                        + (lost0 + lost1 + (lost2 + lost3));
        sums[at] = sum;
    }

    /** One after the other, as sums that are too large apart may not be so together. */
    private static void addInTurn(long[] ordered, int count, double[] sums, double[] lost, int at) {
        for (int i = 0; i < count; i++) {
            double number = number(ordered[i]);
            double total = sums[at] + number;
            lost[at] += lost(sums[at], number, total);
            sums[at] = total;
        }
    }

    /** What is lost where the sum of two numbers is rounded to a total. */
    public static double lost(double one, double other, double total) {
        double added = total - one;
        return (one - (total - added)) + (other - added);
    }

    private static double number(long ordered) {
        return Double.longBitsToDouble(ordered ^ ((ordered >> 63) & Long.MAX_VALUE));
    }
}
