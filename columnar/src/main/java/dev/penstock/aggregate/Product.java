package dev.penstock.aggregate;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import java.util.List;

/**
 * A number computed of each row: the product of terms, {@code price * (1 - discount)} for example.
 * Exact; NULL where one of the columns is NULL. Its scale is the sum of the columns' scales.
 *
 * @param terms at least one, at most {@link #MAX_TERMS}
 */
public record Product(List<Term> terms) {
    /** Most terms of a product. */
    public static final int MAX_TERMS = 8;

    /** Beyond this a constant is not taken; decimals of 18 digits are within. */
    private static final long MAX_CONSTANT = 1_000_000_000_000_000_000L;

    /**
     * A column's value plus a constant, or the constant minus the value.
     *
     * @param column index into the table's columns; of integers, or of decimals of at most 18
     *     digits
     * @param constant unscaled, at the column's scale; within 10^18
     * @param negated whether the value is subtracted
     */
    public record Term(int column, long constant, boolean negated) {
        public Term {
            if (constant < -MAX_CONSTANT || constant > MAX_CONSTANT) {
                throw new IllegalArgumentException("a constant of " + constant);
            }
        }

        /** The term for one value; wraps around as longs do. */
        long of(long value) {
            return constant + (negated ? -value : value);
        }

        /** What no term of values from min to max exceeds; negative if that is no long. */
        long bound(long min, long max) {
            try {
                long low = Math.addExact(constant, negated ? Math.negateExact(min) : min);
                long high = Math.addExact(constant, negated ? Math.negateExact(max) : max);
                return Math.max(Math.absExact(low), Math.absExact(high));
            } catch (ArithmeticException e) {
                return -1;
            }
        }
    }

    public Product {
        terms = List.copyOf(terms);
        if (terms.isEmpty() || terms.size() > MAX_TERMS) {
            throw new IllegalArgumentException("a product of " + terms.size() + " terms");
        }
    }

    /** Refuses, as {@code USAGE}, terms of columns that have no exact value as a long. */
    void check(TableSchema schema) {
        for (Term term : terms) {
            if (term.column() < 0
                    || term.column() >= schema.columnCount()
                    || !isExact(schema.column(term.column()).type())) {
                throw PenstockException.usage(
                        "table "
                                + schema.name()
                                + " has no column "
                                + term.column()
                                + " of integers or decimals of at most "
                                + ColumnType.MAX_LONG_DECIMAL_PRECISION
                                + " digits to multiply");
            }
        }
    }

    /** Whether a column of that type can be part of a product. */
    public static boolean isExact(ColumnType type) {
        return switch (type) {
            case ColumnType.SmallIntType _, ColumnType.IntegerType _, ColumnType.BigIntType _ ->
                    true;
            case ColumnType.DecimalType(int precision, int _) ->
                    precision <= ColumnType.MAX_LONG_DECIMAL_PRECISION;
            case ColumnType.RealType _,
                    ColumnType.DoubleType _,
                    ColumnType.BooleanType _,
                    ColumnType.DateType _,
                    ColumnType.TimeType _,
                    ColumnType.TimestampType _,
                    ColumnType.CharType _,
                    ColumnType.VarcharType _,
                    ColumnType.VarbinaryType _,
                    ColumnType.UuidType _ ->
                    false;
        };
    }

    /** Digits behind the point of the product. */
    public int scale(TableSchema schema) {
        int scale = 0;
        for (Term term : terms) {
            scale += scale(schema.column(term.column()).type());
        }
        return scale;
    }

    /** Digits behind the point of a column's values. */
    public static int scale(ColumnType type) {
        return type instanceof ColumnType.DecimalType(int _, int scale) ? scale : 0;
    }
}
