package dev.penstock.kv.ingest;

import dev.penstock.bytes.ByteSink;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentSummary;
import dev.penstock.step.ChunkText;
import dev.penstock.step.CpuClock;
import dev.penstock.step.Deserialize;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * All that a server does with a text, but for storing it: the steps up to staging over the whole,
 * and a merge of fragments that were made of its parts. Owned by one thread.
 */
final class RehearsedSteps {
    /** A merge of one fragment would be a copy. */
    private static final int PARTS = 8;

    private static final SegmentIdentity IDENTITY = new SegmentIdentity(0, 0, 0);

    private final LoadDescriptor load;
    private final FragmentHeader header;
    private final byte[] payload;
    private final int length;
    private final FragmentSteps steps;

    /** Of a text whose rows are to be spread. */
    private final @Nullable SpreadSteps spread;

    private final Merge merge;
    private final List<Merge.Run> runs = new ArrayList<>();

    /**
     * @param payload a {@link ChunkText} and what parsing reads past the end
     */
    RehearsedSteps(LoadDescriptor load, FragmentHeader header, byte[] payload, int length) {
        this.load = load;
        this.header = header;
        this.payload = payload;
        this.length = length;
        steps = new FragmentSteps(load);
        spread = header.isSpread() ? new SpreadSteps(load) : null;
        boolean sums = load.request().verification().sums();
        merge =
                new Merge(
                        load.table().schema(),
                        MergeLimits.DEFAULT.withSums(sums),
                        load.request().tokens());
        ChunkText whole = ChunkText.of(payload, length);
        try {
            makeRuns(whole);
        } catch (AnsweredRejects.Declined e) {
            // There are line ends within records.
            runs.clear();
            addRun(1, 0, whole.length());
        }
    }

    /** Runs them once. */
    void run() {
        SpreadSteps spreading = spread;
        if (spreading == null) {
            staged(payload, length);
        } else {
            spreading.run(header, payload, length, new NoRegions(), new CpuClock());
        }
        merge.run(runs, DuplicatePolicy.KEEP_FIRST, IDENTITY, new Forgotten());
    }

    /** As if records were lines. */
    private void makeRuns(ChunkText whole) {
        int from = 0;
        for (int part = 1; part <= PARTS && from < whole.length(); part++) {
            int to = lineEnd((int) ((long) whole.length() * part / PARTS), whole.length());
            if (to > from) {
                addRun(part, from, to);
                from = to;
            }
        }
    }

    private int lineEnd(int from, int end) {
        int at = Math.max(from, 1);
        while (at < end && payload[at - 1] != '\n') {
            at++;
        }
        return at;
    }

    private void addRun(int part, int from, int to) {
        ChunkText text = new ChunkText(0, from, to - from);
        byte[] piece = new byte[text.payloadLength() + Deserialize.PADDING];
        System.arraycopy(payload, from, piece, 0, text.length());
        System.arraycopy(text.trailer(), 0, piece, text.length(), ChunkText.TRAILER_BYTES);
        FragmentSteps.Staged staged = staged(piece, text.payloadLength());
        byte[] image = Arrays.copyOf(staged.image(), staged.length());
        runs.add(
                new Merge.Run(
                        SegmentReader.open(
                                load.table().schema(),
                                MemorySegment.ofArray(image),
                                "a rehearsed fragment",
                                load.request().tokens()),
                        part));
    }

    private FragmentSteps.Staged staged(byte[] text, int bytes) {
        return steps.run(
                header, text, bytes, new BitSet(), AnsweredRejects.declining(), new CpuClock());
    }

    /** Whose fragments are forgotten. */
    private static final class NoRegions implements SpreadSteps.Regions {
        @Override
        public BitSet plainColumns(int region) {
            return new BitSet();
        }

        @Override
        public void take(FragmentHeader header, byte[] image, int length) {
            // Only the way there is rehearsed.
        }
    }

    /** Where nothing stays. */
    private static final class Forgotten implements Merge.Output, ByteSink {
        private long position;

        @Override
        public ByteSink open(int ordinal) {
            position = 0;
            return this;
        }

        @Override
        public void close(int ordinal, SegmentSummary summary) {
            // There is nothing to close.
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            position += count;
        }

        @Override
        public long position() {
            return position;
        }
    }
}
