package dev.penstock.loader.fake;

import java.util.Arrays;
import java.util.Random;

/**
 * Changed bytes for decoders: {@code -Dpenstock.fuzz.executions=N} of each, {@code
 * -Dpenstock.fuzz.seed=N}.
 */
public final class Mutations {
    public static final long EXECUTIONS = Long.getLong("penstock.fuzz.executions", 15_000);
    public static final long SEED = Long.getLong("penstock.fuzz.seed", 1);

    private static final int[] NUMBERS = {
        0, 1, -1, 8, 255, 65_535, 1 << 20, 1 << 28, Integer.MAX_VALUE, Integer.MIN_VALUE
    };

    private Mutations() {}

    /** One to three changes: bits, bytes, numbers that may be lengths, ends and insertions. */
    public static byte[] of(byte[] good, Random random) {
        byte[] bytes = good.clone();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            bytes = changed(bytes, random);
        }
        return bytes;
    }

    private static byte[] changed(byte[] bytes, Random random) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> putNumber(bytes, at, NUMBERS[random.nextInt(NUMBERS.length)]);
            case 3 -> {
                return Arrays.copyOf(bytes, at);
            }
            default -> {
                return inserted(bytes, at, random);
            }
        }
        return bytes;
    }

    private static void putNumber(byte[] bytes, int at, int number) {
        for (int i = 0; i < 4 && at + i < bytes.length; i++) {
            bytes[at + i] = (byte) (number >>> 8 * i);
        }
    }

    /** Some more bytes, by chance or a piece of the same. */
    private static byte[] inserted(byte[] bytes, int at, Random random) {
        byte[] more = new byte[1 + random.nextInt(12)];
        if (random.nextBoolean()) {
            random.nextBytes(more);
        } else {
            int from = random.nextInt(bytes.length);
            more = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + more.length));
        }
        byte[] longer = new byte[bytes.length + more.length];
        System.arraycopy(bytes, 0, longer, 0, at);
        System.arraycopy(more, 0, longer, at, more.length);
        System.arraycopy(bytes, at, longer, at + more.length, bytes.length - at);
        return longer;
    }
}
