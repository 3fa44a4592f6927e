package dev.penstock.sql;

import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;

/** Column types as Calcite knows them. */
final class SqlTypes {
    /** Calcite computes times in milliseconds; the store keeps microseconds. */
    private static final int TIME_DIGITS = 3;

    private SqlTypes() {}

    /** The columns that a user declared. */
    static RelDataType rowType(TableSchema schema, RelDataTypeFactory factory) {
        RelDataTypeFactory.Builder row = factory.builder();
        for (Column column : schema.columns().subList(0, schema.visibleColumnCount())) {
            row.add(
                    column.name(),
                    factory.createTypeWithNullability(
                            type(column.type(), factory), column.nullable()));
        }
        return row.build();
    }

    /** The same, followed by the hidden fields of {@link ExactFields}. */
    static RelDataType rowTypeWithExactFields(TableSchema schema, RelDataTypeFactory factory) {
        ExactFields exactFields = new ExactFields(schema);
        RelDataTypeFactory.Builder row = factory.builder();
        row.addAll(rowType(schema, factory).getFieldList());
        for (int field = schema.visibleColumnCount(); field < exactFields.fieldCount(); field++) {
            row.add(
                    exactFields.hiddenName(field),
                    factory.createTypeWithNullability(
                            factory.createSqlType(SqlTypeName.BIGINT),
                            schema.column(exactFields.column(field)).nullable()));
        }
        return row.build();
    }

    private static RelDataType type(ColumnType type, RelDataTypeFactory factory) {
        return switch (type) {
            case ColumnType.BooleanType _ -> factory.createSqlType(SqlTypeName.BOOLEAN);
            case ColumnType.SmallIntType _ -> factory.createSqlType(SqlTypeName.SMALLINT);
            case ColumnType.IntegerType _ -> factory.createSqlType(SqlTypeName.INTEGER);
            case ColumnType.BigIntType _ -> factory.createSqlType(SqlTypeName.BIGINT);
            case ColumnType.RealType _ -> factory.createSqlType(SqlTypeName.REAL);
            case ColumnType.DoubleType _ -> factory.createSqlType(SqlTypeName.DOUBLE);
            case ColumnType.DecimalType(int precision, int scale) ->
                    factory.createSqlType(SqlTypeName.DECIMAL, precision, scale);
            case ColumnType.DateType _ -> factory.createSqlType(SqlTypeName.DATE);
            case ColumnType.TimeType _ -> factory.createSqlType(SqlTypeName.TIME, TIME_DIGITS);
            case ColumnType.TimestampType _ ->
                    factory.createSqlType(SqlTypeName.TIMESTAMP, TIME_DIGITS);
            // CHAR values are stored as they were written; Calcite would compare them padded. And
            // it
            // would cut what is too long for a column, which CellWriter refuses.
            case ColumnType.CharType _, ColumnType.VarcharType _ ->
                    factory.createSqlType(SqlTypeName.VARCHAR, ColumnType.MAX_LENGTH);
            case ColumnType.VarbinaryType _ ->
                    factory.createSqlType(SqlTypeName.VARBINARY, ColumnType.MAX_LENGTH);
            case ColumnType.UuidType _ -> factory.createSqlType(SqlTypeName.UUID);
        };
    }
}
