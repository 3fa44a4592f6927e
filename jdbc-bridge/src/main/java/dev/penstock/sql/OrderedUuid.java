package dev.penstock.sql;

import java.util.UUID;

/**
 * A UUID as Calcite's code has it. Its order is that of servers, to which it is unsigned bytes;
 * Java's class compares two signed numbers. Callers of JDBC get Java's.
 *
 * @param most the first eight bytes
 * @param least the others
 */
public record OrderedUuid(long most, long least) implements Comparable<OrderedUuid> {
    static OrderedUuid of(UUID value) {
        return new OrderedUuid(value.getMostSignificantBits(), value.getLeastSignificantBits());
    }

    public UUID value() {
        return new UUID(most, least);
    }

    @Override
    public int compareTo(OrderedUuid other) {
        int first = Long.compareUnsigned(most, other.most);
        return first != 0 ? first : Long.compareUnsigned(least, other.least);
    }

    @Override
    public String toString() {
        return value().toString();
    }
}
