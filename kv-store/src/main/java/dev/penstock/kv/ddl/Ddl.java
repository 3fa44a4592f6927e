package dev.penstock.kv.ddl;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.create.table.ColumnDefinition;
import net.sf.jsqlparser.statement.create.table.CreateTable;
import net.sf.jsqlparser.statement.create.table.Index;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code CREATE TABLE} statements as {@link TableSchema}s. Understood are names, types (see {@link
 * SqlTypes}), NOT NULL, NULL and PRIMARY KEY with ASC or DESC; everything else is refused by name
 * rather than ignored.
 */
public final class Ddl {
    private final SqlText text;
    private final List<Column> columns = new ArrayList<>();
    private final List<KeyColumn> key = new ArrayList<>();

    private Ddl(SqlText text) {
        this.text = text;
    }

    /**
     * The table that one {@code CREATE TABLE} statement declares.
     *
     * @throws PenstockException of category USAGE that says what is not understood, and where
     */
    public static TableSchema parseCreateTable(String sql) {
        SqlText text = text(sql);
        return new Ddl(text).resolve(statement(text, sql));
    }

    /**
     * Whether the statement says that a table of that name is no error.
     *
     * @throws PenstockException of category USAGE if it cannot be parsed
     */
    public static boolean ifNotExists(String sql) {
        return statement(text(sql), sql).isIfNotExists();
    }

    private static SqlText text(String sql) {
        return new SqlText("the CREATE TABLE statement", sql);
    }

    private static CreateTable statement(SqlText text, String sql) {
        Statement statement = text.parse(CCJSqlParser::Statement);
        if (!(statement instanceof CreateTable create)) {
            throw PenstockException.usage(
                    "a CREATE TABLE statement is expected, not: " + shorten(sql.strip()));
        }
        return create;
    }

    private TableSchema resolve(CreateTable create) {
        if (create.getSelect() != null
                || create.getLikeTable() != null
                || create.getTrailingLikeTable() != null
                || create.getOfType() != null
                || create.getPartitionOf() != null) {
            throw text.usage("must list columns, not take them from elsewhere");
        }
        if (create.getTable().getSchemaName() != null) {
            throw text.usage("names a schema (" + create.getTable() + "), and there are none");
        }
        // Not its name, which ends before an @, as if that were a link to another database.
        String name = SqlText.unquote(create.getTable().getNameParts().getFirst());
        List<ColumnDefinition> definitions = create.getColumnDefinitions();
        if (definitions == null || definitions.isEmpty()) {
            throw text.usage("has no columns");
        }
        if (create.getTableOptionsStrings() != null || create.getPartitioning() != null) {
            throw text.usage(
                    "has options after the columns that are not understood: "
                            + String.join(
                                    " ",
                                    create.getTableOptionsStrings() == null
                                            ? List.of("PARTITION")
                                            : create.getTableOptionsStrings()));
        }
        for (ColumnDefinition definition : definitions) {
            addColumn(definition);
        }
        if (create.getIndexes() != null) {
            for (Index index : create.getIndexes()) {
                addConstraint(index);
            }
        }
        try {
            return TableSchema.declare(name, columns, key);
        } catch (IllegalArgumentException e) {
            throw text.usage("is not possible: " + e.getMessage());
        }
    }

    private void addColumn(ColumnDefinition definition) {
        String name = SqlText.unquote(definition.getColumnName());
        if (name.equalsIgnoreCase(TableSchema.ROW_ID)) {
            throw text.usageAt(name, "uses the reserved column name " + TableSchema.ROW_ID);
        }
        String written = definition.getColDataType().toString();
        ColumnType type;
        try {
            type =
                    SqlTypes.resolve(definition.getColDataType())
                            .orElseThrow(() ->
                                    text.usageAt(
                                            name,
                                            "gives column "
                                                    + name
                                                    + " the type "
                                                    + written
                                                    + unsupportedHint(written)));
        } catch (IllegalArgumentException e) {
            throw text.usageAt(
                    name, "gives column " + name + " the type " + written + ": " + e.getMessage());
        }
        boolean nullable = addSpecs(name, definition.getColumnSpecs());
        try {
            columns.add(new Column(name, type, nullable));
        } catch (IllegalArgumentException e) {
            throw text.usage("is not possible: " + e.getMessage());
        }
    }

    private static String unsupportedHint(String written) {
        String upper = written.toUpperCase(Locale.ROOT);
        if (upper.contains("TIME ZONE") || upper.contains("TIMESTAMPTZ")) {
            return ", which is not supported; TIMESTAMP (without time zone) is";
        }
        return ", which is not supported; types are BOOLEAN, SMALLINT, INTEGER, BIGINT, REAL,"
                + " DOUBLE, DECIMAL(p,s), DATE, TIME, TIMESTAMP, CHAR(n), VARCHAR(n), VARBINARY"
                + " and UUID";
    }

    /** Reads what follows the type; says whether NULL is allowed. */
    private boolean addSpecs(String name, List<String> specs) {
        boolean nullable = true;
        List<String> words = specs == null ? List.of() : specs;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i).toUpperCase(Locale.ROOT);
            String next = i + 1 < words.size() ? words.get(i + 1).toUpperCase(Locale.ROOT) : "";
            if (word.equals("NOT") && next.equals("NULL")) {
                nullable = false;
                i++;
            } else if (word.equals("PRIMARY") && next.equals("KEY")) {
                addKeyPart(columns.size(), name, false, false);
                nullable = false;
                i++;
            } else if (!word.equals("NULL")) {
                throw text.usageAt(
                        name,
                        "gives column "
                                + name
                                + " the option "
                                + String.join(" ", words.subList(i, words.size()))
                                + ", which is not supported; NOT NULL, NULL and PRIMARY KEY are");
            }
        }
        return nullable;
    }

    private void addConstraint(Index index) {
        String type = index.getType();
        if (type == null || !type.equalsIgnoreCase("PRIMARY KEY")) {
            throw text.usageAt(
                    type == null ? "CHECK" : type,
                    "declares the constraint "
                            + shorten(index.toString())
                            + ", which is not supported; PRIMARY KEY is");
        }
        boolean more = false;
        for (Index.ColumnParams part : index.getColumns()) {
            String name = SqlText.unquote(part.getColumnName());
            boolean descending = false;
            for (String parameter :
                    part.getParams() == null ? List.<String>of() : part.getParams()) {
                if (parameter.equalsIgnoreCase("DESC")) {
                    descending = true;
                } else if (!parameter.equalsIgnoreCase("ASC")) {
                    throw text.usageAt(
                            parameter, "has " + parameter + " in its key; ASC and DESC are known");
                }
            }
            addKeyPart(columnIndex(name), name, descending, more);
            more = true;
        }
    }

    private int columnIndex(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        throw text.usageAt(name, "has the key column " + name + ", which is not among its columns");
    }

    private void addKeyPart(int columnIndex, String name, boolean descending, boolean more) {
        if (!more && !key.isEmpty()) {
            throw text.usage("declares more than one PRIMARY KEY");
        }
        for (KeyColumn part : key) {
            if (part.columnIndex() == columnIndex) {
                throw text.usage("names " + name + " twice in its PRIMARY KEY");
            }
        }
        key.add(new KeyColumn(columnIndex, descending));
    }

    private static String shorten(String sql) {
        return sql.length() <= 60 ? sql : sql.substring(0, 60) + "…";
    }
}
