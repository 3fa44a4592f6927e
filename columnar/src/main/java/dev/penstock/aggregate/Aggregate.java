package dev.penstock.aggregate;

/**
 * One value computed from many rows.
 *
 * @param column index into the table's columns; {@link #NO_COLUMN} for {@link Function#COUNT_ROWS};
 *     {@link #ofProduct} for the query's products
 */
public record Aggregate(Function function, int column) {
    public static final int NO_COLUMN = -1;

    private static final int FIRST_PRODUCT = -2;

    /** What is computed. NULLs are left out; what then has no value at all is NULL. */
    public enum Function {
        /** Rows. */
        COUNT_ROWS,
        /** Rows in which the column is not NULL. */
        COUNT,
        /** Exact for integers and decimals; of floating point see {@link PartialValue.FloatSum}. */
        SUM,
        MIN,
        MAX
    }

    public Aggregate {
        if (function == Function.COUNT_ROWS != (column == NO_COLUMN)) {
            throw new IllegalArgumentException(function + " of column " + column);
        }
    }

    /** What stands for a query's product of that position instead of a column. */
    public static int ofProduct(int position) {
        return FIRST_PRODUCT - position;
    }

    /** Whether it is computed of a product. */
    public boolean isOfProduct() {
        return column <= FIRST_PRODUCT;
    }

    /** Which of the query's products it is computed of. */
    public int product() {
        return FIRST_PRODUCT - column;
    }

    public static Aggregate countRows() {
        return new Aggregate(Function.COUNT_ROWS, NO_COLUMN);
    }

    public static Aggregate count(int column) {
        return new Aggregate(Function.COUNT, column);
    }

    public static Aggregate sum(int column) {
        return new Aggregate(Function.SUM, column);
    }

    public static Aggregate min(int column) {
        return new Aggregate(Function.MIN, column);
    }

    public static Aggregate max(int column) {
        return new Aggregate(Function.MAX, column);
    }
}
