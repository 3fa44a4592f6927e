package dev.penstock.loader.fake;

import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import java.util.List;
import java.util.Optional;

/** The tables that tests load. */
public final class TestTables {
    public static final TableSchema ORDERS =
            TableSchema.declare(
                    "orders",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), false),
                            new Column("state", new ColumnType.CharType(10), true),
                            new Column("price", new ColumnType.DecimalType(15, 2), true),
                            new Column("day", new ColumnType.DateType(), true),
                            new Column("note", new ColumnType.VarcharType(100), true)),
                    List.of(new KeyColumn(0, false)));

    public static final TableSchema EVENTS =
            TableSchema.declare(
                    "events",
                    List.of(
                            new Column("town", new ColumnType.VarcharType(30), true),
                            new Column("count", new ColumnType.IntegerType(), true)),
                    List.of());

    private TestTables() {}

    static Optional<TableSchema> named(String name) {
        return List.of(ORDERS, EVENTS).stream()
                .filter(schema -> schema.name().equals(name))
                .findFirst();
    }
}
