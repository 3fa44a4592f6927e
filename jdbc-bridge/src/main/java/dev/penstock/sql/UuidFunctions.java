package dev.penstock.sql;

import dev.penstock.error.PenstockException;

import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.function.Strict;

import java.nio.ByteBuffer;
import java.util.UUID;

/** What generated code calls where a statement computes with UUIDs, see {@link UuidRules}. */
@Strict
public final class UuidFunctions {
    private static final int BYTES = 16;

    private UuidFunctions() {}

    public static boolean less(OrderedUuid left, OrderedUuid right) {
        return left.compareTo(right) < 0;
    }

    public static boolean lessOrEqual(OrderedUuid left, OrderedUuid right) {
        return left.compareTo(right) <= 0;
    }

    public static boolean greater(OrderedUuid left, OrderedUuid right) {
        return left.compareTo(right) > 0;
    }

    public static boolean greaterOrEqual(OrderedUuid left, OrderedUuid right) {
        return left.compareTo(right) >= 0;
    }

    public static String text(OrderedUuid value) {
        return value.toString();
    }

    public static ByteString bytes(OrderedUuid value) {
        return new ByteString(
                ByteBuffer.allocate(BYTES).putLong(value.most()).putLong(value.least()).array());
    }

    /** The UUID that is written. */
    public static OrderedUuid ofText(String text) {
        try {
            return OrderedUuid.of(UUID.fromString(text));
        } catch (IllegalArgumentException e) {
            throw PenstockException.data("'" + text + "' is no UUID");
        }
    }

    public static OrderedUuid ofBytes(ByteString value) {
        if (value.length() != BYTES) {
            throw PenstockException.data(
                    "a UUID has " + BYTES + " bytes, and not " + value.length());
        }
        ByteBuffer bytes = ByteBuffer.wrap(value.getBytes());
        return new OrderedUuid(bytes.getLong(), bytes.getLong());
    }
}
