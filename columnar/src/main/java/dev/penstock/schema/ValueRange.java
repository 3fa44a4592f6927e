package dev.penstock.schema;

/**
 * The values that a type of kind {@link PhysicalKind#LONG} has, in their physical form.
 *
 * @param smallest inclusive
 * @param largest inclusive
 */
public record ValueRange(long smallest, long largest) {
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    /**
     * Of a type of kind {@code LONG}.
     *
     * @throws IllegalArgumentException if it is of another kind
     */
    public static ValueRange of(ColumnType type) {
        if (type.kind() != PhysicalKind.LONG) {
            throw new IllegalArgumentException(type.sql() + " has no values of kind LONG");
        }
        return switch (type) {
            case ColumnType.BooleanType _ -> new ValueRange(0, 1);
            case ColumnType.TimeType _ -> new ValueRange(0, MICROS_PER_DAY - 1);
            case ColumnType.DecimalType decimal -> {
                long largest = 0;
                for (int digit = 0; digit < decimal.precision(); digit++) {
                    largest = 10 * largest + 9;
                }
                yield new ValueRange(-largest, largest);
            }
            default -> {
                long largest = Long.MAX_VALUE >> 64 - 8 * type.plainBytes();
                yield new ValueRange(-largest - 1, largest);
            }
        };
    }

    public boolean has(long value) {
        return value >= smallest && value <= largest;
    }
}
