package dev.penstock.sampler.probe;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Spreads blocks evenly over all sources: the concatenated sources are divided into equal strata,
 * and one block is read from a random place in each. So a sorted input is sampled at every
 * quantile, and a shuffled one as if at random. Sources that cannot be sought are read from their
 * start, as many bytes as their share of the whole. A source whose share is many blocks has strata
 * of its own; of sources that are too small for that ({@link SmallSources}) most may not be read.
 */
public final class BlockPlanner {
    private static final int MAX_BLOCK_BYTES = 64 << 10;
    private static final int MIN_BLOCK_BYTES = 2 << 10;
    private static final int MIN_BLOCK_RECORDS = 8;

    /** Where records are long: one begins in the first half of a block, and ends in it. */
    private static final int MAX_LONG_BLOCK_BYTES = 1 << 20;

    private static final int WANTED_BLOCKS = 256;

    /**
     * In a sorted input a split point lies somewhere in a block, but ought to lie somewhere in its
     * stratum: off by half a stratum at most, so by 1/128 of a region on each side.
     */
    private static final int BLOCKS_PER_REGION = 64;

    /** With fewer, the one that rounding up gives to each source would count too much. */
    private static final int MIN_OWN_BLOCKS = 4;

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
        int least = leastBytes(recordBytes);
        int blockBytes =
                Math.clamp(sampleBytes / wantedBlocks, least, Math.max(least, MAX_BLOCK_BYTES));
        double sampledShare = (double) sampleBytes / Math.max(1, total);
        long leastOwnBytes = (long) (MIN_OWN_BLOCKS * blockBytes / sampledShare);
        long smallBytes =
                sources.stream()
                        .mapToLong(BlockPlanner::dataBytes)
                        .filter(bytes -> bytes < leastOwnBytes)
                        .sum();
        List<ProbeBlock> blocks = new ArrayList<>();
        SmallSources small = new SmallSources(blocks, smallBytes, sampledShare, blockBytes, random);
        for (int i = 0; i < sources.size(); i++) {
            SampleSource source = sources.get(i);
            long bytes = dataBytes(source);
            long share = Math.round((double) sampleBytes * bytes / Math.max(1, total));
            if (everything) {
                addRange(blocks, i, source.dataStart(), bytes);
            } else if (bytes < leastOwnBytes) {
                small.add(i, source, bytes);
            } else if (source.seekable()) {
                addStrata(blocks, i, source, share, blockBytes, random);
            } else {
                addRange(blocks, i, source.dataStart(), share);
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
        double some = Math.clamp(MIN_BLOCK_RECORDS * recordBytes, MIN_BLOCK_BYTES, MAX_BLOCK_BYTES);
        return (int) Math.min(Math.max(some, 2 * recordBytes), MAX_LONG_BLOCK_BYTES);
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
        Strata strata = Strata.of(dataBytes(input), share, blockBytes, random);
        for (int i = 0; i < strata.count(); i++) {
            long at = strata.place(i);
            long length = Math.min(blockBytes, strata.start(i + 1) - at);
            blocks.add(new ProbeBlock(source, input.dataStart() + at, (int) length));
        }
    }

    /** Equal parts of a range that begins at 0. */
    private record Strata(int count, double bytes, int blockBytes, SplittableRandom random) {
        static Strata of(long bytes, long share, int blockBytes, SplittableRandom random) {
            int count = (int) Math.max(1, (share + blockBytes - 1) / blockBytes);
            return new Strata(count, (double) bytes / count, blockBytes, random);
        }

        long start(int stratum) {
            return (long) (stratum * bytes);
        }

        /** A random place for the block of a stratum; to be asked for once. */
        long place(int stratum) {
            double slack = Math.max(0, start(stratum + 1) - start(stratum) - blockBytes);
            return start(stratum) + (long) (slack * (0.5 + JITTER * (random.nextDouble() - 0.5)));
        }
    }

    /**
     * Sources too small for strata of their own, which are divided as if they were one. A block
     * that begins in one of them goes on in those that follow until it has its bytes, but takes no
     * piece that is shorter than both a block and its source: that might be without a whole record.
     * Of the first and the last one, of which a part would do, it takes more or nothing, by chance,
     * so that each source has as many bytes in the sample as it should on average.
     */
    private static final class SmallSources {
        private final List<ProbeBlock> blocks;
        private final int blockBytes;
        private final SplittableRandom random;
        private final Strata strata;

        /** Bytes of the sources before. */
        private long before;

        /** The next stratum, and the place of its block; behind all sources after the last one. */
        private int stratum = -1;

        private long place;

        /** What the block that was begun still lacks. */
        private long owed;

        SmallSources(
                List<ProbeBlock> blocks,
                long bytes,
                double sampledShare,
                int blockBytes,
                SplittableRandom random) {
            this.blocks = blocks;
            this.blockBytes = blockBytes;
            this.random = random;
            strata = Strata.of(bytes, Math.round(sampledShare * bytes), blockBytes, random);
        }

        void add(int index, SampleSource source, long bytes) {
            if (bytes <= 0) {
                return;
            }
            if (stratum < 0) {
                nextStratum();
            }
            int unit = (int) Math.min(bytes, blockBytes);
            long taken = 0;
            if (owed > 0) {
                boolean takes = takes(owed, unit);
                owed = takes ? Math.max(0, owed - unit) : 0;
                if (takes) {
                    addBlock(index, source, 0, unit);
                    taken = unit;
                }
            }
            while (place < before + bytes) {
                long rest = before + bytes - place;
                long at = source.seekable() ? Math.min(bytes - rest, bytes - unit) : taken;
                owed += blockBytes;
                if (at >= taken && at < bytes && takes(rest, unit)) {
                    addBlock(index, source, at, unit);
                    taken = at + unit;
                    owed -= unit;
                }
                nextStratum();
            }
            before += bytes;
        }

        /** Whether to take all of so many bytes for some of them, or none. */
        private boolean takes(long some, int all) {
            return some >= all || random.nextInt(all) < some;
        }

        private void nextStratum() {
            stratum++;
            place = stratum < strata.count() ? strata.place(stratum) : Long.MAX_VALUE;
        }

        private void addBlock(int index, SampleSource source, long at, int bytes) {
            // How much text a compressed source has is a guess: there may be more.
            int length = source.seekable() ? bytes : blockBytes;
            blocks.add(new ProbeBlock(index, source.dataStart() + at, length));
        }
    }
}
