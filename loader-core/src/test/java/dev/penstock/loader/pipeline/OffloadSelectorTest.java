package dev.penstock.loader.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.dict.TokenTables;
import dev.penstock.key.KeyRange;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.fake.TestTables;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

class OffloadSelectorTest {
    private static final RegionMap REGIONS =
            new RegionMap(
                    "orders",
                    List.of(
                            new RegionInfo(7, new KeyRange(new byte[0], new byte[] {1}), "s"),
                            new RegionInfo(8, new KeyRange(new byte[] {1}, new byte[0]), "s")));
    private static final int ROWS = 4_000;
    private static final int[] BOUNDS = {0, 1_000, ROWS};

    private final PlainColumns plainColumns = new PlainColumns(REGIONS);

    /**
     * id: wide and distinct; state: two values; price: all values; day: a range of 20; note: text.
     */
    private static ColumnBatch batch() {
        SplittableRandom random = new SplittableRandom(1);
        ColumnBatch batch = ColumnBatch.forColumns(TestTables.ORDERS.columns(), ROWS);
        for (int row = 0; row < ROWS; row++) {
            batch.longs(0).values()[row] = row;
            byte[] state = bytes(random.nextBoolean() ? "open" : "closed");
            batch.bytes(1).append(row, state, 0, state.length);
            batch.longs(2).values()[row] = random.nextLong();
            batch.longs(3).values()[row] = 20_000L + random.nextInt(3) * 500L;
            byte[] note = bytes("note " + random.nextInt());
            batch.bytes(4).append(row, note, 0, note.length);
        }
        batch.setRowCount(ROWS);
        return batch;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private OffloadSelector selector(OffloadPolicy policy, FragmentForm cut) {
        return selector(policy, cut, new ColumnForms());
    }

    private OffloadSelector selector(OffloadPolicy policy, FragmentForm cut, ColumnForms forms) {
        return new OffloadSelector(
                TestTables.ORDERS, policy, cut, TokenTables.NONE, plainColumns, forms);
    }

    @Test
    void selectTakesTheSmallestFormOfEachColumn() {
        OffloadSelector selector = selector(OffloadPolicy.SELECT, FragmentForm.ENCODED);
        selector.observe(batch(), BOUNDS);
        assertThat(selector.choose(0))
                .containsExactly(
                        Encode.Choice.PACKED,
                        Encode.Choice.DICTIONARY,
                        Encode.Choice.PLAIN,
                        Encode.Choice.DICTIONARY,
                        Encode.Choice.PLAIN);
        assertThat(selector.encodedFragments()).containsExactly(1, 1, 0, 1, 0);
    }

    /** All forms take as little; one that the server need not look at costs it nothing. */
    @Test
    void columnsWithoutAnyValueAreEncodedByTheLoader() {
        ColumnBatch batch = batch();
        for (int column : new int[] {1, 2, 4}) {
            batch.column(column).setAllNull(0, ROWS);
        }
        OffloadSelector selector = selector(OffloadPolicy.SELECT, FragmentForm.ENCODED);
        selector.observe(batch, BOUNDS);
        Encode.Choice[] choices = selector.choose(0);
        for (int column : new int[] {1, 2, 4}) {
            assertThat(choices[column]).isEqualTo(Encode.Choice.DICTIONARY);
        }
    }

    @Test
    void aColumnThatTheServerCallsPlainGetsNoDictionaryInThatRegion() {
        OffloadSelector selector = selector(OffloadPolicy.ALL, FragmentForm.ENCODED);
        BitSet plain = new BitSet();
        plain.set(1);
        assertThat(selector.choose(0)[1]).isEqualTo(Encode.Choice.DICTIONARY);
        plainColumns.learn(new FragmentAck(0, 8, 10, List.of(), plain));
        assertThat(selector.choose(0)[1]).isEqualTo(Encode.Choice.DICTIONARY);
        assertThat(selector.choose(1)[1]).isEqualTo(Encode.Choice.PACKED);
    }

    @Test
    void aRegionThatComesLaterIsExpectedToBeAsMostAre() {
        OffloadSelector selector = selector(OffloadPolicy.SELECT, FragmentForm.ENCODED);
        selector.observe(batch(), BOUNDS);
        BitSet plain = new BitSet();
        plain.set(1);
        plain.set(2);
        plainColumns.learn(new FragmentAck(0, 7, 10, List.of(), plain));
        Encode.Choice[] choices = selector.choose(1);
        assertThat(choices[1]).isEqualTo(Encode.Choice.PACKED);
        assertThat(choices[2]).isEqualTo(Encode.Choice.PLAIN);
        assertThat(choices[3]).isEqualTo(Encode.Choice.DICTIONARY);
    }

    @Test
    void whatIsSoInHalfOfTheRegionsIsNotExpected() {
        RegionMap three =
                new RegionMap(
                        "orders",
                        List.of(
                                new RegionInfo(1, new KeyRange(new byte[0], new byte[] {1}), "s"),
                                new RegionInfo(
                                        2, new KeyRange(new byte[] {1}, new byte[] {2}), "s"),
                                new RegionInfo(3, new KeyRange(new byte[] {2}, new byte[0]), "s")));
        PlainColumns columns = new PlainColumns(three);
        BitSet one = BitSet.valueOf(new long[] {0b110});
        BitSet other = BitSet.valueOf(new long[] {0b010});
        columns.learn(new FragmentAck(0, 1, 10, List.of(), one));
        columns.learn(new FragmentAck(0, 2, 10, List.of(), other));
        assertThat(columns.expected(2)).isEqualTo(other);
        columns.learn(new FragmentAck(1, 2, 10, List.of(), one));
        assertThat(columns.expected(2)).isEqualTo(other);
    }

    @Test
    void laterTheSelectorLooksLessOften() {
        OffloadSelector selector = selector(OffloadPolicy.SELECT, FragmentForm.ENCODED);
        ColumnBatch first = batch();
        for (int chunk = 0; chunk <= ColumnForms.REFRESH_CHUNKS; chunk++) {
            selector.observe(first, BOUNDS);
        }
        ColumnBatch constant = batch();
        for (int row = 0; row < ROWS; row++) {
            constant.longs(2).values()[row] = 5;
        }
        for (int chunk = 1; chunk < 2 * ColumnForms.REFRESH_CHUNKS; chunk++) {
            selector.observe(constant, BOUNDS);
            assertThat(selector.choose(0)[2]).isEqualTo(Encode.Choice.PLAIN);
        }
        selector.observe(constant, BOUNDS);
        assertThat(selector.choose(0)[2]).isNotEqualTo(Encode.Choice.PLAIN);
    }

    @Test
    void aDecisionIsKeptForSixteenChunksAndThenMadeAgain() {
        OffloadSelector selector = selector(OffloadPolicy.SELECT, FragmentForm.ENCODED);
        selector.observe(batch(), BOUNDS);
        ColumnBatch constant = batch();
        for (int row = 0; row < ROWS; row++) {
            constant.longs(2).values()[row] = 5;
        }
        for (int chunk = 1; chunk < ColumnForms.REFRESH_CHUNKS; chunk++) {
            selector.observe(constant, BOUNDS);
            assertThat(selector.choose(0)[2]).isEqualTo(Encode.Choice.PLAIN);
        }
        selector.observe(constant, BOUNDS);
        assertThat(selector.choose(0)[2]).isNotEqualTo(Encode.Choice.PLAIN);
    }

    @Test
    void whatOneThreadHasFoundHoldsForAllAndTheyTakeTurnsToLook() {
        ColumnForms forms = new ColumnForms();
        OffloadSelector one = selector(OffloadPolicy.SELECT, FragmentForm.ENCODED, forms);
        OffloadSelector other = selector(OffloadPolicy.SELECT, FragmentForm.ENCODED, forms);
        assertThat(other.choose(0)[2]).isEqualTo(Encode.Choice.DICTIONARY);
        one.observe(batch(), BOUNDS);
        ColumnBatch constant = batch();
        for (int row = 0; row < ROWS; row++) {
            constant.longs(2).values()[row] = 5;
        }
        for (int chunk = 2; chunk < ColumnForms.REFRESH_CHUNKS; chunk += 2) {
            other.observe(constant, BOUNDS);
            one.observe(constant, BOUNDS);
            assertThat(other.choose(0)[2]).isEqualTo(Encode.Choice.PLAIN);
        }
        one.observe(constant, BOUNDS);
        assertThat(other.choose(0)[2]).isEqualTo(Encode.Choice.PLAIN);
        other.observe(constant, BOUNDS);
        assertThat(one.choose(0)[2]).isNotEqualTo(Encode.Choice.PLAIN);
        assertThat(other.encodedFragments()[2]).isEqualTo(1);
    }

    @Test
    void aSampleTellsFewValuesFromMany() {
        int rows = 100_000;
        SplittableRandom random = new SplittableRandom(2);
        ColumnBatch batch = ColumnBatch.forColumns(TestTables.ORDERS.columns(), rows);
        for (int row = 0; row < rows; row++) {
            batch.longs(0).values()[row] = row / 4 * 1_000L;
            byte[] state = bytes("state " + random.nextInt(3_000));
            batch.bytes(1).append(row, state, 0, state.length);
            batch.longs(2).values()[row] = random.nextInt(3_000) * 1_000_000L;
            batch.longs(3).values()[row] = random.nextInt(20_000) * 1_000L;
            byte[] note = bytes("note " + random.nextInt(20_000));
            batch.bytes(4).append(row, note, 0, note.length);
        }
        batch.setRowCount(rows);
        OffloadSelector selector = selector(OffloadPolicy.SELECT, FragmentForm.ENCODED);
        selector.observe(batch, new int[] {0, 0, rows});
        assertThat(selector.choose(0))
                .containsExactly(
                        Encode.Choice.PACKED,
                        Encode.Choice.DICTIONARY,
                        Encode.Choice.DICTIONARY,
                        Encode.Choice.PACKED,
                        Encode.Choice.PLAIN);
    }

    @Test
    void beforeTheEncodedCutEverythingStaysPlain() {
        OffloadSelector selector = selector(OffloadPolicy.ALL, FragmentForm.SORTED);
        assertThat(selector.choose(0)).containsOnly(Encode.Choice.PLAIN);
        assertThat(selector.encodedFragments()).containsOnly(0);
    }
}
