package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.schema.ColumnType;
import dev.penstock.segment.BlockEncoder;
import dev.penstock.segment.EncodedBlock;
import dev.penstock.segment.SegmentFormat;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentWriter;
import dev.penstock.step.CpuClock;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.List;

final class FragmentStepsTest {
    private static final ColumnType BIGINT = new ColumnType.BigIntType();
    private static final int ROW_BYTES = 8 + 4 + 8;

    private final FragmentSteps steps =
            new FragmentSteps(load(), 2L * SegmentFormat.BLOCK_ROWS * ROW_BYTES);

    private static LoadDescriptor load() {
        LoadRequest request =
                LoadRequest.intoExisting(
                        "items",
                        "",
                        DuplicatePolicy.KEEP_FIRST,
                        Dialect.csv(),
                        List.of(0, 1, 2),
                        List.of("test.csv"),
                        false);
        return new LoadDescriptor(
                "00000000-0000-0007-0000-000000000001",
                5,
                new TableDescriptor(1, TestTable.SCHEMA),
                request,
                List.of());
    }

    /** Each block takes 40 bytes, and 160 KiB when it is taken apart. */
    @Test
    void a_fragment_of_more_rows_than_there_is_memory_for_is_refused_by_name() {
        assertThat(run(2).rowCount()).isEqualTo(2L * SegmentFormat.BLOCK_ROWS);
        assertThatThrownBy(() -> run(3))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("fragment 7 for region 3 has 24576 rows")
                .hasMessageContaining("memory for 16384");
    }

    private SegmentReader run(int blocks) {
        ByteBuilder image = image(blocks);
        FragmentHeader header =
                new FragmentHeader(7, 3, FragmentForm.TYPED, blocks * SegmentFormat.BLOCK_ROWS);
        return steps.run(
                        header,
                        image.array(),
                        image.length(),
                        new BitSet(),
                        new AnsweredRejects(),
                        new CpuClock())
                .reader();
    }

    /** Rows that are all the same, not in key order as far as the fragment says. */
    private static ByteBuilder image(int blocks) {
        ByteBuilder out = new ByteBuilder(1024);
        BlockEncoder encoder = new BlockEncoder();
        SegmentWriter writer = new SegmentWriter(TestTable.SCHEMA, encoder);
        writer.begin(out, new SegmentIdentity(1, 2, 7), false);
        int rows = SegmentFormat.BLOCK_ROWS;
        for (int i = 0; i < blocks; i++) {
            writer.beginBlock(rows);
            for (int column = 0; column < 3; column++) {
                ByteBuilder block = new ByteBuilder(64);
                EncodedBlock encoded =
                        column == 1
                                ? encoder.bytes(
                                        new int[rows + 1],
                                        new byte[64],
                                        0,
                                        rows,
                                        new long[0],
                                        0,
                                        false,
                                        block)
                                : encoder.longs(
                                        new long[rows],
                                        0,
                                        rows,
                                        new long[0],
                                        0,
                                        BIGINT,
                                        true,
                                        block);
                writer.add(column, encoded, block.array(), 0);
            }
        }
        writer.finish();
        return out;
    }
}
