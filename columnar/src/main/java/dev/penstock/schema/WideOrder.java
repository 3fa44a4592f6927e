package dev.penstock.schema;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The unscaled values of DECIMALs of more than 18 digits as byte strings in the order of the
 * values: 16 bytes big-endian two's complement with the sign bit flipped.
 */
public final class WideOrder {
    private static final int BYTES = 16;
    private static final byte SIGN = (byte) 0x80;

    private WideOrder() {}

    /**
     * The bytes of a value of at most 127 bits and a sign.
     *
     * @throws IllegalArgumentException if it is larger
     */
    public static byte[] toOrdered(BigInteger value) {
        byte[] digits = value.toByteArray();
        if (digits.length > BYTES) {
            throw new IllegalArgumentException(value + " does not fit into 16 bytes");
        }
        byte[] ordered = new byte[BYTES];
        Arrays.fill(ordered, (byte) (value.signum() < 0 ? -1 : 0));
        System.arraycopy(digits, 0, ordered, BYTES - digits.length, digits.length);
        ordered[0] ^= SIGN;
        return ordered;
    }

    /** The value of {@code data[from .. to)}, at least one byte. */
    public static BigInteger fromOrdered(byte[] data, int from, int to) {
        byte[] bytes = Arrays.copyOfRange(data, from, to);
        bytes[0] ^= SIGN;
        return new BigInteger(bytes);
    }
}
