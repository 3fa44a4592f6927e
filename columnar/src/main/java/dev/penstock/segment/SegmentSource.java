package dev.penstock.segment;

import dev.penstock.bytes.MemoryCopy;

import java.lang.foreign.MemorySegment;

/** Where a reader finds the bytes of its segment, if they are not in memory all the time. */
public interface SegmentSource {
    /** Length of the segment. */
    long byteSize();

    /** Fills the target with the bytes from {@code offset} on; cheap for the segment's two ends. */
    void copyEnd(long offset, byte[] target);

    /** All bytes, readable until {@link #letGo}; waits for them if need be. */
    MemorySegment bytes();

    /** The bytes are not asked for any more. */
    void letGo();

    /** Bytes that are in memory. */
    record Present(MemorySegment bytes) implements SegmentSource {
        @Override
        public long byteSize() {
            return bytes.byteSize();
        }

        @Override
        public void copyEnd(long offset, byte[] target) {
            MemoryCopy.read(bytes, offset, target);
        }

        @Override
        public void letGo() {}
    }
}
