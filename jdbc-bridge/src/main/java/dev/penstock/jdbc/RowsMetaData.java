package dev.penstock.jdbc;

import java.sql.JDBCType;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

/** Describes the columns of {@link Rows}. */
final class RowsMetaData implements ResultSetMetaData, SelfWrapper {
    private final List<Rows.Column> columns;

    RowsMetaData(List<Rows.Column> columns) {
        this.columns = columns;
    }

    private Rows.Column column(int number) throws SQLException {
        if (number < 1 || number > columns.size()) {
            throw new SQLException("the result has no column number " + number, "42703");
        }
        return columns.get(number - 1);
    }

    @Override
    public int getColumnCount() {
        return columns.size();
    }

    @Override
    public String getColumnLabel(int number) throws SQLException {
        return column(number).label();
    }

    @Override
    public String getColumnName(int number) throws SQLException {
        return column(number).label();
    }

    @Override
    public int getColumnType(int number) throws SQLException {
        return column(number).type();
    }

    @Override
    public String getColumnTypeName(int number) throws SQLException {
        return JDBCType.valueOf(column(number).type()).getName();
    }

    @Override
    public String getColumnClassName(int number) throws SQLException {
        return switch (column(number).type()) {
            case Types.BIGINT -> Long.class.getName();
            case Types.INTEGER -> Integer.class.getName();
            case Types.SMALLINT -> Short.class.getName();
            case Types.BOOLEAN -> Boolean.class.getName();
            default -> String.class.getName();
        };
    }

    @Override
    public int isNullable(int number) {
        return columnNullableUnknown;
    }

    @Override
    public boolean isSigned(int number) throws SQLException {
        int type = column(number).type();
        return type == Types.BIGINT || type == Types.INTEGER || type == Types.SMALLINT;
    }

    @Override
    public int getColumnDisplaySize(int number) throws SQLException {
        return isSigned(number) ? 20 : 128;
    }

    @Override
    public int getPrecision(int number) throws SQLException {
        return isSigned(number) ? 19 : 0;
    }

    @Override
    public int getScale(int number) {
        return 0;
    }

    @Override
    public boolean isAutoIncrement(int number) {
        return false;
    }

    @Override
    public boolean isCaseSensitive(int number) {
        return true;
    }

    @Override
    public boolean isSearchable(int number) {
        return false;
    }

    @Override
    public boolean isCurrency(int number) {
        return false;
    }

    @Override
    public boolean isReadOnly(int number) {
        return true;
    }

    @Override
    public boolean isWritable(int number) {
        return false;
    }

    @Override
    public boolean isDefinitelyWritable(int number) {
        return false;
    }

    @Override
    public String getSchemaName(int number) {
        return "";
    }

    @Override
    public String getTableName(int number) {
        return "";
    }

    @Override
    public String getCatalogName(int number) {
        return "";
    }
}
