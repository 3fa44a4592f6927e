package dev.penstock.kv.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

class KeysTest {
    private static final TableSchema SCHEMA =
            Ddl.parseCreateTable(
                    "CREATE TABLE t (v INT, id INTEGER, name VARCHAR(10),"
                            + " PRIMARY KEY (id DESC, name))");

    @Test
    void aKeyFromTextIsTheKeyOfItsRow() {
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), 1);
        batch.longs(1).values()[0] = -5;
        byte[] name = "abc".getBytes(StandardCharsets.UTF_8);
        batch.bytes(2).append(0, name, 0, name.length);
        batch.setRowCount(1);
        assertThat(Keys.encode(SCHEMA, List.of("-5", "abc")))
                .isEqualTo(new KeyCodec(SCHEMA).encode(batch, 0));
    }

    @Test
    void aPrefixComesBeforeAllKeysThatBeginSo() {
        byte[] prefix = Keys.prefix(SCHEMA, List.of("7"));
        byte[] key = Keys.encode(SCHEMA, List.of("7", ""));
        assertThat(Arrays.compareUnsigned(prefix, key)).isNegative();
        assertThat(Arrays.compareUnsigned(Keys.encode(SCHEMA, List.of("8", "zzz")), prefix))
                .as("8 comes before 7 in a descending key")
                .isNegative();
        assertThat(Keys.prefix(SCHEMA, List.of())).isEmpty();
    }

    @Test
    void wrongKeysAreExplained() {
        assertThatThrownBy(() -> Keys.encode(SCHEMA, List.of("7")))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("2 columns (id, name)")
                .hasMessageContaining("1 value was given");
        assertThatThrownBy(() -> Keys.prefix(SCHEMA, List.of("7", "a", "b")))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("only 2 columns");
        assertThatThrownBy(() -> Keys.encode(SCHEMA, List.of("x", "a")))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("column id");
    }
}
