package dev.penstock.kv.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import net.sf.jsqlparser.parser.CCJSqlParserConstants;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

class DdlTest {
    private static final String LINEITEM =
            """
            CREATE TABLE lineitem (
              l_orderkey BIGINT NOT NULL, l_partkey BIGINT NOT NULL, l_suppkey BIGINT NOT NULL,
              l_linenumber INTEGER NOT NULL, l_quantity DECIMAL(15,2) NOT NULL,
              l_extendedprice DECIMAL(15,2) NOT NULL, l_discount DECIMAL(15,2) NOT NULL,
              l_tax DECIMAL(15,2) NOT NULL, l_returnflag CHAR(1) NOT NULL,
              l_linestatus CHAR(1) NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL,
              l_receiptdate DATE NOT NULL, l_shipinstruct CHAR(25) NOT NULL,
              l_shipmode CHAR(10) NOT NULL, l_comment VARCHAR(44) NOT NULL,
              PRIMARY KEY (l_orderkey, l_linenumber)
            );
            """;

    @Test
    void lineitemIsUnderstood() {
        TableSchema schema = Ddl.parseCreateTable(LINEITEM);
        assertThat(schema.name()).isEqualTo("lineitem");
        assertThat(schema.columnCount()).isEqualTo(16);
        assertThat(schema.key()).containsExactly(new KeyColumn(0, false), new KeyColumn(3, false));
        assertThat(schema.column(4).type().sql()).isEqualTo("DECIMAL(15,2)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BOOL | BOOLEAN",
                "BOOLEAN | BOOLEAN",
                "TINYINT | SMALLINT",
                "smallint | SMALLINT",
                "INT2 | SMALLINT",
                "INT | INTEGER",
                "INT4 | INTEGER",
                "INTEGER | INTEGER",
                "BIGINT | BIGINT",
                "INT8 | BIGINT",
                "LONG | BIGINT",
                "REAL | REAL",
                "FLOAT4 | REAL",
                "FLOAT(24) | REAL",
                "FLOAT | DOUBLE",
                "FLOAT(25) | DOUBLE",
                "FLOAT8 | DOUBLE",
                "DOUBLE | DOUBLE",
                "DOUBLE PRECISION | DOUBLE",
                "DECIMAL(15,2) | DECIMAL(15,2)",
                "DECIMAL( 38 , 10 ) | DECIMAL(38,10)",
                "NUMERIC(10) | DECIMAL(10,0)",
                "DEC(5,5) | DECIMAL(5,5)",
                "NUMERIC | DECIMAL(18,3)",
                "DATE | DATE",
                "TIME | TIME",
                "TIMESTAMP | TIMESTAMP",
                "TIMESTAMP(6) | TIMESTAMP",
                "TIMESTAMP WITHOUT TIME ZONE | TIMESTAMP",
                "TIMESTAMP(3) WITHOUT TIME ZONE | TIMESTAMP",
                "DATETIME | TIMESTAMP",
                "CHAR | CHAR(1)",
                "CHAR(25) | CHAR(25)",
                "CHARACTER(3) | CHAR(3)",
                "VARCHAR(44) | VARCHAR(44)",
                "VARCHAR | VARCHAR",
                "CHARACTER VARYING(7) | VARCHAR(7)",
                "NATIONAL CHARACTER VARYING(7) | VARCHAR(7)",
                "TEXT | VARCHAR",
                "STRING | VARCHAR",
                "CLOB | VARCHAR",
                "VARBINARY(9) | VARBINARY(9)",
                "BINARY VARYING(9) | VARBINARY(9)",
                "BYTEA | VARBINARY",
                "BLOB | VARBINARY",
                "UUID | UUID"
            })
    void typesHaveTheirAliases(String written, String sql) {
        TableSchema schema = Ddl.parseCreateTable("CREATE TABLE t (a " + written + ")");
        assertThat(schema.column(0).type().sql()).isEqualTo(sql);
        assertThat(schema.column(0).nullable()).isTrue();
    }

    @Test
    void whatASchemaPrintsDeclaresItAgain() {
        TableSchema schema =
                Ddl.parseCreateTable(
                        "CREATE TABLE IF NOT EXISTS \"Order Lines\" (\"order\" INT, b TEXT NULL,"
                                + " c TIMESTAMP NOT NULL, PRIMARY KEY (c DESC, \"order\" ASC))");
        assertThat(schema.name()).isEqualTo("Order Lines");
        assertThat(schema.column(0).name()).isEqualTo("order");
        assertThat(schema.column(0).nullable()).isFalse();
        assertThat(schema.key()).containsExactly(new KeyColumn(2, true), new KeyColumn(0, false));
        assertThat(Ddl.parseCreateTable(schema.sql())).isEqualTo(schema);
        TableSchema plain = Ddl.parseCreateTable(LINEITEM);
        assertThat(Ddl.parseCreateTable(plain.sql())).isEqualTo(plain);
        assertThat(plain.sql()).doesNotContain("\"");
    }

    /** Those that the grammar knows, and those that no grammar would take without quotes. */
    @Test
    void namesArePrintedSoThatTheyAreReadAgain() {
        List<String> names = new ArrayList<>();
        for (String image : CCJSqlParserConstants.tokenImage) {
            String word = image.replaceAll("^<K_|^<|>$|\"", "");
            if (word.matches("[A-Za-z_]+")) {
                names.add(word);
                names.add(word.toLowerCase(Locale.ROOT));
            }
        }
        assertThat(names).contains("SELECT", "order", "PRIMARY", "key");
        names.addAll(
                List.of(
                        "two words",
                        "a\"b",
                        "\"\"",
                        "[x]",
                        "`y`",
                        "a@b",
                        "@",
                        "1st",
                        "a-b",
                        "a,b",
                        "(",
                        "--",
                        "/*x*/",
                        "a;b",
                        "'q'",
                        " lead",
                        "Straße",
                        "日本",
                        "$",
                        "UPPER",
                        "miXed"));
        for (String name : names) {
            List<Column> columns =
                    List.of(
                            new Column("plain_1", new ColumnType.RealType(), true),
                            new Column(name, new ColumnType.DecimalType(5, 2), true));
            for (List<KeyColumn> key :
                    List.of(List.of(new KeyColumn(1, true)), List.<KeyColumn>of())) {
                TableSchema schema = TableSchema.declare(name, columns, key);
                assertThat(Ddl.parseCreateTable(schema.sql())).as(schema.sql()).isEqualTo(schema);
            }
        }
    }

    @Test
    void aColumnCanBeTheKey() {
        TableSchema schema = Ddl.parseCreateTable("create table t (a int primary key, b int)");
        assertThat(schema.key()).containsExactly(new KeyColumn(0, false));
        assertThat(schema.column(0).nullable()).isFalse();
        assertThat(schema.hiddenRowId()).isFalse();
    }

    @Test
    void aTableWithoutKeyGetsAHiddenOne() {
        TableSchema schema = Ddl.parseCreateTable("create table t (a int)");
        assertThat(schema.hiddenRowId()).isTrue();
        assertThat(schema.visibleColumnCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "CREATE TABLE t (a INT,, b INT) | line 1, column 22",
                "CREATE TABLE t (a INT, b GEOMETRY) | at line 1, column 24 gives column b the type"
                        + " GEOMETRY",
                "CREATE TABLE t (a TIMESTAMP WITH TIME ZONE) | time zone",
                "CREATE TABLE t (a INT UNSIGNED) | not supported",
                "CREATE TABLE t (a INT[]) | not supported",
                "CREATE TABLE t (a DECIMAL(39,2)) | precision 39",
                "CREATE TABLE t (a VARCHAR(0)) | length 0",
                "CREATE TABLE t (a INT DEFAULT 3) | DEFAULT 3",
                "CREATE TABLE t (a INT UNIQUE) | UNIQUE",
                "CREATE TABLE t (a INT, UNIQUE (a)) | UNIQUE",
                "CREATE TABLE t (a INT, CHECK (a > 3)) | CHECK",
                "CREATE TABLE t (a INT REFERENCES u(b)) | REFERENCES",
                "CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES u(b)) | FOREIGN KEY",
                "CREATE TABLE t (a INT, PRIMARY KEY (b)) | key column b",
                "CREATE TABLE t (a INT PRIMARY KEY, b INT PRIMARY KEY) | more than one",
                "CREATE TABLE t (a INT, A TEXT) | two columns named A",
                "CREATE TABLE t (a INT, PRIMARY KEY (a, a)) | twice",
                "CREATE TABLE s.t (a INT) | schema",
                "CREATE TABLE t AS SELECT 1 | list columns",
                "CREATE TABLE t () | no columns",
                "CREATE TABLE t (a INT) WITH (x = 1) | options",
                "CREATE TABLE t (_rowid INT) | reserved",
                "CREATE TABLE t (a INT); DROP TABLE t | line 1, column 25",
                "SELECT 1 | CREATE TABLE statement is expected",
                "CREATE TABLE t (a INT | too early",
                "nonsense | nonsense",
                "^ ^ | empty"
            })
    void whatIsNotUnderstoodIsNamed(String sql, String message) {
        assertThatThrownBy(() -> Ddl.parseCreateTable(sql))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageContaining(message);
    }

    @Test
    void deepNestingIsRefusedAndDoesNotExhaustTheStack() {
        String deep = "(".repeat(100_000);
        assertThatThrownBy(() -> Ddl.parseCreateTable("CREATE TABLE t (a INT DEFAULT " + deep))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("nested");
    }
}
