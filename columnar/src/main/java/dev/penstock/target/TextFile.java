package dev.penstock.target;

import java.nio.channels.FileChannel;

/**
 * An open file with text, and how another process of the machine finds the same one.
 *
 * @param channel reads it
 * @param path where it is, absolute and without links; empty if it has no name any more
 * @param key tells it from what may have its path later, or in another process; empty if nobody
 *     can say
 * @param bytes its size
 */
public record TextFile(FileChannel channel, String path, String key, long bytes) {
    /** Whether another process can know it. */
    public boolean isKnown() {
        return !key.isEmpty() && !path.isEmpty();
    }
}
