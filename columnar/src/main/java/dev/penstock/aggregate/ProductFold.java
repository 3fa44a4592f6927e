package dev.penstock.aggregate;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/**
 * Sums of one product by group. For some rows of one block or batch after the other: {@link
 * #begin}, {@link #multiply} for each term, {@link #add}. Products are longs as long as the bounds
 * of the terms say that none overflows, and big integers else. Owned by one thread.
 */
final class ProductFold {
    /** The number of no group. */
    static final int NO_GROUP = -1;

    private final Product product;
    private final LongFold fold;
    private long[] values = new long[0];
    private BigInteger[] wide = new BigInteger[0];
    private long[] validity = new long[0];
    private boolean anyNull;
    private int count;
    private int done;

    /** No product's distance from 0 is greater; negative if they are wide. */
    private long bound;

    ProductFold(Product product, int column, List<Aggregate> aggregates) {
        this.product = product;
        this.fold = new LongFold(column, aggregates);
    }

    List<Product.Term> terms() {
        return product.terms();
    }

    LongFold fold() {
        return fold;
    }

    void begin(int rows) {
        if (values.length < rows) {
            values = new long[rows];
        }
        count = rows;
        done = 0;
        bound = 1;
        anyNull = false;
    }

    /**
     * Takes the next term.
     *
     * @param column a value for each row
     * @param min no value that is not NULL is smaller
     * @param max nor greater
     * @param valid bits of the rows that are not NULL; null if none is
     * @param words how many words of {@code valid} have such bits
     */
    void multiply(long[] column, long min, long max, long @Nullable [] valid, int words) {
        Product.Term term = product.terms().get(done);
        if (valid != null) {
            intersect(valid, words);
        }
        long most = min > max ? 0 : term.bound(min, max);
        long product = most < 0 || bound < 0 ? -1 : product(bound, most);
        if (product < 0) {
            multiplyWide(term, column);
        } else if (done == 0) {
            first(values, column, count, term.constant(), term.negated() ? -1 : 1);
        } else {
            next(values, column, count, term.constant(), term.negated() ? -1 : 1);
        }
        bound = product;
        done++;
    }

    private static long product(long left, long right) {
        return Math.multiplyHigh(left, right) != 0 || left * right < 0 ? -1 : left * right;
    }

    private static void first(long[] out, long[] column, int count, long constant, long sign) {
        for (int i = 0; i < count; i++) {
            out[i] = constant + sign * column[i];
        }
    }

    private static void next(long[] out, long[] column, int count, long constant, long sign) {
        for (int i = 0; i < count; i++) {
            out[i] *= constant + sign * column[i];
        }
    }

    private void multiplyWide(Product.Term term, long[] column) {
        if (wide.length < count) {
            wide = new BigInteger[count];
        }
        BigInteger constant = BigInteger.valueOf(term.constant());
        for (int i = 0; i < count; i++) {
            BigInteger value = BigInteger.valueOf(column[i]);
            BigInteger factor = term.negated() ? constant.subtract(value) : constant.add(value);
            if (done == 0) {
                wide[i] = factor;
            } else {
                wide[i] = (bound < 0 ? wide[i] : BigInteger.valueOf(values[i])).multiply(factor);
            }
        }
    }

    private void intersect(long[] valid, int words) {
        if (!anyNull) {
            if (validity.length < words) {
                validity = new long[words];
            }
            Arrays.fill(validity, 0, words, -1L);
            anyNull = true;
        }
        for (int i = 0; i < words; i++) {
            validity[i] &= valid[i];
        }
    }

    /**
     * Adds the products to their groups.
     *
     * @param ids group of each row, null if there is one group only
     * @param rows bit of each row in the words of validity, null if that is its position
     * @param spare a group whose sum nobody asks for: it may have products that are beyond any sum
     */
    void add(int @Nullable [] ids, int @Nullable [] rows, int spare) {
        if (bound >= 0) {
            fold.add(ids, count, values, anyNull ? validity : null, rows, bound);
            return;
        }
        for (int i = 0; i < count; i++) {
            int group = ids == null ? 0 : ids[i];
            if (group == spare) {
                continue;
            }
            int row = rows == null ? i : rows[i];
            if (anyNull && (validity[row >> 6] >>> row & 1) == 0) {
                fold.addNulls(group, 1);
            } else if (fold.summed()) {
                fold.exact().add(group, wide[i]);
            }
        }
    }
}
