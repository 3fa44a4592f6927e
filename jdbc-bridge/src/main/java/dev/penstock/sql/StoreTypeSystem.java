package dev.penstock.sql;

import dev.penstock.schema.ColumnType;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

import java.math.RoundingMode;

/**
 * Decimals of 38 digits, rounded half up; sums that cannot overflow silently; averages are DOUBLE
 * unless decimal; texts are not padded.
 */
public final class StoreTypeSystem extends RelDataTypeSystemImpl {
    /** Found by name, see {@link SqlEngine}. */
    public static final StoreTypeSystem INSTANCE = new StoreTypeSystem();

    private static final int AVERAGE_SCALE = 6;

    private StoreTypeSystem() {}

    @Override
    public int getMaxPrecision(SqlTypeName type) {
        return switch (type) {
            case DECIMAL -> ColumnType.MAX_DECIMAL_PRECISION;
            case CHAR, VARCHAR, BINARY, VARBINARY -> ColumnType.MAX_LENGTH;
            default -> super.getMaxPrecision(type);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL
                ? ColumnType.MAX_DECIMAL_PRECISION
                : super.getMaxScale(type);
    }

    /** As parameters and what is computed are rounded to what a column takes; Calcite cuts off. */
    @Override
    public RoundingMode roundingMode() {
        return RoundingMode.HALF_UP;
    }

    /** Texts of several lengths in one place stay as they are, instead of padded to the longest. */
    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }

    /**
     * The sum of small integers is BIGINT, of BIGINT and decimals DECIMAL(38, scale), else DOUBLE.
     */
    @Override
    public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
        RelDataType sum =
                switch (argument.getSqlTypeName()) {
                    case TINYINT, SMALLINT, INTEGER -> factory.createSqlType(SqlTypeName.BIGINT);
                    case BIGINT -> decimal(factory, 0);
                    case DECIMAL -> decimal(factory, argument.getScale());
                    case REAL, FLOAT, DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
                    default -> argument;
                };
        return factory.createTypeWithNullability(sum, argument.isNullable());
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
        RelDataType average =
                argument.getSqlTypeName() == SqlTypeName.DECIMAL
                        ? decimal(factory, Math.max(AVERAGE_SCALE, argument.getScale()))
                        : factory.createSqlType(SqlTypeName.DOUBLE);
        return factory.createTypeWithNullability(average, argument.isNullable());
    }

    private static RelDataType decimal(RelDataTypeFactory factory, int scale) {
        return factory.createSqlType(SqlTypeName.DECIMAL, ColumnType.MAX_DECIMAL_PRECISION, scale);
    }
}
