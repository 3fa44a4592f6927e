package dev.penstock.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dialect.Dialect;
import dev.penstock.step.Deserialize;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

class BlockGroupTest {
    /** What some of the lines of a text are. */
    enum Lines {
        GOOD,
        BAD_SOMETIMES,
        EMPTY_SOMETIMES,
        BROKEN_BY_RETURNS
    }

    @ParameterizedTest
    @EnumSource
    void blocksTogetherHaveTheRowsAndKeysOfEachAlone(Lines lines) {
        SplittableRandom random = new SplittableRandom(20261127);
        for (int round = 0; round < 40; round++) {
            Dialect dialect =
                    lines == Lines.BROKEN_BY_RETURNS
                            ? SamplerTest.PIPES.withNewline(Dialect.Newline.ANY)
                            : SamplerTest.PIPES;
            List<byte[]> blocks = new ArrayList<>();
            for (int block = 1 + random.nextInt(90); block > 0; block--) {
                blocks.add(text(random, lines));
            }
            long mostBytes = random.nextBoolean() ? 40 : 1 << 20;
            checkTogether(blocks, dialect, mostBytes);
        }
    }

    private static void checkTogether(List<byte[]> blocks, Dialect dialect, long mostBytes) {
        BlockGroup together = new BlockGroup(SamplerTest.NUMBERS, dialect, List.of(0, 1));
        BlockGroup alone = new BlockGroup(SamplerTest.NUMBERS, dialect, List.of(0, 1));
        for (int twice = 0; twice < 2; twice++) {
            together.clear();
            blocks.forEach(block -> together.add(block, 0, block.length - Deserialize.PADDING));
            together.convert(0);
            together.encodeKeys(mostBytes);
            int records = 0;
            int rows = 0;
            for (int i = 0; i < blocks.size(); i++) {
                byte[] text = blocks.get(i);
                alone.convertAlone(text, 0, text.length - Deserialize.PADDING, 0);
                alone.encodeKeys(1 << 20);
                assertThat(together.rowsBefore(i)).isEqualTo(rows);
                rows += alone.batch().rowCount();
                records += alone.recordCount();
                assertThat(together.rowsBefore(i + 1)).isEqualTo(rows);
                assertThat(together.textBytes(i)).isEqualTo(alone.textBytes(0));
                checkKeys(together.keys(i, true), alone.keys(0, true), mostBytes);
            }
            assertThat(together.recordCount()).isEqualTo(records);
            assertThat(together.batch().rowCount()).isEqualTo(rows);
            assertThat(together.firstRejects())
                    .hasSize(Math.min(records - rows, BlockGroup.KEPT_REJECTS));
        }
    }

    private static void checkKeys(KeyBlock kept, KeyBlock all, long mostBytes) {
        int count = kept.to() - kept.from();
        int most = all.to() - all.from();
        assertThat(count).isIn(most, (int) Math.min(most, mostBytes / Long.BYTES));
        assertThat(kept.rowsPerByte()).isEqualTo(all.rowsPerByte());
        for (int i = 0; i < count; i++) {
            assertThat(key(kept, i)).isEqualTo(key(all, i));
        }
    }

    private static byte[] key(KeyBlock block, int index) {
        int key = block.from() + index;
        int start = key == 0 ? 0 : block.ends()[key - 1];
        return Arrays.copyOfRange(block.bytes(), start, block.ends()[key]);
    }

    private static byte[] text(SplittableRandom random, Lines lines) {
        StringBuilder text = new StringBuilder();
        for (int line = random.nextInt(200); line >= 0; line--) {
            boolean odd = random.nextInt(10) == 0;
            String end = lines == Lines.BROKEN_BY_RETURNS && odd ? "\r" : "\n";
            if (lines == Lines.EMPTY_SOMETIMES && odd) {
                text.append(end);
            }
            String id = lines == Lines.BAD_SOMETIMES && odd ? "bad" : "" + random.nextInt(1_000);
            text.append(id).append("|").append("x".repeat(random.nextInt(9))).append(end);
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return Arrays.copyOf(bytes, bytes.length + Deserialize.PADDING);
    }
}
