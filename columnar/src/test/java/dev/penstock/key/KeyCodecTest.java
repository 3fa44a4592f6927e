package dev.penstock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class KeyCodecTest {
    private static final List<ColumnType> TYPES =
            List.of(
                    new ColumnType.BigIntType(),
                    new ColumnType.IntegerType(),
                    new ColumnType.SmallIntType(),
                    new ColumnType.BooleanType(),
                    new ColumnType.VarcharType(20),
                    new ColumnType.UuidType());

    private final Random random = new Random(17);

    @Test
    void keysOfManyRowsAreThoseOfEachRow() {
        for (int round = 0; round < 200; round++) {
            TableSchema schema = schema(round % 2 == 0 ? 4 : TYPES.size());
            int rows = random.nextInt(round % 20 == 0 ? 2_000 : 100);
            ColumnBatch batch = batch(schema, rows);
            KeyCodec codec = new KeyCodec(schema);
            ByteBuilder all = new ByteBuilder(0);
            all.write(new byte[] {1, 2, 3}, 0, 3);
            int[] ends = new int[rows];
            codec.encodeAll(batch, rows, all, ends);
            int from = 3;
            byte[] bytes = all.toByteArray();
            for (int row = 0; row < rows; row++) {
                byte[] key = Arrays.copyOfRange(bytes, from, ends[row]);
                assertThat(key).isEqualTo(codec.encode(batch, row));
                byte[] first = firstPart(schema, batch, row);
                assertThat(Arrays.copyOf(key, first.length)).isEqualTo(first);
                from = ends[row];
            }
            assertThat(from).isEqualTo(bytes.length);
        }
    }

    /** Another form of a key would sort elsewhere than the key. */
    @Test
    void onlyTheFormThatAKeyIsGivenIsDecoded() {
        for (boolean descending : new boolean[] {false, true}) {
            KeyCodec text = codec(new ColumnType.VarcharType(20), descending);
            assertThat(decoded(text, descending, 'b', 0, 0xFF, 'a', 0, 0))
                    .isEqualTo(new byte[] {'b', 0, 'a'});
            for (int escaped : new int[] {1, 0x7F, 0x80, 0xFE}) {
                assertThatThrownBy(() -> decoded(text, descending, 'b', 0, escaped, 'z', 0, 0))
                        .isInstanceOf(PenstockException.class);
            }
            KeyCodec uuid = codec(new ColumnType.UuidType(), descending);
            assertThatThrownBy(() -> decoded(uuid, descending, 1, 2, 3))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("ends within");
        }
    }

    private static KeyCodec codec(ColumnType type, boolean descending) {
        return new KeyCodec(
                TableSchema.declare(
                        "t",
                        List.of(new Column("k", type, false)),
                        List.of(new KeyColumn(0, descending))));
    }

    /** The value of a key whose bytes, if it ascends, are these. */
    private static byte[] decoded(KeyCodec codec, boolean descending, int... ascending) {
        byte[] key = new byte[ascending.length];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (descending ? ~ascending[i] : ascending[i]);
        }
        ColumnBatch out = new ColumnBatch(List.of(new BytesColumn(1, 16)));
        codec.decode(key, 0, key.length, out, 0);
        return out.bytes(0).get(0);
    }

    /**
     * The bytes of a first key part that is a number: big-endian, so that they order as it does.
     */
    private static byte[] firstPart(TableSchema schema, ColumnBatch batch, int row) {
        KeyColumn part = schema.key().getFirst();
        ColumnType type = schema.column(part.columnIndex()).type();
        if (type.kind() != PhysicalKind.LONG) {
            return new byte[0];
        }
        byte[] bytes = new byte[type.plainBytes()];
        long value = batch.longs(part.columnIndex()).values()[row];
        for (int i = bytes.length - 1; i >= 0; i--, value >>= 8) {
            int sign = i == 0 ? 0x80 : 0;
            bytes[i] = (byte) (value ^ sign ^ (part.descending() ? 0xFF : 0));
        }
        return bytes;
    }

    /** With a key of one to four columns of the first types. */
    private TableSchema schema(int types) {
        List<Column> columns = new ArrayList<>();
        List<KeyColumn> key = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            columns.add(new Column("c" + i, TYPES.get(random.nextInt(types)), false));
            key.add(new KeyColumn(i, random.nextBoolean()));
        }
        return TableSchema.declare("t", columns, key);
    }

    private ColumnBatch batch(TableSchema schema, int rows) {
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), rows);
        for (int column = 0; column < schema.columnCount(); column++) {
            ColumnType type = schema.column(column).type();
            for (int row = 0; row < rows; row++) {
                if (type.kind() == PhysicalKind.LONG) {
                    LongColumn longs = batch.longs(column);
                    longs.ensureRows(row + 1);
                    longs.values()[row] = random.nextLong() >> 64 - 8 * type.plainBytes();
                } else {
                    BytesColumn strings = batch.bytes(column);
                    byte[] value =
                            new byte[type.plainBytes() > 0 ? type.plainBytes() : random.nextInt(9)];
                    random.nextBytes(value);
                    strings.append(row, value, 0, value.length);
                }
            }
        }
        batch.setRowCount(rows);
        return batch;
    }
}
