package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** The scalar forms of {@link CopyKernels}: words are copied without a look at the length. */
final class ScalarCopy {
    private static final int TINY = 16;
    private static final int SHORT = 32;
    private static final int LONG = 64;

    private ScalarCopy() {}

    /**
     * @param longest length of the longest field
     */
    static void gather(
            byte[] text,
            int[] before,
            int[] end,
            int count,
            byte[] data,
            int[] offsets,
            int row,
            int longest) {
        if (longest <= TINY) {
            gatherTiny(text, before, end, count, data, offsets, row);
        } else if (longest <= SHORT) {
            gatherShort(text, before, end, count, data, offsets, row);
        } else {
            gatherLong(text, before, end, count, data, offsets, row);
        }
    }

    private static void gatherTiny(
            byte[] text, int[] before, int[] end, int count, byte[] data, int[] offsets, int row) {
        int at = offsets[row];
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            ByteAccess.putLong(data, at, ByteAccess.getLong(text, start));
            ByteAccess.putLong(data, at + 8, ByteAccess.getLong(text, start + 8));
            at += end[i] - start;
            offsets[row + i + 1] = at;
        }
    }

    private static void gatherShort(
            byte[] text, int[] before, int[] end, int count, byte[] data, int[] offsets, int row) {
        int at = offsets[row];
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            for (int k = 0; k < SHORT; k += 8) {
                ByteAccess.putLong(data, at + k, ByteAccess.getLong(text, start + k));
            }
            at += end[i] - start;
            offsets[row + i + 1] = at;
        }
    }

    private static void gatherLong(
            byte[] text, int[] before, int[] end, int count, byte[] data, int[] offsets, int row) {
        int at = offsets[row];
        for (int i = 0; i < count; i++) {
            int start = before[i] + 1;
            int length = end[i] - start;
            for (int k = 0; k < LONG; k += 8) {
                ByteAccess.putLong(data, at + k, ByteAccess.getLong(text, start + k));
            }
            if (length > LONG) {
                System.arraycopy(text, start + LONG, data, at + LONG, length - LONG);
            }
            at += length;
            offsets[row + i + 1] = at;
        }
    }
}
