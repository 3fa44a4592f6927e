package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The columns of every result of DatabaseMetaData are those of its Javadoc, in its order. */
final class MetaDataShapeTest {
    private static final String TABLE = "TABLE_CAT TABLE_SCHEM TABLE_NAME ";
    private static final String TYPE = "TYPE_CAT TYPE_SCHEM TYPE_NAME ";
    private static final String FOREIGN_KEY =
            "PKTABLE_CAT PKTABLE_SCHEM PKTABLE_NAME PKCOLUMN_NAME FKTABLE_CAT FKTABLE_SCHEM"
                    + " FKTABLE_NAME FKCOLUMN_NAME KEY_SEQ UPDATE_RULE DELETE_RULE FK_NAME PK_NAME"
                    + " DEFERRABILITY";
    private static final String ROW_COLUMNS =
            "SCOPE COLUMN_NAME DATA_TYPE TYPE_NAME COLUMN_SIZE BUFFER_LENGTH DECIMAL_DIGITS"
                    + " PSEUDO_COLUMN";

    private static final Map<String, String> PRESCRIBED =
            Map.ofEntries(
                    Map.entry(
                            "getTables",
                            TABLE
                                    + "TABLE_TYPE REMARKS "
                                    + TYPE
                                    + "SELF_REFERENCING_COL_NAME REF_GENERATION"),
                    Map.entry(
                            "getColumns",
                            TABLE
                                    + "COLUMN_NAME DATA_TYPE TYPE_NAME COLUMN_SIZE BUFFER_LENGTH"
                                    + " DECIMAL_DIGITS NUM_PREC_RADIX NULLABLE REMARKS COLUMN_DEF"
                                    + " SQL_DATA_TYPE SQL_DATETIME_SUB CHAR_OCTET_LENGTH"
                                    + " ORDINAL_POSITION IS_NULLABLE SCOPE_CATALOG SCOPE_SCHEMA"
                                    + " SCOPE_TABLE SOURCE_DATA_TYPE IS_AUTOINCREMENT"
                                    + " IS_GENERATEDCOLUMN"),
                    Map.entry("getPrimaryKeys", TABLE + "COLUMN_NAME KEY_SEQ PK_NAME"),
                    Map.entry("getImportedKeys", FOREIGN_KEY),
                    Map.entry("getExportedKeys", FOREIGN_KEY),
                    Map.entry("getCrossReference", FOREIGN_KEY),
                    Map.entry("getTableTypes", "TABLE_TYPE"),
                    Map.entry("getSchemas", "TABLE_SCHEM TABLE_CATALOG"),
                    Map.entry("getCatalogs", "TABLE_CAT"),
                    Map.entry(
                            "getTypeInfo",
                            "TYPE_NAME DATA_TYPE PRECISION LITERAL_PREFIX LITERAL_SUFFIX"
                                    + " CREATE_PARAMS NULLABLE CASE_SENSITIVE SEARCHABLE"
                                    + " UNSIGNED_ATTRIBUTE FIXED_PREC_SCALE AUTO_INCREMENT"
                                    + " LOCAL_TYPE_NAME MINIMUM_SCALE MAXIMUM_SCALE SQL_DATA_TYPE"
                                    + " SQL_DATETIME_SUB NUM_PREC_RADIX"),
                    Map.entry(
                            "getIndexInfo",
                            TABLE
                                    + "NON_UNIQUE INDEX_QUALIFIER INDEX_NAME TYPE ORDINAL_POSITION"
                                    + " COLUMN_NAME ASC_OR_DESC CARDINALITY PAGES"
                                    + " FILTER_CONDITION"),
                    Map.entry(
                            "getProcedures",
                            "PROCEDURE_CAT PROCEDURE_SCHEM PROCEDURE_NAME - - - REMARKS"
                                    + " PROCEDURE_TYPE SPECIFIC_NAME"),
                    Map.entry(
                            "getProcedureColumns",
                            "PROCEDURE_CAT PROCEDURE_SCHEM PROCEDURE_NAME COLUMN_NAME COLUMN_TYPE"
                                + " DATA_TYPE TYPE_NAME PRECISION LENGTH SCALE RADIX NULLABLE"
                                + " REMARKS COLUMN_DEF SQL_DATA_TYPE SQL_DATETIME_SUB"
                                + " CHAR_OCTET_LENGTH ORDINAL_POSITION IS_NULLABLE SPECIFIC_NAME"),
                    Map.entry(
                            "getFunctions",
                            "FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME REMARKS FUNCTION_TYPE"
                                    + " SPECIFIC_NAME"),
                    Map.entry(
                            "getFunctionColumns",
                            "FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME COLUMN_NAME COLUMN_TYPE"
                                    + " DATA_TYPE TYPE_NAME PRECISION LENGTH SCALE RADIX NULLABLE"
                                    + " REMARKS CHAR_OCTET_LENGTH ORDINAL_POSITION IS_NULLABLE"
                                    + " SPECIFIC_NAME"),
                    Map.entry(
                            "getColumnPrivileges",
                            TABLE + "COLUMN_NAME GRANTOR GRANTEE PRIVILEGE IS_GRANTABLE"),
                    Map.entry(
                            "getTablePrivileges", TABLE + "GRANTOR GRANTEE PRIVILEGE IS_GRANTABLE"),
                    Map.entry("getBestRowIdentifier", ROW_COLUMNS),
                    Map.entry("getVersionColumns", ROW_COLUMNS),
                    Map.entry("getUDTs", TYPE + "CLASS_NAME DATA_TYPE REMARKS BASE_TYPE"),
                    Map.entry(
                            "getSuperTypes", TYPE + "SUPERTYPE_CAT SUPERTYPE_SCHEM SUPERTYPE_NAME"),
                    Map.entry("getSuperTables", TABLE + "SUPERTABLE_NAME"),
                    Map.entry(
                            "getAttributes",
                            TYPE
                                    + "ATTR_NAME DATA_TYPE ATTR_TYPE_NAME ATTR_SIZE DECIMAL_DIGITS"
                                    + " NUM_PREC_RADIX NULLABLE REMARKS ATTR_DEF SQL_DATA_TYPE"
                                    + " SQL_DATETIME_SUB CHAR_OCTET_LENGTH ORDINAL_POSITION"
                                    + " IS_NULLABLE SCOPE_CATALOG SCOPE_SCHEMA SCOPE_TABLE"
                                    + " SOURCE_DATA_TYPE"),
                    Map.entry("getClientInfoProperties", "NAME MAX_LEN DEFAULT_VALUE DESCRIPTION"),
                    Map.entry(
                            "getPseudoColumns",
                            TABLE
                                    + "COLUMN_NAME DATA_TYPE COLUMN_SIZE DECIMAL_DIGITS"
                                    + " NUM_PREC_RADIX COLUMN_USAGE REMARKS CHAR_OCTET_LENGTH"
                                    + " IS_NULLABLE"));

    @TempDir private Path folder;

    @Test
    void every_result_has_the_prescribed_columns() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:penstock:" + folder);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (a INTEGER, b VARCHAR(4), PRIMARY KEY (a))");
            List<String> wrong = new ArrayList<>();
            int results = 0;
            for (Method method : DatabaseMetaData.class.getMethods()) {
                if (method.getReturnType() == ResultSet.class) {
                    results++;
                    String labels = labels(connection.getMetaData(), method);
                    String wanted = PRESCRIBED.get(method.getName());
                    if (wanted == null || !labels.matches(wanted.replace("-", "\\S+"))) {
                        wrong.add(method.getName() + ": " + labels);
                    }
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(results).isGreaterThanOrEqualTo(PRESCRIBED.size());
        }
    }

    private static String labels(DatabaseMetaData metaData, Method method) throws Exception {
        @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            arguments[i] = type == int.class ? (Object) 0 : type == boolean.class ? false : null;
        }
        List<String> labels = new ArrayList<>();
        try (ResultSet result = (ResultSet) method.invoke(metaData, arguments)) {
            ResultSetMetaData columns = result.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                labels.add(columns.getColumnLabel(i));
                assertThat(result.findColumn(columns.getColumnName(i))).isEqualTo(i);
            }
        }
        return String.join(" ", labels);
    }

    @Test
    void the_view_of_loads_is_a_system_table_with_columns() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:penstock:" + folder)) {
            DatabaseMetaData metaData = connection.getMetaData();
            try (ResultSet tables =
                    metaData.getTables(null, null, "penstock%", new String[] {"SYSTEM TABLE"})) {
                assertThat(tables.next()).isTrue();
                assertThat(tables.getString("TABLE_NAME")).isEqualTo("penstock_loads");
                assertThat(tables.next()).isFalse();
            }
            List<String> columns = new ArrayList<>();
            try (ResultSet result = metaData.getColumns(null, null, "penstock_loads", "%")) {
                while (result.next()) {
                    columns.add(
                            result.getString("COLUMN_NAME") + " " + result.getString("TYPE_NAME"));
                }
            }
            assertThat(columns)
                    .hasSize(12)
                    .contains("label VARCHAR", "row_count BIGINT", "started TIMESTAMP");
        }
    }
}
