package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.RegionDictionaries;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** When a fragment has a dictionary, and what it says about its region if it has none. */
class EncodeDictionaryTest {
    private static final TableSchema SCHEMA =
            TableSchema.declare(
                    "t",
                    List.of(
                            new Column("n", new ColumnType.BigIntType(), false),
                            new Column("s", new ColumnType.VarcharType(20), false)),
                    List.of());

    private final Encode encode = new Encode(SCHEMA);

    @ParameterizedTest
    @CsvSource({
        "5000, 2500, 2500, false",
        "5000, 2501, -1, false",
        "5000, 4096, -1, false",
        "5000, 4097, -1, true",
        "4096, 4096, -1, false",
        "4096, 2048, 2048, false",
        "20000, 4096, 4096, false",
        "20000, 4097, -1, true",
        "20, 20, 20, false"
    })
    void aDictionaryMustPayAndTooManyValuesAreReported(
            int rows, int distinct, long entries, boolean overflowed) {
        SegmentReader fragment = fragment(rows, distinct, Encode.Choice.DICTIONARY);
        for (int column = 0; column < 2; column++) {
            assertThat(fragment.statistics(column).distinct()).isEqualTo(entries);
            assertThat(fragment.statistics(column).overflowed()).isEqualTo(overflowed);
        }
    }

    @Test
    void aRegionWhoseFirstFragmentsHaveNoDictionaryDoesNotAskForOne() {
        RegionDictionaries without = new RegionDictionaries(SCHEMA);
        RegionDictionaries with = new RegionDictionaries(SCHEMA);
        with.add(fragment(1000, 100, Encode.Choice.DICTIONARY));
        for (int i = 0; i < RegionDictionaries.ATTEMPTS; i++) {
            assertThat(without.plainColumns().previousSetBit(1)).isNegative();
            without.add(fragment(1000, 1000, Encode.Choice.DICTIONARY));
            with.add(fragment(1000, 1000, Encode.Choice.DICTIONARY));
        }
        assertThat(without.plainColumns().get(0)).isTrue();
        assertThat(without.plainColumns().get(1)).isTrue();
        assertThat(with.plainColumns().previousSetBit(1)).isNegative();
    }

    @Test
    void columnsThatNobodyTriedToEncodeTellNothing() {
        RegionDictionaries dictionaries = new RegionDictionaries(SCHEMA);
        for (int i = 0; i < 2 * RegionDictionaries.ATTEMPTS; i++) {
            dictionaries.add(fragment(1000, 1000, Encode.Choice.PLAIN));
        }
        assertThat(dictionaries.plainColumns().previousSetBit(1)).isNegative();
    }

    private SegmentReader fragment(int rows, int distinct, Encode.Choice choice) {
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), rows);
        for (int row = 0; row < rows; row++) {
            byte[] text = ("value " + row % distinct).getBytes(StandardCharsets.UTF_8);
            batch.longs(0).values()[row] = row % distinct * 1_000_003L;
            batch.bytes(1).append(row, text, 0, text.length);
            batch.longs(2).values()[row] = row;
        }
        batch.setRowCount(rows);
        Encode.Choice[] choices = new Encode.Choice[SCHEMA.columnCount()];
        Arrays.fill(choices, choice);
        choices[2] = Encode.Choice.PACKED;
        ByteBuilder out = new ByteBuilder(1 << 16);
        encode.run(batch, 0, rows, choices, true, new SegmentIdentity(1, 2, 3), out);
        return SegmentReader.open(SCHEMA, MemorySegment.ofArray(out.toByteArray()), "a fragment");
    }
}
