package dev.penstock.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dialect.Dialect;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.sampler.probe.BlockPlanner;
import dev.penstock.sampler.probe.BlockReader;
import dev.penstock.sampler.probe.ProbeBlock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Records of many blocks. */
final class LongRecordTest {
    private static final int LONG_BYTES = 3 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"", "1,one\n", "1,one\n2,\"two\nlines\"\n"})
    void a_long_record_is_found_whole_with_those_around_it(String before) {
        String text = before + "3," + "x".repeat(LONG_BYTES) + "\n4,four\n5,five\n";
        List<TextSource> sources =
                List.of(new TextSource(text.getBytes(StandardCharsets.UTF_8), true));
        BlockReader reader =
                new BlockReader(
                        sources,
                        new RecordBoundary(Dialect.csv(), RecordBoundary.DEFAULT_MAX_RECORD_BYTES));
        List<ProbeBlock> blocks = BlockPlanner.plan(sources, text.length(), 10, 1, 1);
        assertThat(blocks).hasSizeGreaterThan(LONG_BYTES >> 16);
        List<String> found = new ArrayList<>();
        for (ProbeBlock block : blocks) {
            if (reader.read(block)) {
                int start = reader.start();
                int end = reader.endFrom(start);
                assertThat(reader.exact()).isTrue();
                found.add(new String(reader.text(), start, end - start, StandardCharsets.UTF_8));
            }
        }
        assertThat(String.join("", found)).isEqualTo(text);
        assertThat(found).as("not once for each block").hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void each_block_has_a_whole_record_and_all_are_read_once() {
        int records = 200;
        String text = ("3," + "x".repeat(150_000) + "\n").repeat(records);
        TextSource source = new TextSource(text.getBytes(StandardCharsets.UTF_8), true);
        BlockReader reader =
                new BlockReader(
                        List.of(source),
                        new RecordBoundary(
                                Dialect.csv().withQuote(Dialect.NONE),
                                RecordBoundary.DEFAULT_MAX_RECORD_BYTES));
        List<ProbeBlock> blocks =
                BlockPlanner.plan(List.of(source), text.length() / 8, 150_003, 1, 1);
        for (ProbeBlock block : blocks) {
            assertThat(reader.read(block)).isTrue();
            assertThat(reader.endFrom(reader.start())).isGreaterThan(reader.start());
        }
        assertThat(source.bytesRead()).isLessThan(text.length() / 7);
    }
}
