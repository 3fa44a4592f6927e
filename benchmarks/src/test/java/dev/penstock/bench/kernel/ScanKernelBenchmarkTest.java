package dev.penstock.bench.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kernel.ScanKernels;

import org.junit.jupiter.api.Test;

/** What the benchmark measures is what it says. */
final class ScanKernelBenchmarkTest {
    private final ScanKernelBenchmark benchmark = new ScanKernelBenchmark();

    @Test
    void lines_finds_every_delimiter_and_line_end_in_order() {
        long answer = benchmark.lines();
        int end = (int) answer;
        int at = 0;
        int lineEnds = 0;
        for (int i = 0; i < benchmark.text.length; i++) {
            if (benchmark.text[i] == '|' || benchmark.text[i] == '\n') {
                assertThat(benchmark.positions[at++]).isEqualTo(i);
                lineEnds += benchmark.text[i] == '\n' ? 1 : 0;
            }
        }
        assertThat(end).isEqualTo(at);
        assertThat(ScanKernels.lineCount(answer)).isEqualTo(lineEnds);
        assertThat(lineEnds).as("the text is lineitem").isGreaterThan(60_000);
    }

    @Test
    void masks_have_one_bit_per_delimiter() {
        benchmark.masks();
        for (int i = 0; i < benchmark.text.length; i++) {
            boolean bit = (benchmark.masks[i >> 6] >>> i & 1) != 0;
            if (bit != (benchmark.text[i] == '|')) {
                assertThat(bit).as("bit %d", i).isEqualTo(!bit);
            }
        }
    }

    @Test
    void the_text_is_ascii() {
        assertThat(benchmark.ascii()).isTrue();
    }

    @Test
    void the_kernels_have_a_name() {
        assertThat(ScanKernelBenchmark.kernels()).isNotBlank();
    }
}
