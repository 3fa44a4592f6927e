package dev.penstock.kv.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Contents of a file of a {@link MemoryDisk}: what programs see, what a power cut would leave for
 * certain, and the changes between the two.
 */
final class MemoryFile implements MemoryDisk.Node {
    /** What a disk writes as a whole or not at all. */
    private static final int SECTOR_BYTES = 512;

    /** A write, or a cut if there are no bytes, since the last force. */
    private record Change(int position, byte[] bytes) {}

    private byte[] seen = new byte[0];
    private int length;
    private byte[] forced = new byte[0];
    private final List<Change> pending = new ArrayList<>();

    /** Sectors that are in memory only, although the page cache takes them for written. */
    private final BitSet dropped = new BitSet();

    int length() {
        return length;
    }

    byte[] contents() {
        return Arrays.copyOf(seen, length);
    }

    /** Replaces the contents, durably. */
    void replace(byte[] contents) {
        seen = contents.clone();
        length = contents.length;
        dropped.clear();
        force();
    }

    void write(int position, byte[] bytes) {
        int end = position + bytes.length;
        if (end > seen.length) {
            seen = Arrays.copyOf(seen, Math.max(end, 2 * seen.length));
        }
        System.arraycopy(bytes, 0, seen, position, bytes.length);
        length = Math.max(length, end);
        sectorsOf(position, bytes.length).forEach(dropped::clear);
        pending.add(new Change(position, bytes));
    }

    void cut(int position) {
        Arrays.fill(seen, position, length, (byte) 0);
        length = position;
        pending.add(new Change(position, new byte[0]));
    }

    void force() {
        byte[] before = forced;
        forced = contents();
        for (int i = 0; i < forced.length; i++) {
            if (dropped.get(i / SECTOR_BYTES)) {
                forced[i] = i < before.length ? before[i] : 0;
            }
        }
        pending.clear();
    }

    /** What was to be forced is never written, unless it is written to the file once more. */
    void failForce() {
        for (Change change : pending) {
            sectorsOf(change.position(), change.bytes().length).forEach(dropped::set);
        }
    }

    private static IntStream sectorsOf(int position, int count) {
        return count == 0
                ? IntStream.empty()
                : IntStream.rangeClosed(
                        position / SECTOR_BYTES, (position + count - 1) / SECTOR_BYTES);
    }

    /** What may be found after a power cut now: any sector may be as old as the last force. */
    MemoryFile afterPowerCut(Random random) {
        MemoryFile found = new MemoryFile();
        if (pending.isEmpty()) {
            found.replace(forced);
            return found;
        }
        boolean garbage = random.nextInt(8) == 0;
        byte[] bytes = sectors(random, garbage);
        found.replace(Arrays.copyOf(bytes, foundLength(random)));
        return found;
    }

    /** A length that the file has had since the last force; most often the latest. */
    private int foundLength(Random random) {
        List<Integer> lengths = new ArrayList<>();
        int at = forced.length;
        lengths.add(at);
        for (Change change : pending) {
            int end = change.position() + change.bytes().length;
            at = change.bytes().length == 0 ? end : Math.max(at, end);
            lengths.add(at);
        }
        return random.nextBoolean() ? at : lengths.get(random.nextInt(lengths.size()));
    }

    private byte[] sectors(Random random, boolean garbage) {
        int longest = forced.length;
        for (Change change : pending) {
            longest = Math.max(longest, change.position() + change.bytes().length);
        }
        byte[] cached = Arrays.copyOf(forced, longest);
        byte[] found = cached.clone();
        if (garbage) {
            byte[] rest = new byte[longest - forced.length];
            random.nextBytes(rest);
            System.arraycopy(rest, 0, found, forced.length, rest.length);
        }
        int[] chances = {0, 10, 50, 90, 100};
        int keepPercent = chances[random.nextInt(chances.length)];
        boolean prefix = random.nextInt(4) == 0;
        int kept = prefix ? random.nextInt(pending.size() + 1) : pending.size();
        for (Change change : pending.subList(0, kept)) {
            apply(change, cached);
            int end = change.position() + change.bytes().length;
            int from = change.position() / SECTOR_BYTES * SECTOR_BYTES;
            for (int at = from; at < end; at += SECTOR_BYTES) {
                if (prefix || random.nextInt(100) < keepPercent) {
                    int count = Math.min(SECTOR_BYTES, longest - at);
                    System.arraycopy(cached, at, found, at, count);
                }
            }
        }
        return found;
    }

    private static void apply(Change change, byte[] cached) {
        if (change.bytes().length == 0) {
            Arrays.fill(cached, change.position(), cached.length, (byte) 0);
        } else {
            System.arraycopy(change.bytes(), 0, cached, change.position(), change.bytes().length);
        }
    }

    @Override
    public MemoryFile copy() {
        MemoryFile copy = new MemoryFile();
        copy.seen = seen.clone();
        copy.length = length;
        copy.forced = forced;
        copy.pending.addAll(pending);
        copy.dropped.or(dropped);
        return copy;
    }
}
