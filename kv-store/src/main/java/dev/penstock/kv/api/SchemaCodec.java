package dev.penstock.kv.api;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.Verification;

import java.util.ArrayList;
import java.util.List;

/**
 * The one binary form of schemas, key ranges, load requests and published loads, in logs and in
 * messages. What does not parse, or parses to something impossible, is refused as corrupt.
 */
public final class SchemaCodec {
    private static final int BOOLEAN = 1;
    private static final int SMALLINT = 2;
    private static final int INTEGER = 3;
    private static final int BIGINT = 4;
    private static final int REAL = 5;
    private static final int DOUBLE = 6;
    private static final int DECIMAL = 7;
    private static final int DATE = 8;
    private static final int TIME = 9;
    private static final int TIMESTAMP = 10;
    private static final int CHAR = 11;
    private static final int VARCHAR = 12;
    private static final int VARBINARY = 13;
    private static final int UUID = 14;

    private SchemaCodec() {}

    public static void putSchema(TableSchema schema, ByteBuilder out) {
        out.putString(schema.name());
        out.putInt(schema.columnCount());
        for (Column column : schema.columns()) {
            out.putString(column.name());
            putType(column.type(), out);
            putBoolean(column.nullable(), out);
        }
        out.putInt(schema.key().size());
        for (KeyColumn part : schema.key()) {
            out.putInt(part.columnIndex());
            putBoolean(part.descending(), out);
        }
        putBoolean(schema.hiddenRowId(), out);
    }

    public static TableSchema getSchema(ByteParser in) {
        String name = in.getString();
        int columnCount = in.getCount(6);
        List<Column> columns = new ArrayList<>(columnCount);
        for (int i = 0; i < columnCount; i++) {
            columns.add(getColumn(in));
        }
        int keyCount = in.getCount(5);
        List<KeyColumn> key = new ArrayList<>(keyCount);
        for (int i = 0; i < keyCount; i++) {
            key.add(new KeyColumn(in.getInt(), getBoolean(in)));
        }
        boolean hiddenRowId = getBoolean(in);
        try {
            return new TableSchema(name, columns, key, hiddenRowId);
        } catch (IllegalArgumentException e) {
            throw impossible("schema", e);
        }
    }

    private static Column getColumn(ByteParser in) {
        String name = in.getString();
        ColumnType type = getType(in);
        boolean nullable = getBoolean(in);
        try {
            return new Column(name, type, nullable);
        } catch (IllegalArgumentException e) {
            throw impossible("column", e);
        }
    }

    public static void putRange(KeyRange range, ByteBuilder out) {
        out.putBytes(range.start());
        out.putBytes(range.end());
    }

    public static KeyRange getRange(ByteParser in) {
        return new KeyRange(in.getBytes(), in.getBytes());
    }

    public static void putPublished(PublishedLoad load, ByteBuilder out) {
        out.putString(load.loadId()).putLong(load.ordinal()).putLong(load.epoch());
        out.putLong(load.tableId()).putString(load.label()).putLong(load.rowCount());
        out.putLongs(load.regionIds());
    }

    public static PublishedLoad getPublished(ByteParser in) {
        return new PublishedLoad(
                in.getString(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getString(),
                in.getLong(),
                in.getLongs());
    }

    public static void putRequest(LoadRequest request, ByteBuilder out) {
        putUnplanned(request, request.tokens(), out);
        out.putString(request.plan());
    }

    public static LoadRequest getRequest(ByteParser in) {
        LoadRequest unplanned = getUnplanned(in);
        return unplanned.withPlan(in.getString());
    }

    /**
     * At the end of a record of a log, where a plan may be missing: there were none once. Tokens,
     * which may be a MiB, are kept if the load can be resumed; any other has ended when the log is
     * read.
     */
    public static void putLastRequest(LoadRequest request, ByteBuilder out) {
        if (request.resumable()) {
            putUnplanned(request, request.tokens(), out);
            out.putString(request.plan());
        } else {
            putUnplanned(request, TokenTables.NONE, out);
        }
    }

    public static LoadRequest getLastRequest(ByteParser in) {
        LoadRequest unplanned = getUnplanned(in);
        return in.remaining() == 0 ? unplanned : unplanned.withPlan(in.getString());
    }

    private static void putUnplanned(LoadRequest request, TokenTables tokens, ByteBuilder out) {
        out.putString(request.table());
        out.putString(request.label());
        out.putByte(request.duplicates().ordinal());
        putDialect(request.dialect(), out);
        out.putInt(request.fieldColumns().size());
        request.fieldColumns().forEach(out::putInt);
        out.putInt(request.sources().size());
        request.sources().forEach(out::putString);
        putBoolean(request.deferSteps(), out);
        putBoolean(request.createsTable(), out);
        out.putByte(request.verification().ordinal());
        tokens.write(out);
    }

    private static LoadRequest getUnplanned(ByteParser in) {
        String table = in.getString();
        String label = in.getString();
        DuplicatePolicy duplicates = getConstant(DuplicatePolicy.values(), in);
        Dialect dialect = getDialect(in);
        int fieldCount = in.getCount(4);
        List<Integer> fieldColumns = new ArrayList<>(fieldCount);
        for (int i = 0; i < fieldCount; i++) {
            fieldColumns.add(in.getInt());
        }
        int sourceCount = in.getCount(4);
        List<String> sources = new ArrayList<>(sourceCount);
        for (int i = 0; i < sourceCount; i++) {
            sources.add(in.getString());
        }
        return new LoadRequest(
                table,
                label,
                duplicates,
                dialect,
                fieldColumns,
                sources,
                getBoolean(in),
                getBoolean(in),
                getConstant(Verification.values(), in),
                TokenTables.read(in),
                "");
    }

    private static void putDialect(Dialect dialect, ByteBuilder out) {
        out.putByte(dialect.delimiter());
        out.putInt(dialect.quote());
        out.putInt(dialect.escape());
        out.putInt(dialect.comment());
        out.putByte(dialect.newline().ordinal());
        putBoolean(dialect.header(), out);
        putBoolean(dialect.trailingDelimiter(), out);
        out.putString(dialect.nullText());
    }

    private static Dialect getDialect(ByteParser in) {
        byte delimiter = (byte) in.getByte();
        int quote = in.getInt();
        int escape = in.getInt();
        int comment = in.getInt();
        Dialect.Newline newline = getConstant(Dialect.Newline.values(), in);
        boolean header = getBoolean(in);
        boolean trailingDelimiter = getBoolean(in);
        String nullText = in.getString();
        try {
            return new Dialect(
                    delimiter,
                    quote,
                    escape,
                    comment,
                    newline,
                    header,
                    trailingDelimiter,
                    nullText);
        } catch (IllegalArgumentException e) {
            throw impossible("dialect", e);
        }
    }

    private static void putType(ColumnType type, ByteBuilder out) {
        switch (type) {
            case ColumnType.BooleanType t -> out.putByte(BOOLEAN);
            case ColumnType.SmallIntType t -> out.putByte(SMALLINT);
            case ColumnType.IntegerType t -> out.putByte(INTEGER);
            case ColumnType.BigIntType t -> out.putByte(BIGINT);
            case ColumnType.RealType t -> out.putByte(REAL);
            case ColumnType.DoubleType t -> out.putByte(DOUBLE);
            case ColumnType.DecimalType t ->
                    out.putByte(DECIMAL).putByte(t.precision()).putByte(t.scale());
            case ColumnType.DateType t -> out.putByte(DATE);
            case ColumnType.TimeType t -> out.putByte(TIME);
            case ColumnType.TimestampType t -> out.putByte(TIMESTAMP);
            case ColumnType.CharType t -> out.putByte(CHAR).putInt(t.length());
            case ColumnType.VarcharType t -> out.putByte(VARCHAR).putInt(t.length());
            case ColumnType.VarbinaryType t -> out.putByte(VARBINARY).putInt(t.length());
            case ColumnType.UuidType t -> out.putByte(UUID);
        }
    }

    private static ColumnType getType(ByteParser in) {
        int tag = in.getByte();
        try {
            return switch (tag) {
                case BOOLEAN -> new ColumnType.BooleanType();
                case SMALLINT -> new ColumnType.SmallIntType();
                case INTEGER -> new ColumnType.IntegerType();
                case BIGINT -> new ColumnType.BigIntType();
                case REAL -> new ColumnType.RealType();
                case DOUBLE -> new ColumnType.DoubleType();
                case DECIMAL -> new ColumnType.DecimalType(in.getByte(), in.getByte());
                case DATE -> new ColumnType.DateType();
                case TIME -> new ColumnType.TimeType();
                case TIMESTAMP -> new ColumnType.TimestampType();
                case CHAR -> new ColumnType.CharType(in.getInt());
                case VARCHAR -> new ColumnType.VarcharType(in.getInt());
                case VARBINARY -> new ColumnType.VarbinaryType(in.getInt());
                case UUID -> new ColumnType.UuidType();
                default -> throw PenstockException.corrupt("there is no column type " + tag);
            };
        } catch (IllegalArgumentException e) {
            throw impossible("column type", e);
        }
    }

    private static <T> T getConstant(T[] values, ByteParser in) {
        int ordinal = in.getByte();
        if (ordinal >= values.length) {
            throw PenstockException.corrupt(
                    "there is no constant " + ordinal + " where " + values.length + " exist");
        }
        return values[ordinal];
    }

    private static void putBoolean(boolean value, ByteBuilder out) {
        out.putByte(value ? 1 : 0);
    }

    private static boolean getBoolean(ByteParser in) {
        int value = in.getByte();
        if (value > 1) {
            throw PenstockException.corrupt(value + " is not a truth value");
        }
        return value == 1;
    }

    private static PenstockException impossible(String what, IllegalArgumentException cause) {
        return PenstockException.corrupt(
                "an impossible " + what + " was received or stored: " + cause.getMessage());
    }
}
