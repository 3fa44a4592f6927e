package dev.penstock.sampler.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Spreads blocks evenly over all sources: the concatenated sources are divided into equal strata,
 * and one block is read from a random place in each. So a sorted input is sampled at every
 * quantile, and a shuffled one as if at random. Sources that cannot be sought are read from their
 * start, as many bytes as their share of the whole.
 */
public final class BlockPlanner {
    private static final int MAX_BLOCK_BYTES = 64 << 10;
    private static final int MIN_BLOCK_BYTES = 4 << 10;
    private static final int WANTED_BLOCKS = 256;

    private BlockPlanner() {}

    /**
     * @param sampleBytes bytes to read in all, about
     * @return blocks in order of source and position; they do not overlap
     */
    public static List<ProbeBlock> plan(
            List<? extends SampleSource> sources, long sampleBytes, long seed) {
        long total = 0;
        for (SampleSource source : sources) {
            total += Math.max(0, source.size() - source.dataStart());
        }
        SplittableRandom random = new SplittableRandom(seed);
        boolean everything = sampleBytes * 2 >= total;
        long wanted = sampleBytes / WANTED_BLOCKS;
        int blockBytes = Math.clamp(wanted, MIN_BLOCK_BYTES, MAX_BLOCK_BYTES);
        List<ProbeBlock> blocks = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            SampleSource source = sources.get(i);
            long bytes = Math.max(0, source.size() - source.dataStart());
            if (everything) {
                addRange(blocks, i, source.dataStart(), bytes);
            } else if (bytes > 0) {
                long share = Math.max(blockBytes, Math.round((double) sampleBytes * bytes / total));
                if (source.seekable()) {
                    addStrata(blocks, i, source, Math.min(share, bytes), blockBytes, random);
                } else {
                    addRange(blocks, i, source.dataStart(), share);
                }
            }
        }
        return blocks;
    }

    private static void addRange(List<ProbeBlock> blocks, int source, long from, long bytes) {
        for (long done = 0; done < bytes; done += MAX_BLOCK_BYTES) {
            blocks.add(
                    new ProbeBlock(
                            source, from + done, (int) Math.min(MAX_BLOCK_BYTES, bytes - done)));
        }
    }

    private static void addStrata(
            List<ProbeBlock> blocks,
            int source,
            SampleSource input,
            long share,
            int blockBytes,
            SplittableRandom random) {
        long bytes = input.size() - input.dataStart();
        int count = (int) Math.max(1, (share + blockBytes - 1) / blockBytes);
        double stratum = (double) bytes / count;
        for (int i = 0; i < count; i++) {
            long from = input.dataStart() + (long) (i * stratum);
            long slack = Math.max(0, (long) stratum - blockBytes);
            long at = from + (slack == 0 ? 0 : random.nextLong(slack + 1));
            long end = input.dataStart() + (long) ((i + 1) * stratum);
            blocks.add(new ProbeBlock(source, at, (int) Math.min(blockBytes, end - at)));
        }
    }
}
