package dev.penstock.kv.region;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.key.KeyCodec;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A small table for tests: {@code items(id BIGINT, name VARCHAR, amount INTEGER)}, key id. */
public final class TestTable {
    public static final TableSchema SCHEMA =
            TableSchema.declare(
                    "items",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), false),
                            new Column("name", new ColumnType.VarcharType(100), true),
                            new Column("amount", new ColumnType.IntegerType(), true)),
                    List.of(new KeyColumn(0, false)));

    private static final KeyCodec CODEC = new KeyCodec(SCHEMA);

    /** One row as a value. */
    public record Item(long id, @Nullable String name, @Nullable Integer amount) {}

    private TestTable() {}

    /** A load into a table with these columns; one without a plan cannot be resumed. */
    public static LoadRequest request(
            String table,
            String label,
            DuplicatePolicy duplicates,
            Verification proof,
            String plan) {
        return new LoadRequest(
                table,
                label,
                duplicates,
                Dialect.csv(),
                List.of(0, 1, 2),
                List.of("test.csv"),
                false,
                false,
                proof,
                TokenTables.NONE,
                plan);
    }

    public static byte[] key(long id) {
        ByteBuilder out = new ByteBuilder(8);
        CODEC.putLong(0, id, out);
        return out.toByteArray();
    }

    /** A row that follows from its id and a version. */
    public static Item item(long id, int version) {
        String name = id % 7 == 0 ? null : "name-" + id + "-" + version;
        Integer amount = id % 5 == 0 ? null : (int) (id * 3 + version);
        return new Item(id, name, amount);
    }

    public static List<Item> items(long from, long to, int version) {
        List<Item> items = new ArrayList<>();
        for (long id = from; id < to; id++) {
            items.add(item(id, version));
        }
        return items;
    }

    public static ColumnBatch batch(List<Item> items) {
        ColumnBatch batch = ColumnBatch.forColumns(SCHEMA.columns(), Math.max(1, items.size()));
        LongColumn ids = batch.longs(0);
        BytesColumn names = batch.bytes(1);
        LongColumn amounts = batch.longs(2);
        for (int row = 0; row < items.size(); row++) {
            Item item = items.get(row);
            String name = item.name();
            Integer amount = item.amount();
            ids.values()[row] = item.id();
            byte[] text = name == null ? new byte[0] : name.getBytes(StandardCharsets.UTF_8);
            names.append(row, text, 0, text.length);
            amounts.values()[row] = amount == null ? 0 : amount;
            if (name == null) {
                names.validity().setNull(row, items.size());
            }
            if (amount == null) {
                amounts.validity().setNull(row, items.size());
            }
        }
        batch.setRowCount(items.size());
        return batch;
    }

    /** The rows of a batch with all columns in table order. */
    public static List<Item> read(ColumnBatch batch) {
        return IntStream.range(0, batch.rowCount()).mapToObj(row -> read(batch, row)).toList();
    }

    private static Item read(ColumnBatch batch, int row) {
        String name =
                batch.column(1).validity().isValid(row)
                        ? new String(batch.bytes(1).get(row), StandardCharsets.UTF_8)
                        : null;
        Integer amount =
                batch.column(2).validity().isValid(row)
                        ? Integer.valueOf((int) batch.longs(2).values()[row])
                        : null;
        return new Item(batch.longs(0).values()[row], name, amount);
    }

    public static ColumnBatch emptyBatch() {
        return ColumnBatch.forColumns(SCHEMA.columns(), 16);
    }
}
