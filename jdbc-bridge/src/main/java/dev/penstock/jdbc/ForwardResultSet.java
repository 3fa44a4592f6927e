package dev.penstock.jdbc;

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

/** A result that is read once from its first to its last row; what that excludes says so. */
abstract class ForwardResultSet extends ReadOnlyResultSet {
    @Override
    @Deprecated
    public BigDecimal getBigDecimal(int columnIndex, int scale) throws SQLException {
        throw Unsupported.method("getBigDecimal");
    }

    @Override
    public byte[] getBytes(int columnIndex) throws SQLException {
        throw Unsupported.method("getBytes");
    }

    @Override
    public Date getDate(int columnIndex) throws SQLException {
        throw Unsupported.method("getDate");
    }

    @Override
    public Time getTime(int columnIndex) throws SQLException {
        throw Unsupported.method("getTime");
    }

    @Override
    public Timestamp getTimestamp(int columnIndex) throws SQLException {
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
    public BigDecimal getBigDecimal(String columnLabel, int scale) throws SQLException {
        throw Unsupported.method("getBigDecimal");
    }

    @Override
    public byte[] getBytes(String columnLabel) throws SQLException {
        throw Unsupported.method("getBytes");
    }

    @Override
    public Date getDate(String columnLabel) throws SQLException {
        throw Unsupported.method("getDate");
    }

    @Override
    public Time getTime(String columnLabel) throws SQLException {
        throw Unsupported.method("getTime");
    }

    @Override
    public Timestamp getTimestamp(String columnLabel) throws SQLException {
        throw Unsupported.method("getTimestamp");
    }

    @Override
    public InputStream getAsciiStream(String columnLabel) throws SQLException {
        throw Unsupported.method("getAsciiStream");
    }

    @Override
    @Deprecated
    public InputStream getUnicodeStream(String columnLabel) throws SQLException {
        throw Unsupported.method("getUnicodeStream");
    }

    @Override
    public InputStream getBinaryStream(String columnLabel) throws SQLException {
        throw Unsupported.method("getBinaryStream");
    }

    @Override
    public String getCursorName() throws SQLException {
        throw Unsupported.method("getCursorName");
    }

    @Override
    public Reader getCharacterStream(int columnIndex) throws SQLException {
        throw Unsupported.method("getCharacterStream");
    }

    @Override
    public Reader getCharacterStream(String columnLabel) throws SQLException {
        throw Unsupported.method("getCharacterStream");
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
    public Array getArray(int columnIndex) throws SQLException {
        throw Unsupported.method("getArray");
    }

    @Override
    public Object getObject(String columnLabel, Map<String, Class<?>> map) throws SQLException {
        throw Unsupported.method("getObject");
    }

    @Override
    public Ref getRef(String columnLabel) throws SQLException {
        throw Unsupported.method("getRef");
    }

    @Override
    public Blob getBlob(String columnLabel) throws SQLException {
        throw Unsupported.method("getBlob");
    }

    @Override
    public Clob getClob(String columnLabel) throws SQLException {
        throw Unsupported.method("getClob");
    }

    @Override
    public Array getArray(String columnLabel) throws SQLException {
        throw Unsupported.method("getArray");
    }

    @Override
    public Date getDate(int columnIndex, Calendar cal) throws SQLException {
        throw Unsupported.method("getDate");
    }

    @Override
    public Date getDate(String columnLabel, Calendar cal) throws SQLException {
        throw Unsupported.method("getDate");
    }

    @Override
    public Time getTime(int columnIndex, Calendar cal) throws SQLException {
        throw Unsupported.method("getTime");
    }

    @Override
    public Time getTime(String columnLabel, Calendar cal) throws SQLException {
        throw Unsupported.method("getTime");
    }

    @Override
    public Timestamp getTimestamp(int columnIndex, Calendar cal) throws SQLException {
        throw Unsupported.method("getTimestamp");
    }

    @Override
    public Timestamp getTimestamp(String columnLabel, Calendar cal) throws SQLException {
        throw Unsupported.method("getTimestamp");
    }

    @Override
    public URL getURL(int columnIndex) throws SQLException {
        throw Unsupported.method("getURL");
    }

    @Override
    public URL getURL(String columnLabel) throws SQLException {
        throw Unsupported.method("getURL");
    }

    @Override
    public RowId getRowId(int columnIndex) throws SQLException {
        throw Unsupported.method("getRowId");
    }

    @Override
    public RowId getRowId(String columnLabel) throws SQLException {
        throw Unsupported.method("getRowId");
    }

    @Override
    public NClob getNClob(int columnIndex) throws SQLException {
        throw Unsupported.method("getNClob");
    }

    @Override
    public NClob getNClob(String columnLabel) throws SQLException {
        throw Unsupported.method("getNClob");
    }

    @Override
    public SQLXML getSQLXML(int columnIndex) throws SQLException {
        throw Unsupported.method("getSQLXML");
    }

    @Override
    public SQLXML getSQLXML(String columnLabel) throws SQLException {
        throw Unsupported.method("getSQLXML");
    }

    @Override
    public String getNString(int columnIndex) throws SQLException {
        throw Unsupported.method("getNString");
    }

    @Override
    public String getNString(String columnLabel) throws SQLException {
        throw Unsupported.method("getNString");
    }

    @Override
    public Reader getNCharacterStream(int columnIndex) throws SQLException {
        throw Unsupported.method("getNCharacterStream");
    }

    @Override
    public Reader getNCharacterStream(String columnLabel) throws SQLException {
        throw Unsupported.method("getNCharacterStream");
    }

    @Override
    public <T> T getObject(int columnIndex, Class<T> type) throws SQLException {
        throw Unsupported.method("getObject");
    }

    @Override
    public <T> T getObject(String columnLabel, Class<T> type) throws SQLException {
        throw Unsupported.method("getObject");
    }
}
