package dev.penstock.schema;

/**
 * The SQL types of a column and how each is laid out.
 *
 * <p>In memory a value is either a {@code long} or a byte string ({@link PhysicalKind}), always so
 * that the natural order of the representation is the order of the values:
 *
 * <ul>
 *   <li>BOOLEAN 0/1; SMALLINT, INTEGER, BIGINT as they are
 *   <li>REAL, DOUBLE: the IEEE bits of the {@code double}, with the lower 63 bits flipped for
 *       negative values ({@link FloatOrder})
 *   <li>DECIMAL(p,s), p ≤ 18: the unscaled value; p &gt; 18: 16 bytes big-endian two's complement
 *       with the sign bit flipped
 *   <li>DATE: days since 1970-01-01; TIME: microseconds since midnight; TIMESTAMP: microseconds
 *       since 1970-01-01T00:00:00, no time zone
 *   <li>CHAR, VARCHAR: UTF-8 as written (no padding, no trimming); VARBINARY: as it is; UUID: 16
 *       bytes big-endian
 * </ul>
 */
public sealed interface ColumnType {
    /** Largest precision of DECIMAL. */
    int MAX_DECIMAL_PRECISION = 38;

    /** Largest DECIMAL precision that fits a {@code long}. */
    int MAX_LONG_DECIMAL_PRECISION = 18;

    /** Longest CHAR, VARCHAR or VARBINARY a column may declare, and the default. */
    int MAX_LENGTH = 1 << 24;

    PhysicalKind kind();

    /** The type as SQL writes it, {@code DECIMAL(15,2)} for example. */
    String sql();

    /**
     * Bytes of one value in plain (not encoded) form on the wire: 1, 2, 4 or 8 for {@link
     * PhysicalKind#LONG}, 16 for fixed byte strings, and -1 where the length varies.
     */
    int plainBytes();

    /** Whether it is REAL or DOUBLE. */
    default boolean isFloatingPoint() {
        return this instanceof RealType || this instanceof DoubleType;
    }

    record BooleanType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "BOOLEAN";
        }

        @Override
        public int plainBytes() {
            return 1;
        }
    }

    record SmallIntType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "SMALLINT";
        }

        @Override
        public int plainBytes() {
            return 2;
        }
    }

    record IntegerType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "INTEGER";
        }

        @Override
        public int plainBytes() {
            return 4;
        }
    }

    record BigIntType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "BIGINT";
        }

        @Override
        public int plainBytes() {
            return 8;
        }
    }

    record RealType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "REAL";
        }

        @Override
        public int plainBytes() {
            return 8;
        }
    }

    record DoubleType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "DOUBLE";
        }

        @Override
        public int plainBytes() {
            return 8;
        }
    }

    /** {@code precision} digits in all, {@code scale} of them after the point. */
    record DecimalType(int precision, int scale) implements ColumnType {
        public DecimalType {
            if (precision < 1 || precision > MAX_DECIMAL_PRECISION) {
                throw new IllegalArgumentException(
                        "DECIMAL precision "
                                + precision
                                + " is not in 1.."
                                + MAX_DECIMAL_PRECISION);
            }
            if (scale < 0 || scale > precision) {
                throw new IllegalArgumentException(
                        "DECIMAL scale " + scale + " is not in 0.." + precision);
            }
        }

        @Override
        public PhysicalKind kind() {
            return precision <= MAX_LONG_DECIMAL_PRECISION ? PhysicalKind.LONG : PhysicalKind.BYTES;
        }

        @Override
        public String sql() {
            return "DECIMAL(" + precision + "," + scale + ")";
        }

        @Override
        public int plainBytes() {
            return precision <= MAX_LONG_DECIMAL_PRECISION ? 8 : 16;
        }
    }

    record DateType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "DATE";
        }

        @Override
        public int plainBytes() {
            return 4;
        }
    }

    record TimeType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "TIME";
        }

        @Override
        public int plainBytes() {
            return 8;
        }
    }

    record TimestampType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.LONG;
        }

        @Override
        public String sql() {
            return "TIMESTAMP";
        }

        @Override
        public int plainBytes() {
            return 8;
        }
    }

    /** At most {@code length} characters (code points). */
    record CharType(int length) implements ColumnType {
        public CharType {
            checkLength("CHAR", length);
        }

        @Override
        public PhysicalKind kind() {
            return PhysicalKind.BYTES;
        }

        @Override
        public String sql() {
            return "CHAR(" + length + ")";
        }

        @Override
        public int plainBytes() {
            return -1;
        }
    }

    /** At most {@code length} characters (code points). */
    record VarcharType(int length) implements ColumnType {
        public VarcharType {
            checkLength("VARCHAR", length);
        }

        @Override
        public PhysicalKind kind() {
            return PhysicalKind.BYTES;
        }

        @Override
        public String sql() {
            return length == MAX_LENGTH ? "VARCHAR" : "VARCHAR(" + length + ")";
        }

        @Override
        public int plainBytes() {
            return -1;
        }
    }

    /**
     * At most {@code length} bytes; text form is hexadecimal digits, with or without {@code \x}.
     */
    record VarbinaryType(int length) implements ColumnType {
        public VarbinaryType {
            checkLength("VARBINARY", length);
        }

        @Override
        public PhysicalKind kind() {
            return PhysicalKind.BYTES;
        }

        @Override
        public String sql() {
            return length == MAX_LENGTH ? "VARBINARY" : "VARBINARY(" + length + ")";
        }

        @Override
        public int plainBytes() {
            return -1;
        }
    }

    record UuidType() implements ColumnType {
        @Override
        public PhysicalKind kind() {
            return PhysicalKind.BYTES;
        }

        @Override
        public String sql() {
            return "UUID";
        }

        @Override
        public int plainBytes() {
            return 16;
        }
    }

    private static void checkLength(String type, int length) {
        if (length < 1 || length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    type + " length " + length + " is not in 1.." + MAX_LENGTH);
        }
    }
}
