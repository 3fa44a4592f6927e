package dev.penstock.sql;

import static dev.penstock.sql.RegionedRows.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;

import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** What is stored after an UPDATE that gives rows other keys, and what its errors say of that. */
final class KeyMovesTest {
    private static void move(RegionedRows stored, ColumnBatch before, ColumnBatch after) {
        new KeyMoves(stored, new Moves(RegionedRows.SCHEMA, List.of(before), List.of(after))).run();
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(
            RegionedRows stored, ColumnBatch before, ColumnBatch after) {
        return assertThatThrownBy(() -> move(stored, before, after));
    }

    /** Refused with all rows as they were. */
    private static AbstractThrowableAssert<?, ?> assertUndone(
            RegionedRows stored, ColumnBatch before, ColumnBatch after) {
        Map<Long, Long> was = Map.copyOf(stored.values);
        AbstractThrowableAssert<?, ?> refused = assertRefused(stored, before, after);
        assertThat(stored.values).isEqualTo(was);
        return refused.isNotInstanceOf(HalfMoved.class);
    }

    @Test
    void rowsThatFollowEachOtherMoveByOne() {
        RegionedRows stored = new RegionedRows(8, 80, 9, 90, 10, 100, 11, 110);
        move(stored, rows(8, 80, 9, 90, 10, 100, 11, 110), rows(9, 80, 10, 90, 11, 100, 12, 110));
        assertThat(stored.values).isEqualTo(Map.of(9L, 80L, 10L, 90L, 11L, 100L, 12L, 110L));
    }

    @Test
    void linesOfSeveralRegionsTakeOneCallEach() {
        RegionedRows stored = new RegionedRows(1, 10, 2, 20, 3, 30, 11, 110, 12, 120, 13, 130);
        move(
                stored,
                rows(1, 10, 11, 110, 2, 20, 12, 120, 3, 30, 13, 130),
                rows(2, 10, 12, 110, 3, 20, 13, 120, 4, 30, 14, 130));
        assertThat(stored.values)
                .isEqualTo(Map.of(2L, 10L, 3L, 20L, 4L, 30L, 12L, 110L, 13L, 120L, 14L, 130L));
        assertThat(stored.writes()).isEqualTo(6);
    }

    @Test
    void rowsExchangeTheirKeysAndOthersKeepThem() {
        RegionedRows stored = new RegionedRows(1, 10, 2, 20, 11, 110);
        move(stored, rows(1, 10, 2, 20, 11, 110), rows(11, 10, 2, 21, 1, 110));
        assertThat(stored.values).isEqualTo(Map.of(11L, 10L, 2L, 21L, 1L, 110L));
    }

    @Test
    void nothingIsWrittenIfAKeyIsTaken() {
        RegionedRows stored = new RegionedRows(1, 10, 2, 20, 3, 30);
        assertUndone(stored, rows(1, 10), rows(3, 10))
                .isInstanceOf(DuplicateKey.class)
                .hasMessage(
                        "table t has a row with key (id=3) already, which an UPDATE does not"
                                + " replace; set another key, or DELETE that row first");
        assertUndone(stored, rows(1, 10, 2, 20), rows(5, 10, 5, 20))
                .isInstanceOf(DuplicateKey.class)
                .hasMessage(
                        "this UPDATE would give several rows of table t the key (id=5); choose"
                                + " fewer rows, or set keys that differ");
        assertThat(stored.writes()).isZero();
    }

    @Test
    void nothingIsWrittenIfALoadKeepsARowOrWantsAKey() {
        RegionedRows stored = new RegionedRows(1, 10, 2, 20, 13, 130);
        stored.held.add(1L);
        assertUndone(stored, rows(1, 10), rows(9, 10)).hasMessage("a load has left it out");
        assertUndone(stored, rows(2, 20, 1, 10), rows(3, 20, 1, 11))
                .hasMessage("a row has a key of a load");
        stored.held.clear();
        stored.keeping.add(0);
        assertUndone(stored, rows(13, 130, 1, 10), rows(19, 130, 9, 10))
                .hasMessage("a load has left it out");
        assertThat(stored.writes()).isZero();
    }

    @Test
    void aRowThatALoadHoldsInTheMeantimeTakesNoOtherPlaceToo() {
        RegionedRows stored = new RegionedRows(1, 10);
        stored.before("delete 1", () -> stored.held.add(1L));
        assertUndone(stored, rows(1, 10), rows(9, 10)).hasMessage("a load has left it out");
    }

    @Test
    void rowsComeBackInTheOtherRegionsToo() {
        RegionedRows stored = new RegionedRows(1, 10, 11, 110, 21, 210);
        stored.before("delete 11", () -> stored.keeping.add(1));
        assertUndone(stored, rows(1, 10, 11, 110, 21, 210), rows(31, 10, 32, 110, 43, 210))
                .hasMessage("a load has left it out");
    }

    @Test
    void ofSeveralBatchesTheFirstComesBackIfTheSecondIsRefused() {
        RegionedRows stored = new RegionedRows(1, 10, 2, 20);
        stored.before("store 21", () -> stored.held.add(21L));
        Map<Long, Long> was = Map.copyOf(stored.values);
        Moves moves =
                new Moves(
                        RegionedRows.SCHEMA,
                        List.of(rows(1, 10), rows(2, 20)),
                        List.of(rows(31, 10), rows(21, 20)));
        assertThatThrownBy(() -> new KeyMoves(stored, moves).run())
                .hasMessage("a row has a key of a load");
        assertThat(stored.values).isEqualTo(was);
    }

    @Test
    void whatARegionDoesNotGiveBackIsToldAndTheOthersAreUndone() {
        RegionedRows stored = new RegionedRows(1, 10, 2, 20, 3, 30);
        stored.before("delete 1", () -> stored.keeping.add(0));
        assertRefused(stored, rows(1, 10, 2, 20, 3, 30), rows(9, 10, 15, 20, 25, 30))
                .isInstanceOf(HalfMoved.class)
                .satisfies(e -> assertThat(SqlErrors.of(e, false).getSQLState()).isEqualTo("40003"))
                .hasMessage(
                        "the UPDATE of table t failed when a part of it was done, and not all of"
                            + " that could be undone. 1 row is stored under the old key and under"
                            + " the new one; DELETE one of the two once that is not refused (old"
                            + " key (id=1), new key (id=9)). It failed because a load has left it"
                            + " out")
                .cause()
                .satisfies(first -> assertThat(first.getSuppressed()).hasSize(1));
        assertThat(stored.values).isEqualTo(Map.of(1L, 10L, 9L, 10L, 2L, 20L, 3L, 30L));
    }

    @Test
    void aRowThatSomebodyInsertsInTheMeantimeIsNotReplaced() {
        RegionedRows stored = new RegionedRows(1, 10, 2, 20);
        stored.before("store 19", () -> stored.values.put(19L, 5L));
        assertRefused(stored, rows(1, 10, 2, 20), rows(9, 10, 19, 20))
                .isInstanceOf(DuplicateKey.class)
                .hasMessageContaining("(id=19)");
        assertThat(stored.values).isEqualTo(Map.of(1L, 10L, 2L, 20L, 19L, 5L));
    }

    @Test
    void rowsThatKeepTheirKeysAreChangedWithTheOthersOrNotAtAll() {
        RegionedRows stored = new RegionedRows(1, 10, 5, 50, 15, 150);
        stored.before("store 15", () -> stored.held.add(15L));
        assertUndone(stored, rows(1, 10, 5, 50, 15, 150), rows(9, 10, 5, 51, 15, 151))
                .hasMessage("a row has a key of a load");
        stored.held.clear();
        stored.before("delete 1", () -> stored.held.add(1L));
        assertUndone(stored, rows(1, 10, 5, 50, 15, 150), rows(9, 10, 5, 51, 15, 151))
                .hasMessage("a load has left it out");
    }

    @Test
    void whatSomebodyChangesInTheMeantimeStaysAndIsTold() {
        RegionedRows stored = new RegionedRows(1, 10);
        stored.before(
                "delete 1",
                () -> {
                    stored.held.add(1L);
                    stored.values.put(9L, 99L);
                });
        assertRefused(stored, rows(1, 10), rows(9, 10))
                .isInstanceOf(HalfMoved.class)
                .hasMessageContaining("1 row is stored under the old key and under the new one");
        assertThat(stored.values).isEqualTo(Map.of(1L, 10L, 9L, 99L));
    }

    @Test
    void whatSomebodyRemovesInTheMeantimeDoesNotComeBack() {
        RegionedRows stored = new RegionedRows(1, 10, 11, 110);
        stored.before(
                "delete 11",
                () -> {
                    stored.held.add(11L);
                    stored.values.remove(9L);
                });
        assertRefused(stored, rows(1, 10, 11, 110), rows(9, 10, 19, 110))
                .hasMessage("a load has left it out");
        assertThat(stored.values).isEqualTo(Map.of(11L, 110L));
    }

    @Test
    void aRowWhoseOldKeySomebodyTakesInTheMeantimeStaysWhereItIs() {
        RegionedRows stored = new RegionedRows(1, 10, 11, 110);
        stored.before(
                "delete 11",
                () -> {
                    stored.held.add(11L);
                    stored.values.put(1L, 5L);
                });
        assertRefused(stored, rows(1, 10, 11, 110), rows(9, 10, 19, 110))
                .isInstanceOf(HalfMoved.class)
                .hasMessageContaining("1 row is stored as the UPDATE wanted (old key (id=1), ");
        assertThat(stored.values).isEqualTo(Map.of(1L, 5L, 9L, 10L, 11L, 110L));
    }

    @Test
    void aLineOfRowsGoesBackOneAfterTheOther() {
        RegionedRows stored = new RegionedRows(8, 80, 9, 90, 10, 100);
        stored.before("store 9", () -> stored.held.add(9L));
        assertUndone(stored, rows(8, 80, 9, 90, 10, 100), rows(9, 80, 10, 90, 11, 100))
                .hasMessage("a row has a key of a load");
    }

    @Test
    void aLineOfRowsThatCannotGoBackLosesNone() {
        RegionedRows stored = new RegionedRows(8, 80, 9, 90, 10, 100);
        stored.before("store 9", () -> stored.held.addAll(List.of(9L, 10L)));
        assertRefused(stored, rows(8, 80, 9, 90, 10, 100), rows(9, 80, 10, 90, 11, 100))
                .isInstanceOf(HalfMoved.class)
                .hasMessageContaining("1 row is stored under the old key and under the new one;")
                .hasMessageContaining("(old key (id=9), new key (id=10))")
                .hasMessageContaining("1 row is stored as the UPDATE wanted (old key (id=10), ");
        assertThat(stored.values).isEqualTo(Map.of(8L, 80L, 9L, 90L, 10L, 90L, 11L, 100L));
    }

    @Test
    void aRowWhosePlaceSomebodyChangedStaysWhereItIs() {
        RegionedRows stored = new RegionedRows(8, 80, 9, 90, 10, 100);
        stored.before(
                "delete 8",
                () -> {
                    stored.held.add(8L);
                    stored.values.put(9L, 5L);
                });
        assertRefused(stored, rows(8, 80, 9, 90, 10, 100), rows(9, 80, 10, 90, 11, 100))
                .isInstanceOf(HalfMoved.class)
                .hasMessageContaining("1 row is stored under the old key and under the new one;")
                .hasMessageContaining("(old key (id=8), new key (id=9))")
                .hasMessageContaining("2 rows are stored as the UPDATE wanted (old key (id=");
        assertThat(stored.values).isEqualTo(Map.of(8L, 80L, 9L, 5L, 10L, 90L, 11L, 100L));
    }

    @Test
    void aRowThatLosesItsPlaceIsNamed() {
        RegionedRows stored = new RegionedRows(1, 10, 11, 110);
        stored.before("store 11", () -> stored.held.addAll(List.of(1L, 11L)));
        assertRefused(stored, rows(1, 10, 11, 110), rows(11, 10, 1, 110))
                .isInstanceOf(HalfMoved.class)
                .hasMessageContaining("1 row is stored under the old key and under the new one;")
                .hasMessageContaining(
                        "1 row is stored no more; INSERT what was under the old key"
                                + " (old key (id=1), new key (id=11))");
        assertThat(stored.values).isEqualTo(Map.of(1L, 110L, 11L, 110L));
    }

    @Test
    void whatCannotBeReadIsToldAndTheOthersAreUndone() {
        RegionedRows stored = new RegionedRows(1, 10, 2, 20, 11, 110);
        stored.before(
                "delete 11",
                () -> {
                    stored.held.add(11L);
                    stored.silent.add(2);
                });
        assertRefused(stored, rows(1, 10, 2, 20, 11, 110), rows(21, 10, 22, 20, 31, 110))
                .isInstanceOf(HalfMoved.class)
                .hasMessageContaining(
                        "2 rows are stored as before or not, which is not known (old key (id=1),"
                                + " new key (id=21), and others)");
        assertThat(stored.values).isEqualTo(Map.of(21L, 10L, 22L, 20L, 11L, 110L));
    }
}
