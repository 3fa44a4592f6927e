package dev.penstock.kv.fuzz;

import dev.penstock.bytes.ByteAccess;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Changes of a message: bits, numbers that may be lengths, pieces of itself and of others. */
public final class Mutation {
    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        7,
        8,
        63,
        64,
        127,
        128,
        255,
        256,
        8191,
        8192,
        8193,
        65_535,
        1 << 20,
        1 << 28,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private Mutation() {}

    /** One to four changes of one of the messages. */
    public static byte[] of(List<byte[]> good, int message, Random random) {
        byte[] bytes = good.get(message).clone();
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            bytes = changed(bytes, good.get(random.nextInt(good.size())), random);
        }
        return bytes;
    }

    private static byte[] changed(byte[] bytes, byte[] other, Random random) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(9)) {
            case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] = (byte) random.nextInt();
            case 3, 4 -> putNumber(bytes, at, NUMBERS[random.nextInt(NUMBERS.length)], random);
            case 5 -> putNumber(bytes, at, number(bytes, at) + random.nextInt(5) - 2, random);
            case 6 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 7 -> {
                return spliced(bytes, at, other, random);
            }
            default -> {
                return spliced(bytes, at, bytes, random);
            }
        }
        return bytes;
    }

    private static long number(byte[] bytes, int at) {
        return at + 4 <= bytes.length ? ByteAccess.getInt(bytes, at) : bytes[at];
    }

    private static void putNumber(byte[] bytes, int at, long number, Random random) {
        if (at + 8 <= bytes.length && random.nextInt(3) == 0) {
            ByteAccess.putLong(bytes, at, number);
        } else if (at + 4 <= bytes.length) {
            ByteAccess.putInt(bytes, at, (int) number);
        } else {
            bytes[at] = (byte) number;
        }
    }

    /** Puts a piece of another message in the place of some bytes. */
    private static byte[] spliced(byte[] bytes, int at, byte[] other, Random random) {
        int from = other.length == 0 ? 0 : random.nextInt(other.length);
        int count = Math.min(other.length - from, 1 + random.nextInt(40));
        int removed = random.nextBoolean() ? Math.min(count, bytes.length - at) : 0;
        byte[] spliced = new byte[bytes.length - removed + count];
        System.arraycopy(bytes, 0, spliced, 0, at);
        System.arraycopy(other, from, spliced, at, count);
        int rest = bytes.length - at - removed;
        System.arraycopy(bytes, at + removed, spliced, at + count, rest);
        return spliced;
    }
}
