package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenTables;
import dev.penstock.kv.region.TestTable;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.step.Encode;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Of a table of a key, a text and a number. */
final class SliceFormsTest {
    private static final int NUMBER = 2;
    private final SliceForms forms = new SliceForms(TestTable.SCHEMA);

    @Test
    void numbersThatLieCloseTogetherArePackedFromTheNextChunkOn() {
        forms.nextChunk();
        look(500, row -> row % 100);
        assertThat(forms.without(new BitSet()).get(NUMBER)).isFalse();
        forms.nextChunk();
        assertThat(forms.without(new BitSet()).get(NUMBER)).isTrue();
    }

    @Test
    void fewNumbersThatLieFarApartKeepTheirDictionary() {
        forms.nextChunk();
        look(500, row -> row % 3 * 1_000_000_007L);
        forms.nextChunk();
        assertThat(forms.without(new BitSet()).get(NUMBER)).isFalse();
    }

    @Test
    void columnsThatHaveNoDictionaryAnywayStayWithout() {
        BitSet plain = new BitSet();
        plain.set(1);
        forms.nextChunk();
        assertThat(forms.without(plain)).isEqualTo(plain);
    }

    @Test
    void afterManyChunksItLooksAgain() {
        forms.nextChunk();
        look(500, row -> row % 100);
        int chunks = 1;
        do {
            forms.nextChunk();
            chunks++;
        } while (!forms.isToLook(500) && chunks < 1_000);
        assertThat(chunks).isBetween(32, 256);
        assertThat(forms.without(new BitSet()).get(NUMBER)).isFalse();
        look(500, row -> row % 3 * 1_000_000_007L);
        forms.nextChunk();
        assertThat(forms.without(new BitSet()).get(NUMBER)).isFalse();
    }

    @Test
    void theFragmentWithMostRowsCounts() {
        forms.nextChunk();
        assertThat(forms.isToLook(10)).isFalse();
        look(500, row -> row % 100);
        assertThat(forms.isToLook(500)).isFalse();
        assertThat(forms.isToLook(501)).isTrue();
    }

    private interface Numbers {
        long of(int row);
    }

    private void look(int rows, Numbers numbers) {
        assertThat(forms.isToLook(rows)).isTrue();
        LongColumn keys = new LongColumn(rows);
        LongColumn values = new LongColumn(rows);
        BytesColumn texts = new BytesColumn(rows, 0);
        for (int row = 0; row < rows; row++) {
            keys.values()[row] = row;
            values.values()[row] = numbers.of(row);
        }
        ColumnBatch batch = new ColumnBatch(List.of(keys, texts, values));
        batch.setRowCount(rows);
        Encode.Choice[] choices = new Encode.Choice[3];
        Arrays.fill(choices, Encode.Choice.DICTIONARY);
        ByteBuilder out = new ByteBuilder(1 << 12);
        new Encode(TestTable.SCHEMA, TokenTables.NONE)
                .run(batch, 0, rows, choices, true, new SegmentIdentity(1, 2, 3), out);
        MemorySegment bytes = MemorySegment.ofArray(out.array()).asSlice(0, out.length());
        forms.look(SegmentReader.open(TestTable.SCHEMA, bytes, "a test", TokenTables.NONE));
    }
}
