package dev.penstock.sql;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * A UUID as Calcite's code has it. Its order is that of servers, to which it is unsigned bytes;
 * Java's class compares two signed numbers. Callers of JDBC get Java's. To what writes JSON it is
 * its text, as every sequence of characters without properties is.
 */
public final class OrderedUuid implements Comparable<OrderedUuid>, CharSequence {
    static final int BYTES = 16;

    private final long most;
    private final long least;

    /**
     * Of its bytes.
     *
     * @param most the first eight
     * @param least the others
     */
    private OrderedUuid(long most, long least) {
        this.most = most;
        this.least = least;
    }

    static OrderedUuid of(UUID value) {
        return new OrderedUuid(value.getMostSignificantBits(), value.getLeastSignificantBits());
    }

    /** Of its {@link #BYTES} bytes, as servers have them. */
    static OrderedUuid of(byte[] stored) {
        ByteBuffer bytes = ByteBuffer.wrap(stored);
        return new OrderedUuid(bytes.getLong(), bytes.getLong());
    }

    /** As servers have it. */
    byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(most).putLong(least).array();
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
    public boolean equals(@Nullable Object other) {
        return other instanceof OrderedUuid uuid && most == uuid.most && least == uuid.least;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(most) * 31 + Long.hashCode(least);
    }

    @Override
    public int length() {
        return toString().length();
    }

    @Override
    public char charAt(int index) {
        return toString().charAt(index);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return toString().subSequence(from, to);
    }

    @Override
    public String toString() {
        return value().toString();
    }
}
