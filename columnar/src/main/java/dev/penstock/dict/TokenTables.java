package dev.penstock.dict;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;

/**
 * The token tables of a table's columns, as loader and regions agree on them at the start of a
 * load. Immutable.
 */
public final class TokenTables {
    /** Most columns with a table. */
    public static final int MAX_COLUMNS = 16;

    /** No column has a table. */
    public static final TokenTables NONE = new TokenTables(Map.of());

    private final TreeMap<Integer, TokenTable> tables;

    /** Tables by index of their column; at most {@link #MAX_COLUMNS}. */
    public TokenTables(Map<Integer, TokenTable> tables) {
        if (tables.size() > MAX_COLUMNS) {
            throw new IllegalArgumentException(tables.size() + " token tables");
        }
        this.tables = new TreeMap<>(tables);
    }

    /** The table of a column, or null if it has none. */
    public @Nullable TokenTable table(int column) {
        return tables.get(column);
    }

    public boolean isEmpty() {
        return tables.isEmpty();
    }

    /** Appends the tables: number:1, then for each: column:4, {@link TokenTable#write table}. */
    public void write(ByteBuilder out) {
        out.putByte(tables.size());
        tables.forEach((column, table) -> {
            out.putInt(column);
            table.write(out);
        });
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws PenstockException category CORRUPT
     */
    public static TokenTables read(ByteParser parser) {
        int count = parser.getByte();
        if (count > MAX_COLUMNS) {
            throw PenstockException.corrupt(count + " token tables were received or stored");
        }
        Map<Integer, TokenTable> tables = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int column = parser.getInt();
            TokenTable table = TokenTable.read(parser, "the token table of column " + column);
            if (column < 0 || tables.put(column, table) != null) {
                throw PenstockException.corrupt("column " + column + " has no token table");
            }
        }
        return count == 0 ? NONE : new TokenTables(tables);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TokenTables that && tables.equals(that.tables);
    }

    @Override
    public int hashCode() {
        return tables.hashCode();
    }
}
