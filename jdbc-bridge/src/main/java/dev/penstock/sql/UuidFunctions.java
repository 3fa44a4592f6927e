package dev.penstock.sql;

import dev.penstock.error.PenstockException;

import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.function.Strict;

import java.util.UUID;

/** What generated code calls where a statement computes with UUIDs, see {@link UuidRules}. */
@Strict
public final class UuidFunctions {
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
        return new ByteString(value.bytes());
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
        if (value.length() != OrderedUuid.BYTES) {
            throw PenstockException.data(
                    "a UUID has " + OrderedUuid.BYTES + " bytes, and not " + value.length());
        }
        return OrderedUuid.of(value.getBytes());
    }
}
