package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** Against one row at a time, with spans that begin and end everywhere in a word. */
final class SpanKernelsTest {
    private static final long SEED = 4711L;

    private final Random random = new Random(SEED);

    private int spanCount;
    private int[] spanOf = new int[0];
    private int[] starts = new int[0];
    private long[] heads = new long[0];

    @Test
    void everyRowGetsWhatItsSpanHas() {
        for (int round = 0; round < 2_000; round++) {
            int rows = 1 + random.nextInt(400);
            makeSpans(rows, 1 + random.nextInt(100));
            int from = random.nextInt(rows);
            int count = 1 + random.nextInt(rows - from);
            String seed = "seed " + SEED + ", round " + round;
            checkNumbers(from, count, seed);
            checkBits(from, count, seed);
            checkSums(from, count, seed);
        }
    }

    private void makeSpans(int rows, int longest) {
        spanOf = new int[rows];
        starts = new int[rows + 1];
        heads = new long[(rows >> 6) + 1];
        spanCount = 0;
        for (int row = 0; row < rows; ) {
            int end = Math.min(rows, row + 1 + random.nextInt(longest));
            Arrays.fill(spanOf, row, end, spanCount);
            heads[row >> 6] |= 1L << row;
            starts[spanCount++] = row;
            row = end;
        }
        starts[spanCount] = rows;
    }

    private void checkNumbers(int from, int count, String seed) {
        int first = spanOf[from];
        long[] longs = random.longs(spanCount - first).toArray();
        int[] ints = random.ints(spanCount - first).toArray();
        long[] outLongs = new long[count];
        int[] outInts = new int[count];
        int[] places = new int[count];
        SpanKernels.spread(longs, first, spanOf, from, count, outLongs);
        SpanKernels.spread(ints, first, spanOf, from, count, outInts);
        SpanKernels.places(spanOf, first, from, count, places);
        for (int i = 0; i < count; i++) {
            int place = spanOf[from + i] - first;
            assertThat(places[i]).as(seed).isEqualTo(place);
            assertThat(outLongs[i]).as(seed).isEqualTo(longs[place]);
            assertThat(outInts[i]).as(seed).isEqualTo(ints[place]);
        }
    }

    private void checkBits(int from, int count, String seed) {
        long[] source = random.longs((spanCount + 63) >> 6).toArray();
        long[] out = new long[(count + 63) >> 6];
        SpanKernels.spreadBits(source, heads, spanOf, from, count, out);
        for (int i = 0; i < count; i++) {
            int span = spanOf[from + i];
            assertThat(out[i >> 6] >>> i & 1)
                    .as("%s, row %d of %d from %d", seed, i, count, from)
                    .isEqualTo(source[span >> 6] >>> span & 1);
        }
    }

    private void checkSums(int from, int count, String seed) {
        int first = spanOf[from];
        int end = spanOf[from + count - 1] + 1;
        long[] hashes = random.longs(end - first).toArray();
        int[] offsets = new int[spanCount + 1];
        for (int span = 0; span < spanCount; span++) {
            offsets[span + 1] = offsets[span] + random.nextInt(20);
        }
        long sum = 0;
        long bytes = 0;
        for (int row = from; row < from + count; row++) {
            int span = spanOf[row];
            sum += hashes[span - first];
            bytes += offsets[span + 1] - offsets[span];
        }
        int to = from + count;
        assertThat(SpanKernels.sum(hashes, end - first, starts, first, from, to))
                .as(seed)
                .isEqualTo(sum);
        assertThat(SpanKernels.bytes(offsets, starts, first, end, from, to))
                .as(seed)
                .isEqualTo(bytes);
    }
}
