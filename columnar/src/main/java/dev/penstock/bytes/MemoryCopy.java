package dev.penstock.bytes;

import java.lang.foreign.MemorySegment;

/**
 * Copies between arrays and memory. Java's own copies from and to arrays ask by a switch over types
 * which kind of array they have. The code of that is made when it is first run, so every process
 * would pay some milliseconds for it in the middle of a load.
 */
public final class MemoryCopy {
    private MemoryCopy() {}

    /**
     * Copies {@code source[offset, offset + length)} to {@code target[at, at + length)}.
     *
     * @throws IndexOutOfBoundsException if one of them has not so many
     * @throws InternalError if the memory is that of a file which cannot be read
     */
    public static void read(MemorySegment source, long offset, byte[] target, int at, int length) {
        MemorySegment.copy(source, offset, MemorySegment.ofArray(target), at, length);
    }

    /** Fills the target with what begins at the offset. */
    public static void read(MemorySegment source, long offset, byte[] target) {
        read(source, offset, target, 0, target.length);
    }

    /** Copies the first bytes of the source to {@code target[offset, offset + length)}. */
    public static void write(byte[] source, MemorySegment target, long offset, int length) {
        MemorySegment.copy(MemorySegment.ofArray(source), 0, target, offset, length);
    }
}
