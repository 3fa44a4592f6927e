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
    private static final int MIN_BLOCK_BYTES = 2 << 10;
    private static final int MIN_BLOCK_RECORDS = 8;
    private static final int WANTED_BLOCKS = 256;

    /**
     * In a sorted input a split point lies somewhere in a block, but ought to lie somewhere in its
     * stratum: off by half a stratum at most, so by 1/128 of a region on each side.
     */
    private static final int BLOCKS_PER_REGION = 64;

    /** How far from the middle of its stratum a block may lie, as a share of the stratum. */
    private static final double JITTER = 0.25;

    private BlockPlanner() {}

    /**
     * @param sampleBytes bytes to read in all, about
     * @param recordBytes mean bytes of a record
     * @param regionCount regions that will be made of the sample
     * @return blocks in order of source and position; they do not overlap
     */
    public static List<ProbeBlock> plan(
            List<? extends SampleSource> sources,
            long sampleBytes,
            double recordBytes,
            int regionCount,
            long seed) {
        long total = totalBytes(sources);
        SplittableRandom random = new SplittableRandom(seed);
        boolean everything = sampleBytes * 2 >= total;
        int wantedBlocks = Math.max(WANTED_BLOCKS, BLOCKS_PER_REGION * regionCount);
        int blockBytes =
                Math.clamp(sampleBytes / wantedBlocks, leastBytes(recordBytes), MAX_BLOCK_BYTES);
        List<ProbeBlock> blocks = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            SampleSource source = sources.get(i);
            long bytes = dataBytes(source);
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

    /**
     * Blocks that begin where equal parts of the concatenated sources do, but for the first part.
     */
    public static List<ProbeBlock> borders(
            List<? extends SampleSource> sources, double recordBytes, int partCount) {
        long total = totalBytes(sources);
        List<ProbeBlock> blocks = new ArrayList<>();
        int source = 0;
        long before = 0;
        for (int part = 1; part < partCount; part++) {
            long border = (long) ((double) total * part / partCount);
            while (border - before >= dataBytes(sources.get(source))) {
                before += dataBytes(sources.get(source));
                source++;
            }
            SampleSource input = sources.get(source);
            long at = input.dataStart() + border - before;
            long length = Math.min(leastBytes(recordBytes), input.size() - at);
            blocks.add(new ProbeBlock(source, at, (int) length));
        }
        return blocks;
    }

    /** Whether the blocks can be read in any order: none goes on where another one ends. */
    public static boolean areApart(List<ProbeBlock> blocks, List<? extends SampleSource> sources) {
        for (int i = 0; i < blocks.size(); i++) {
            if (!sources.get(blocks.get(i).source()).seekable()
                    || i > 0 && blocks.get(i).follows(blocks.get(i - 1))) {
                return false;
            }
        }
        return !blocks.isEmpty();
    }

    private static int leastBytes(double recordBytes) {
        return (int) Math.clamp(MIN_BLOCK_RECORDS * recordBytes, MIN_BLOCK_BYTES, MAX_BLOCK_BYTES);
    }

    private static long totalBytes(List<? extends SampleSource> sources) {
        long total = 0;
        for (SampleSource source : sources) {
            total += dataBytes(source);
        }
        return total;
    }

    private static long dataBytes(SampleSource source) {
        return Math.max(0, source.size() - source.dataStart());
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
            long end = input.dataStart() + (long) ((i + 1) * stratum);
            double slack = Math.max(0, end - from - blockBytes);
            double place = 0.5 + JITTER * (random.nextDouble() - 0.5);
            long at = from + (long) (slack * place);
            blocks.add(new ProbeBlock(source, at, (int) Math.min(blockBytes, end - at)));
        }
    }
}
