package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.net.URL;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Calendar;
import java.util.Map;

/**
 * A result that is read once from its first to its last row; what that excludes says so. A column's
 * label stands for its number, and whole numbers are longs that fit.
 */
abstract class ForwardResultSet extends ReadOnlyResultSet {
    @Override
    public int getInt(int column) throws SQLException {
        return (int) bounded(column, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    @Override
    public short getShort(int column) throws SQLException {
        return (short) bounded(column, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    @Override
    public byte getByte(int column) throws SQLException {
        return (byte) bounded(column, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    private long bounded(int column, long least, long most) throws SQLException {
        long value = getLong(column);
        if (value < least || value > most) {
            throw outOfRange(value);
        }
        return value;
    }

    /** A number that the type which a caller asks for cannot hold. */
    static SQLException outOfRange(Object value) {
        return new SQLException(value + " does not fit the type asked for", "22003");
    }

    @Override
    public @Nullable String getString(String columnLabel) throws SQLException {
        return getString(findColumn(columnLabel));
    }

    @Override
    public boolean getBoolean(String columnLabel) throws SQLException {
        return getBoolean(findColumn(columnLabel));
    }

    @Override
    public byte getByte(String columnLabel) throws SQLException {
        return getByte(findColumn(columnLabel));
    }

    @Override
    public short getShort(String columnLabel) throws SQLException {
        return getShort(findColumn(columnLabel));
    }

    @Override
    public int getInt(String columnLabel) throws SQLException {
        return getInt(findColumn(columnLabel));
    }

    @Override
    public long getLong(String columnLabel) throws SQLException {
        return getLong(findColumn(columnLabel));
    }

    @Override
    public float getFloat(String columnLabel) throws SQLException {
        return getFloat(findColumn(columnLabel));
    }

    @Override
    public double getDouble(String columnLabel) throws SQLException {
        return getDouble(findColumn(columnLabel));
    }

    @Override
    public @Nullable BigDecimal getBigDecimal(String columnLabel) throws SQLException {
        return getBigDecimal(findColumn(columnLabel));
    }

    @Override
    public @Nullable Object getObject(String columnLabel) throws SQLException {
        return getObject(findColumn(columnLabel));
    }

    @Override
    @Deprecated
    public @Nullable BigDecimal getBigDecimal(int columnIndex, int scale) throws SQLException {
        throw Unsupported.method("getBigDecimal");
    }

    @Override
    public byte @Nullable [] getBytes(int columnIndex) throws SQLException {
        throw Unsupported.method("getBytes");
    }

    @Override
    public @Nullable Date getDate(int columnIndex) throws SQLException {
        throw Unsupported.method("getDate");
    }

    @Override
    public @Nullable Time getTime(int columnIndex) throws SQLException {
        throw Unsupported.method("getTime");
    }

    @Override
    public @Nullable Timestamp getTimestamp(int columnIndex) throws SQLException {
        throw Unsupported.method("getTimestamp");
    }

    @Override
    public InputStream getAsciiStream(int columnIndex) throws SQLException {
        throw Unsupported.method("getAsciiStream");
    }

    @Override
    @Deprecated
    public InputStream getUnicodeStream(int columnIndex) throws SQLException {
        throw Unsupported.method("getUnicodeStream");
    }

    @Override
    public InputStream getBinaryStream(int columnIndex) throws SQLException {
        throw Unsupported.method("getBinaryStream");
    }

    @Override
    @Deprecated
    public @Nullable BigDecimal getBigDecimal(String columnLabel, int scale) throws SQLException {
        return getBigDecimal(findColumn(columnLabel), scale);
    }

    @Override
    public byte @Nullable [] getBytes(String columnLabel) throws SQLException {
        return getBytes(findColumn(columnLabel));
    }

    @Override
    public @Nullable Date getDate(String columnLabel) throws SQLException {
        return getDate(findColumn(columnLabel));
    }

    @Override
    public @Nullable Time getTime(String columnLabel) throws SQLException {
        return getTime(findColumn(columnLabel));
    }

    @Override
    public @Nullable Timestamp getTimestamp(String columnLabel) throws SQLException {
        return getTimestamp(findColumn(columnLabel));
    }

    @Override
    public InputStream getAsciiStream(String columnLabel) throws SQLException {
        return getAsciiStream(findColumn(columnLabel));
    }

    @Override
    @Deprecated
    public InputStream getUnicodeStream(String columnLabel) throws SQLException {
        return getUnicodeStream(findColumn(columnLabel));
    }

    @Override
    public InputStream getBinaryStream(String columnLabel) throws SQLException {
        return getBinaryStream(findColumn(columnLabel));
    }

    @Override
    public @Nullable String getCursorName() throws SQLException {
        throw Unsupported.method("getCursorName");
    }

    @Override
    public Reader getCharacterStream(int columnIndex) throws SQLException {
        throw Unsupported.method("getCharacterStream");
    }

    @Override
    public Reader getCharacterStream(String columnLabel) throws SQLException {
        return getCharacterStream(findColumn(columnLabel));
    }

    @Override
    public void beforeFirst() throws SQLException {
        throw Unsupported.method("beforeFirst");
    }

    @Override
    public void afterLast() throws SQLException {
        throw Unsupported.method("afterLast");
    }

    @Override
    public boolean first() throws SQLException {
        throw Unsupported.method("first");
    }

    @Override
    public boolean last() throws SQLException {
        throw Unsupported.method("last");
    }

    @Override
    public boolean absolute(int row) throws SQLException {
        throw Unsupported.method("absolute");
    }

    @Override
    public boolean relative(int rows) throws SQLException {
        throw Unsupported.method("relative");
    }

    @Override
    public boolean previous() throws SQLException {
        throw Unsupported.method("previous");
    }

    @Override
    public Object getObject(int columnIndex, Map<String, Class<?>> map) throws SQLException {
        throw Unsupported.method("getObject");
    }

    @Override
    public Ref getRef(int columnIndex) throws SQLException {
        throw Unsupported.method("getRef");
    }

    @Override
    public Blob getBlob(int columnIndex) throws SQLException {
        throw Unsupported.method("getBlob");
    }

    @Override
    public Clob getClob(int columnIndex) throws SQLException {
        throw Unsupported.method("getClob");
    }

    @Override
    public @Nullable Array getArray(int columnIndex) throws SQLException {
        throw Unsupported.method("getArray");
    }

    @Override
    public Object getObject(String columnLabel, Map<String, Class<?>> map) throws SQLException {
        return getObject(findColumn(columnLabel), map);
    }

    @Override
    public Ref getRef(String columnLabel) throws SQLException {
        return getRef(findColumn(columnLabel));
    }

    @Override
    public Blob getBlob(String columnLabel) throws SQLException {
        return getBlob(findColumn(columnLabel));
    }

    @Override
    public Clob getClob(String columnLabel) throws SQLException {
        return getClob(findColumn(columnLabel));
    }

    @Override
    public @Nullable Array getArray(String columnLabel) throws SQLException {
        return getArray(findColumn(columnLabel));
    }

    @Override
    public @Nullable Date getDate(int columnIndex, Calendar cal) throws SQLException {
        throw Unsupported.method("getDate");
    }

    @Override
    public @Nullable Date getDate(String columnLabel, Calendar cal) throws SQLException {
        return getDate(findColumn(columnLabel), cal);
    }

    @Override
    public @Nullable Time getTime(int columnIndex, Calendar cal) throws SQLException {
        throw Unsupported.method("getTime");
    }

    @Override
    public @Nullable Time getTime(String columnLabel, Calendar cal) throws SQLException {
        return getTime(findColumn(columnLabel), cal);
    }

    @Override
    public @Nullable Timestamp getTimestamp(int columnIndex, Calendar cal) throws SQLException {
        throw Unsupported.method("getTimestamp");
    }

    @Override
    public @Nullable Timestamp getTimestamp(String columnLabel, Calendar cal) throws SQLException {
        return getTimestamp(findColumn(columnLabel), cal);
    }

    @Override
    public URL getURL(int columnIndex) throws SQLException {
        throw Unsupported.method("getURL");
    }

    @Override
    public URL getURL(String columnLabel) throws SQLException {
        return getURL(findColumn(columnLabel));
    }

    @Override
    public RowId getRowId(int columnIndex) throws SQLException {
        throw Unsupported.method("getRowId");
    }

    @Override
    public RowId getRowId(String columnLabel) throws SQLException {
        return getRowId(findColumn(columnLabel));
    }

    @Override
    public NClob getNClob(int columnIndex) throws SQLException {
        throw Unsupported.method("getNClob");
    }

    @Override
    public NClob getNClob(String columnLabel) throws SQLException {
        return getNClob(findColumn(columnLabel));
    }

    @Override
    public SQLXML getSQLXML(int columnIndex) throws SQLException {
        throw Unsupported.method("getSQLXML");
    }

    @Override
    public SQLXML getSQLXML(String columnLabel) throws SQLException {
        return getSQLXML(findColumn(columnLabel));
    }

    @Override
    public @Nullable String getNString(int columnIndex) throws SQLException {
        throw Unsupported.method("getNString");
    }

    @Override
    public @Nullable String getNString(String columnLabel) throws SQLException {
        return getNString(findColumn(columnLabel));
    }

    @Override
    public Reader getNCharacterStream(int columnIndex) throws SQLException {
        throw Unsupported.method("getNCharacterStream");
    }

    @Override
    public Reader getNCharacterStream(String columnLabel) throws SQLException {
        return getNCharacterStream(findColumn(columnLabel));
    }

    @Override
    public <T> @Nullable T getObject(int columnIndex, Class<T> type) throws SQLException {
        throw Unsupported.method("getObject");
    }

    @Override
    public <T> @Nullable T getObject(String columnLabel, Class<T> type) throws SQLException {
        return getObject(findColumn(columnLabel), type);
    }
}
