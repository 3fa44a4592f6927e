package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** The scalar forms of {@link CopyKernels}. */
final class ScalarCopy {
    private ScalarCopy() {}

    static int gather(
            byte[] text,
            int[] bounds,
            int first,
            int stride,
            int count,
            byte[] data,
            int[] offsets,
            int row) {
        int at = offsets[row];
        int longest = 0;
        int empty = 0;
        int k = first;
        for (int i = 0; i < count; i++) {
            int start = bounds[k] + 1;
            int length = bounds[k + 1] - start;
            k += stride;
            longest = Math.max(longest, length);
            empty |= length - 1;
            if (length > 32) {
                System.arraycopy(text, start, data, at, length);
            } else {
                for (int b = 0; b < length; b += 8) {
                    ByteAccess.putLong(data, at + b, ByteAccess.getLong(text, start + b));
                }
            }
            at += length;
            offsets[row + i + 1] = at;
        }
        return empty < 0 ? ~longest : longest;
    }
}
