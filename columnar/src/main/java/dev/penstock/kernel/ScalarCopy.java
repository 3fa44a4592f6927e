package dev.penstock.kernel;

import dev.penstock.bytes.ByteAccess;

/** The scalar forms of {@link CopyKernels}. */
final class ScalarCopy {
    private ScalarCopy() {}

    static void gather(
            byte[] text,
            int[] starts,
            int[] lengths,
            int count,
            byte[] data,
            int[] offsets,
            int row) {
        int at = offsets[row];
        for (int i = 0; i < count; i++) {
            int length = lengths[i];
            int start = starts[i];
            if (length > 32) {
                System.arraycopy(text, start, data, at, length);
            } else {
                for (int k = 0; k < length; k += 8) {
                    ByteAccess.putLong(data, at + k, ByteAccess.getLong(text, start + k));
                }
            }
            at += length;
            offsets[row + i + 1] = at;
        }
    }
}
