package dev.penstock.jdbc;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;
import dev.penstock.sql.SqlEngine;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.RowIdLifetime;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What a database browser asks: tables, columns and keys from the store, an empty result with the
 * prescribed columns for everything that a store does not have. No method throws for being asked.
 */
final class PenstockMetaData extends EmptyMetaData implements SelfWrapper {
    private static final String TABLE = "TABLE";
    private static final String SYSTEM_TABLE = "SYSTEM TABLE";
    private static final int DECIMAL_RADIX = 10;

    /** The view of loads as if it were declared. */
    private static final TableSchema LOADS = SqlEngine.loadsSchema();

    private final PenstockConnection connection;

    PenstockMetaData(PenstockConnection connection) {
        this.connection = connection;
    }

    private List<TableSchema> tables(@Nullable String namePattern) throws SQLException {
        NamePattern pattern = NamePattern.of(namePattern);
        try {
            return connection.store().tables().stream()
                    .filter(table -> pattern.matches(table.name()))
                    .sorted(
                            Comparator.comparing(
                                    (TableSchema table) -> table.name().toLowerCase(Locale.ROOT)))
                    .toList();
        } catch (PenstockException e) {
            throw SqlErrors.of(e);
        }
    }

    @Override
    public ResultSet getTables(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String tableNamePattern,
            String @Nullable [] types)
            throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<String> wanted = types == null ? List.of(SYSTEM_TABLE, TABLE) : Arrays.asList(types);
        if (wanted.contains(SYSTEM_TABLE)
                && NamePattern.of(tableNamePattern).matches(LOADS.name())) {
            rows.add(table(LOADS.name(), SYSTEM_TABLE));
        }
        if (wanted.contains(TABLE)) {
            tables(tableNamePattern).forEach(table -> rows.add(table(table.name(), TABLE)));
        }
        return ResultShape.TABLES.of(rows);
    }

    private static List<@Nullable Object> table(String name, String type) {
        return Rows.row(null, null, name, type, null, null, null, null, null, null);
    }

    @Override
    public ResultSet getColumns(
            @Nullable String catalog,
            @Nullable String schemaPattern,
            @Nullable String tableNamePattern,
            @Nullable String columnNamePattern)
            throws SQLException {
        NamePattern pattern = NamePattern.of(columnNamePattern);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        List<TableSchema> tables = new ArrayList<>(tables(tableNamePattern));
        if (NamePattern.of(tableNamePattern).matches(LOADS.name())) {
            tables.add(LOADS);
        }
        for (TableSchema table : tables) {
            for (int i = 0; i < table.visibleColumnCount(); i++) {
                if (pattern.matches(table.column(i).name())) {
                    rows.add(column(table, i));
                }
            }
        }
        return ResultShape.COLUMNS.of(rows);
    }

    private static List<@Nullable Object> column(TableSchema table, int index) {
        Column column = table.column(index);
        TypeMapping type = TypeMapping.of(column.type());
        boolean characters =
                column.type() instanceof ColumnType.CharType
                        || column.type() instanceof ColumnType.VarcharType;
        return Rows.row(
                null,
                null,
                table.name(),
                column.name(),
                type.type(),
                type.name(),
                type.size(),
                null,
                type.digits() < 0 ? null : type.digits(),
                DECIMAL_RADIX,
                column.nullable() ? columnNullable : columnNoNulls,
                null,
                null,
                null,
                null,
                characters ? (Integer) Math.min(Integer.MAX_VALUE / 4, type.size()) * 4 : null,
                index + 1,
                column.nullable() ? "YES" : "NO",
                null,
                null,
                null,
                null,
                "NO",
                "NO");
    }

    @Override
    public ResultSet getPrimaryKeys(@Nullable String catalog, @Nullable String schema, String table)
            throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (TableSchema found : tables(null)) {
            if (found.name().equalsIgnoreCase(table) && !found.hiddenRowId()) {
                for (int i = 0; i < found.key().size(); i++) {
                    String name = found.column(found.key().get(i).columnIndex()).name();
                    rows.add(Rows.row(null, null, found.name(), name, (short) (i + 1), null));
                }
            }
        }
        rows.sort(Comparator.comparing(row -> String.valueOf(row.get(3))));
        return ResultShape.PRIMARY_KEYS.of(rows);
    }

    @Override
    public ResultSet getTableTypes() {
        return ResultShape.TABLE_TYPES.of(List.of(Rows.row(SYSTEM_TABLE), Rows.row(TABLE)));
    }

    @Override
    public ResultSet getTypeInfo() {
        List<ColumnType> types =
                List.of(
                        new ColumnType.BigIntType(),
                        new ColumnType.BooleanType(),
                        new ColumnType.CharType(1),
                        new ColumnType.DateType(),
                        new ColumnType.DecimalType(
                                ColumnType.MAX_DECIMAL_PRECISION, ColumnType.MAX_DECIMAL_PRECISION),
                        new ColumnType.DoubleType(),
                        new ColumnType.IntegerType(),
                        new ColumnType.RealType(),
                        new ColumnType.SmallIntType(),
                        new ColumnType.TimeType(),
                        new ColumnType.TimestampType(),
                        new ColumnType.UuidType(),
                        new ColumnType.VarbinaryType(ColumnType.MAX_LENGTH),
                        new ColumnType.VarcharType(ColumnType.MAX_LENGTH));
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (ColumnType type : types) {
            TypeMapping mapping = TypeMapping.of(type);
            String quote =
                    type instanceof ColumnType.CharType || type instanceof ColumnType.VarcharType
                            ? "'"
                            : null;
            rows.add(
                    Rows.row(
                            mapping.name(),
                            mapping.type(),
                            mapping.size(),
                            quote,
                            quote,
                            type instanceof ColumnType.DecimalType ? "precision,scale" : null,
                            typeNullable,
                            1,
                            typeSearchable,
                            0,
                            0,
                            0,
                            mapping.name(),
                            0,
                            Math.max(0, mapping.digits()),
                            null,
                            null,
                            DECIMAL_RADIX));
        }
        rows.sort(Comparator.comparingInt(row -> (int) Objects.requireNonNull(row.get(1))));
        return ResultShape.TYPES.of(rows);
    }

    @Override
    public Connection getConnection() {
        return connection;
    }

    @Override
    public String getURL() {
        return connection.url();
    }

    @Override
    public String getUserName() {
        return "";
    }

    @Override
    public String getDatabaseProductName() {
        return "Penstock";
    }

    @Override
    public String getDatabaseProductVersion() {
        return getDriverVersion();
    }

    @Override
    public String getDriverName() {
        return "Penstock JDBC driver";
    }

    @Override
    public String getDriverVersion() {
        return PenstockDriver.MAJOR_VERSION + "." + PenstockDriver.MINOR_VERSION;
    }

    @Override
    public int getDriverMajorVersion() {
        return PenstockDriver.MAJOR_VERSION;
    }

    @Override
    public int getDriverMinorVersion() {
        return PenstockDriver.MINOR_VERSION;
    }

    @Override
    public int getDatabaseMajorVersion() {
        return PenstockDriver.MAJOR_VERSION;
    }

    @Override
    public int getDatabaseMinorVersion() {
        return PenstockDriver.MINOR_VERSION;
    }

    @Override
    public int getJDBCMajorVersion() {
        return 4;
    }

    @Override
    public int getJDBCMinorVersion() {
        return 3;
    }

    @Override
    public String getIdentifierQuoteString() {
        return "\"";
    }

    @Override
    public String getSearchStringEscape() {
        return "\\";
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public boolean allTablesAreSelectable() {
        return true;
    }

    @Override
    public boolean storesMixedCaseIdentifiers() {
        return true;
    }

    @Override
    public boolean storesMixedCaseQuotedIdentifiers() {
        return true;
    }

    @Override
    public boolean supportsNonNullableColumns() {
        return true;
    }

    @Override
    public boolean supportsResultSetType(int type) {
        return type == ResultSet.TYPE_FORWARD_ONLY;
    }

    @Override
    public boolean supportsResultSetConcurrency(int type, int concurrency) {
        return supportsResultSetType(type) && concurrency == ResultSet.CONCUR_READ_ONLY;
    }

    @Override
    public boolean supportsResultSetHoldability(int holdability) {
        return holdability == getResultSetHoldability();
    }

    @Override
    public int getResultSetHoldability() {
        return ResultSet.CLOSE_CURSORS_AT_COMMIT;
    }

    @Override
    public int getDefaultTransactionIsolation() {
        return Connection.TRANSACTION_NONE;
    }

    @Override
    public int getMaxColumnNameLength() {
        return 128;
    }

    @Override
    public int getMaxTableNameLength() {
        return 128;
    }

    @Override
    public int getMaxColumnsInTable() {
        return TableSchema.MAX_COLUMNS;
    }

    @Override
    public int getSQLStateType() {
        return sqlStateSQL;
    }

    @Override
    public RowIdLifetime getRowIdLifetime() {
        return RowIdLifetime.ROWID_UNSUPPORTED;
    }
}
