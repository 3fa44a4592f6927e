package dev.penstock.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is stored if a load keeps rows where they are that a statement moves. */
final class KeyMovesTest {
    private static final TableSchema SCHEMA =
            Ddl.parseCreateTable(
                    "CREATE TABLE t (id BIGINT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (id))");
    private static final KeyCodec KEYS = new KeyCodec(SCHEMA);

    /** Rows by key, of which some may not go; keys are removed one by one, as regions do it. */
    private static final class Stored implements KeyMoves.Rows {
        private final Map<ByteBuffer, Long> values = new HashMap<>();
        private final Set<ByteBuffer> held = new HashSet<>();

        @Override
        public void put(ColumnBatch rows) {
            for (int row = 0; row < rows.rowCount(); row++) {
                values.put(ByteBuffer.wrap(KEYS.encode(rows, row)), rows.longs(1).values()[row]);
            }
        }

        @Override
        public void delete(List<byte[]> keys) {
            // those that may go first: a part of the statement is done when it is refused
            keys.stream()
                    .map(ByteBuffer::wrap)
                    .filter(k -> !held.contains(k))
                    .forEach(values::remove);
            if (keys.stream().map(ByteBuffer::wrap).anyMatch(held::contains)) {
                throw PenstockException.conflict("a load has left it out");
            }
        }

        @Override
        public boolean has(List<byte[]> keys) {
            return keys.stream().map(ByteBuffer::wrap).anyMatch(values::containsKey);
        }
    }

    private static ColumnBatch rows(long... idsAndValues) {
        ColumnBatch rows = ColumnBatch.forColumns(SCHEMA.columns(), idsAndValues.length / 2);
        for (int row = 0; row < idsAndValues.length / 2; row++) {
            rows.longs(0).values()[row] = idsAndValues[2 * row];
            rows.longs(1).values()[row] = idsAndValues[2 * row + 1];
        }
        rows.setRowCount(idsAndValues.length / 2);
        return rows;
    }

    private static Stored stored(long... idsAndValues) {
        Stored stored = new Stored();
        stored.put(rows(idsAndValues));
        return stored;
    }

    private static void move(Stored stored, ColumnBatch before, ColumnBatch after) {
        new KeyMoves(SCHEMA, stored, List.of(before), List.of(after)).run();
    }

    @Test
    void rowsThatFollowEachOtherMoveByOne() {
        Stored stored = stored(1, 10, 2, 20, 3, 30);
        move(stored, rows(1, 10, 2, 20, 3, 30), rows(2, 10, 3, 20, 4, 30));
        assertThat(stored.values).isEqualTo(stored(2, 10, 3, 20, 4, 30).values);
    }

    @Test
    void aRowThatMayNotGoTakesNoOtherPlaceToo() {
        Stored stored = stored(1, 10, 2, 20, 3, 30);
        Map<ByteBuffer, Long> before = Map.copyOf(stored.values);
        stored.held.add(ByteBuffer.wrap(KEYS.encode(rows(3, 0), 0)));
        assertThatThrownBy(() -> move(stored, rows(1, 10, 2, 20, 3, 30), rows(2, 11, 7, 21, 8, 31)))
                .hasMessage("a load has left it out");
        assertThat(stored.values).isEqualTo(before);
    }

    @Test
    void nothingIsChangedIfAKeyIsTaken() {
        Stored stored = stored(1, 10, 2, 20, 3, 30);
        Map<ByteBuffer, Long> before = Map.copyOf(stored.values);
        assertThatThrownBy(() -> move(stored, rows(1, 10), rows(3, 10)))
                .isInstanceOf(DuplicateKey.class);
        assertThatThrownBy(() -> move(stored, rows(1, 10, 2, 20), rows(5, 10, 5, 20)))
                .isInstanceOf(DuplicateKey.class);
        assertThat(stored.values).isEqualTo(before);
    }
}
