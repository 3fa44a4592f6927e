package dev.penstock.bench.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenTables;
import dev.penstock.segment.SegmentChecksum;
import dev.penstock.segment.SegmentReader;
import dev.penstock.step.Merge;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What the benchmarks of steps and kernels measure is what they say. */
final class StepBenchmarkTest {
    @Test
    void every_step_of_the_loader_keeps_all_rows() throws IOException {
        StepBenchmark benchmark = new StepBenchmark();
        benchmark.setUp();
        try {
            long lines = count(benchmark.text);
            assertThat(benchmark.text.length()).isGreaterThan(StepBenchmark.TEXT_BYTES - 200);
            assertThat(benchmark.deserialize()).isEqualTo((int) lines);
            assertThat(sums(benchmark.parsed)).isEqualTo(sums(benchmark.rows));
            assertThat(benchmark.readAndDeserialize()).isEqualTo((int) lines);
            assertThat(sums(benchmark.parsed)).isEqualTo(sums(benchmark.rows));
            assertThat(benchmark.encode()).isPositive();
            assertThat(sums(open(benchmark.image))).isEqualTo(sums(benchmark.rows));
            assertThat(benchmark.readToFragment()).isPositive();
            assertThat(sums(open(benchmark.image))).isEqualTo(sums(benchmark.rows));
            int plainBytes = benchmark.image.length();
            TokenTables tokens = Lineitem.tokens(benchmark.rows);
            assertThat(benchmark.encodeTokens()).isLessThan(plainBytes);
            assertThat(sums(open(benchmark.image, tokens))).isEqualTo(sums(benchmark.rows));
            assertThat(benchmark.readToTokens()).isLessThan(plainBytes);
            assertThat(sums(open(benchmark.image, tokens))).isEqualTo(sums(benchmark.rows));
        } finally {
            benchmark.tearDown();
        }
    }

    @Test
    void a_merge_keeps_all_rows_and_brings_them_into_order() {
        MergeBenchmark benchmark = new MergeBenchmark();
        benchmark.setUp();
        for (boolean ordered : new boolean[] {true, false}) {
            long rows = ordered ? benchmark.ordered() : benchmark.shuffled();
            assertThat(rows).isEqualTo(MergeBenchmark.ROWS);
            SegmentChecksum all = new SegmentChecksum(Lineitem.SCHEMA);
            for (Merge.Run run : benchmark.fragments(ordered)) {
                all.add(run.reader());
            }
            SegmentReader segment = open(benchmark.segment);
            assertThat(sums(segment)).isEqualTo(all.columns());
            assertThat(segment.sorted()).isTrue();
            byte[] before = segment.key(0);
            for (long row = 1; row < rows; row += 997) {
                byte[] key = segment.key(row);
                assertThat(Arrays.compareUnsigned(before, key)).isNegative();
                before = key;
            }
        }
    }

    @Test
    void packed_values_come_back() {
        for (int bits : new int[] {3, 12, 20, 40}) {
            PackingBenchmark benchmark = new PackingBenchmark();
            benchmark.bits = bits;
            benchmark.setUp();
            benchmark.pack();
            assertThat(benchmark.unpack()).isEqualTo(benchmark.values);
        }
    }

    @Test
    void every_value_is_gathered() {
        GatherBenchmark benchmark = new GatherBenchmark();
        benchmark.setUp();
        benchmark.longs();
        benchmark.strings();
        for (int i = 0; i < GatherBenchmark.ROWS; i++) {
            int row = benchmark.order[i];
            assertThat(benchmark.gathered[i]).isEqualTo(benchmark.values[row]);
            assertThat(string(benchmark.target, i)).isEqualTo(string(benchmark.lineitem, row));
        }
    }

    @Test
    void all_bytes_are_summed() {
        ChecksumBenchmark benchmark = new ChecksumBenchmark();
        long before = benchmark.blocks();
        benchmark.bytes[benchmark.bytes.length - 1]++;
        assertThat(benchmark.blocks()).isNotEqualTo(before);
    }

    private static String string(ColumnBatch batch, int row) {
        int[] offsets = batch.bytes(15).offsets();
        return new String(
                batch.bytes(15).data(),
                offsets[row],
                offsets[row + 1] - offsets[row],
                StandardCharsets.ISO_8859_1);
    }

    private static long count(Lineitem.Text text) {
        long lines = 0;
        for (int i = 0; i < text.length(); i++) {
            lines += text.bytes()[i] == '\n' ? 1 : 0;
        }
        return lines;
    }

    private static SegmentReader open(ByteBuilder image) {
        return open(image, TokenTables.NONE);
    }

    private static SegmentReader open(ByteBuilder image, TokenTables tokens) {
        MemorySegment bytes = MemorySegment.ofArray(image.toByteArray());
        return SegmentReader.open(Lineitem.SCHEMA, bytes, "image", tokens);
    }

    private static long[] sums(ColumnBatch batch) {
        SegmentChecksum sums = new SegmentChecksum(Lineitem.SCHEMA);
        sums.add(batch);
        return sums.columns();
    }

    private static long[] sums(SegmentReader reader) {
        SegmentChecksum sums = new SegmentChecksum(Lineitem.SCHEMA);
        sums.add(reader);
        return sums.columns();
    }
}
