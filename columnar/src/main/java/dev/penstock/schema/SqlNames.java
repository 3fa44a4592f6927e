package dev.penstock.schema;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Names of tables and columns as SQL writes them. */
final class SqlNames {
    /** What needs no quotes unless it is a word of the language. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /**
     * The words that SQL reserves, and those that the grammar of statements here takes for its own.
     */
    private static final Set<String> WORDS =
            Set.of(
                    """
                    ABSENT ALL ALTER AND ANY AS ASC BETWEEN BOTH BY CASE CAST CHECK COLUMN
                    CONNECT_BY_ROOT CONSTRAINT CREATE CROSS CSV CURRENT DEFAULT DELETE DESC
                    DISTINCT DISTINCTROW DROP ELSE END ERRORS EXCEPT EXCLUDE EXCLUDES EXISTS
                    EXTEND FALSE FBV FETCH FILE FINAL FOR FORCE FOREIGN FROM FULL FULLTEXT GROUP
                    GROUPING HAVING IF ILIKE IMPORT IN INCLUDES INDEX INNER INSERT INTERSECT INTO
                    IS JOIN KEY LATERAL LIKE LIMIT MINUS NATURAL NOCYCLE NOT NULL OFFSET ON ONLY
                    OR ORDER OUTER OUTPUT PIVOT PREFERRING PREWHERE PRIMARY PRIOR QUALIFY
                    REFERENCES RETURNING RETURNS SAMPLE SCRIPT SELECT SEMI SET SETTINGS SOME
                    SPATIAL SQL_CACHE SQL_CALC_FOUND_ROWS SQL_NO_CACHE STATEMENT TABLE TABLESAMPLE
                    THEN TO TOP TRAILING TRUE UNBOUNDED UNION UNIQUE UNKNOWN UNPIVOT UPDATE USE
                    USER USING VALUE VALUES VERIFY WHEN WHERE WINDOW WITH XMLSERIALIZE XOR
                    """
                            .strip()
                            .split("\\s+"));

    private SqlNames() {}

    /** The name, in quotes if it is not read as one without them. */
    static String written(String name) {
        return PLAIN.matcher(name).matches() && !WORDS.contains(name.toUpperCase(Locale.ROOT))
                ? name
                : "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
