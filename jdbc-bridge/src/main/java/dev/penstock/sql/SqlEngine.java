package dev.penstock.sql;

import dev.penstock.kv.Penstock;
import dev.penstock.schema.TableSchema;
import dev.penstock.sql.StoreTable.Use;

import org.apache.calcite.config.CalciteConnectionProperty;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;

/**
 * Opens Calcite on a store. Statements of the connection see the store's tables without a schema
 * name, names compare without regard to case.
 */
public final class SqlEngine {
    /** The schema that holds the store's tables. */
    public static final String SCHEMA = "penstock";

    /** The view of loads. */
    public static final String LOADS = "penstock_loads";

    /** The same tables; an INSERT into them replaces rows. */
    static final String REPLACING_SCHEMA = "penstock_upsert";

    /** The same tables; rows have the hidden fields that UPDATE and DELETE read. */
    static final String CHANGING_SCHEMA = "penstock_change";

    // Calcite reads these once, when its first class needs them; without them it refuses literals
    // with letters that Latin-1 has not.
    static {
        setUnlessSet("calcite.default.charset", "UTF-8");
        setUnlessSet("calcite.default.nationalcharset", "UTF-8");
        setUnlessSet("calcite.default.collation.name", "UTF-8$en_US");
    }

    private static final Driver DRIVER = new Driver().withPrepareFactory(StorePrepare::new);

    private SqlEngine() {}

    /** A connection for statements on the store; closing it leaves the store open. */
    public static Connection connect(Penstock store) throws SQLException {
        return connect(store, List::of);
    }

    /**
     * The same.
     *
     * @param loads the loads that this process runs or ran on the store
     */
    public static Connection connect(Penstock store, Supplier<List<LoadLine>> loads)
            throws SQLException {
        Properties properties = new Properties();
        set(properties, CalciteConnectionProperty.CASE_SENSITIVE, "false");
        set(properties, CalciteConnectionProperty.UNQUOTED_CASING, "UNCHANGED");
        set(properties, CalciteConnectionProperty.QUOTED_CASING, "UNCHANGED");
        set(properties, CalciteConnectionProperty.CONFORMANCE, SqlConformanceEnum.LENIENT.name());
        set(properties, CalciteConnectionProperty.FUN, "standard,postgresql");
        set(
                properties,
                CalciteConnectionProperty.TYPE_SYSTEM,
                StoreTypeSystem.class.getName() + "#INSTANCE");
        set(
                properties,
                CalciteConnectionProperty.PARSER_FACTORY,
                StoreParser.class.getName() + "#FACTORY");
        CalciteConnection connection =
                (CalciteConnection) DRIVER.connect(Driver.CONNECT_STRING_PREFIX, properties);
        SchemaPlus root = connection.getRootSchema();
        // Tables come and go while the connection is open, also by other connections.
        LoadsTable view = new LoadsTable(store, loads);
        root.add(SCHEMA, new StoreSchema(store, Use.PLAIN, view)).setCacheEnabled(false);
        root.add(REPLACING_SCHEMA, new StoreSchema(store, Use.REPLACE, null))
                .setCacheEnabled(false);
        root.add(CHANGING_SCHEMA, new StoreSchema(store, Use.CHANGE, view)).setCacheEnabled(false);
        connection.setSchema(SCHEMA);
        return connection;
    }

    /** The view of loads as if it were declared; its last, hidden column is none of its own. */
    public static TableSchema loadsSchema() {
        return LoadsTable.SCHEMA;
    }

    /** A sentence about a name that was not found, without the schemas that nobody wrote. */
    static String withoutOwnSchemas(String problem) {
        return problem.replace(" within '" + REPLACING_SCHEMA + "'", "")
                .replace(" within '" + CHANGING_SCHEMA + "'", "");
    }

    /** The text without the semicolon that tools like to end statements with. */
    public static String statement(String text) {
        String stripped = text.stripTrailing();
        return stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : text;
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static void set(
            Properties properties, CalciteConnectionProperty property, String value) {
        properties.setProperty(property.camelName(), value);
    }
}
