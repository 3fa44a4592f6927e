package dev.penstock.cli.arrow;

import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;

import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** The Arrow type of each column type. */
final class ArrowTypes {
    private static final int UUID_BYTES = 16;

    private ArrowTypes() {}

    static Field field(Column column) {
        return new Field(
                column.name(), new FieldType(column.nullable(), type(column.type()), null), null);
    }

    private static ArrowType type(ColumnType type) {
        return switch (type) {
            case ColumnType.BooleanType _ -> new ArrowType.Bool();
            case ColumnType.SmallIntType _ -> new ArrowType.Int(16, true);
            case ColumnType.IntegerType _ -> new ArrowType.Int(32, true);
            case ColumnType.BigIntType _ -> new ArrowType.Int(64, true);
            case ColumnType.RealType _ ->
                    new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case ColumnType.DoubleType _ ->
                    new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case ColumnType.DecimalType decimal ->
                    new ArrowType.Decimal(decimal.precision(), decimal.scale(), 128);
            case ColumnType.DateType _ -> new ArrowType.Date(DateUnit.DAY);
            case ColumnType.TimeType _ -> new ArrowType.Time(TimeUnit.MICROSECOND, 64);
            case ColumnType.TimestampType _ -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
            case ColumnType.CharType _, ColumnType.VarcharType _ -> new ArrowType.Utf8();
            case ColumnType.VarbinaryType _ -> new ArrowType.Binary();
            case ColumnType.UuidType _ -> new ArrowType.FixedSizeBinary(UUID_BYTES);
        };
    }
}
