package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Encode;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

class EncodedDictionaryTest {
    private static final int ROWS = 1000;

    private static final TableSchema SCHEMA =
            new TableSchema(
                    "t",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), false),
                            new Column("number", new ColumnType.BigIntType(), true),
                            new Column("word", new ColumnType.VarcharType(20), true)),
                    List.of(new KeyColumn(0, false)),
                    false);

    /** Rows with so many different values, from the given one on. */
    private static SegmentReader fragment(int first, int values, boolean heap) {
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), ROWS);
        for (int row = 0; row < ROWS; row++) {
            int value = first + row % values;
            byte[] word = bytes("word " + value);
            ((LongColumn) batch.column(0)).values()[row] = row;
            ((LongColumn) batch.column(1)).values()[row] = value;
            ((BytesColumn) batch.column(2)).append(row, word, 0, word.length);
        }
        batch.setRowCount(ROWS);
        Encode.Choice[] choices = new Encode.Choice[3];
        Arrays.fill(choices, Encode.Choice.DICTIONARY);
        ByteBuilder image = new ByteBuilder(1024);
        new Encode(SCHEMA)
                .run(batch, 0, ROWS, choices, true, new SegmentIdentity(1, 2, first), image);
        MemorySegment bytes = MemorySegment.ofArray(image.toByteArray());
        if (!heap) {
            bytes = Arena.ofAuto().allocate(bytes.byteSize()).copyFrom(bytes);
        }
        return SegmentReader.open(SCHEMA, bytes, "fragment from " + first);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theSameDictionaryIsRecognisedAndNoOther(boolean heap) {
        List<SegmentReader> fragments =
                List.of(
                        fragment(0, 1, heap),
                        fragment(0, 2, heap),
                        fragment(1, 2, heap),
                        fragment(0, 40, heap));
        for (int column = 1; column <= 2; column++) {
            for (SegmentReader fragment : fragments) {
                assertThat(fragment.hasDictionary(column, EncodedDictionary.NONE)).isFalse();
                EncodedDictionary encoded = fragment.encodedDictionary(column);
                for (SegmentReader other : fragments) {
                    assertThat(other.hasDictionary(column, encoded)).isEqualTo(other == fragment);
                }
            }
            EncodedDictionary of40 = fragment(0, 40, !heap).encodedDictionary(column);
            assertThat(fragments.getLast().hasDictionary(column, of40)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRegionUnitesWhatItHasSeenAndWhatIsNew(boolean heap) {
        RegionDictionaries region = new RegionDictionaries(SCHEMA);
        for (int first : new int[] {0, 0, 5, 5, 0, 100, 100, 5}) {
            region.add(fragment(first, 20, heap));
        }
        Dictionary numbers = Objects.requireNonNull(region.union(1).dictionary());
        Dictionary words = Objects.requireNonNull(region.union(2).dictionary());
        assertThat(numbers.size()).isEqualTo(45);
        assertThat(((LongDictionary) numbers).value(44)).isEqualTo(119);
        assertThat(words.size()).isEqualTo(45);
        assertThat(((BytesDictionary) words).value(44)).isEqualTo(bytes("word 9"));
    }
}
