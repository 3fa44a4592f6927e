package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import schemacrawler.crawl.SchemaCrawler;
import schemacrawler.schema.Catalog;
import schemacrawler.schema.Column;
import schemacrawler.schema.NamedObject;
import schemacrawler.schema.Table;
import schemacrawler.schemacrawler.SchemaCrawlerOptionsBuilder;
import schemacrawler.schemacrawler.SchemaRetrievalOptionsBuilder;

import us.fatehi.utility.datasource.DatabaseConnectionSource;
import us.fatehi.utility.datasource.DatabaseConnectionSources;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** SchemaCrawler, a client that nobody here wrote, sees the schema. */
final class SchemaCrawlerTest {
    /** What it tells at each step is of no interest here; kept, as loggers are kept weakly. */
    private static final List<Logger> LOGGERS =
            Stream.of("schemacrawler", "us.fatehi").map(Logger::getLogger).toList();

    @TempDir private Path folder;

    @BeforeAll
    static void beQuiet() {
        LOGGERS.forEach(logger -> logger.setLevel(Level.WARNING));
    }

    @Test
    void tables_columns_types_and_keys_are_crawled() throws Exception {
        String url = "jdbc:penstock:" + folder;
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE part (maker INTEGER NOT NULL, code VARCHAR(12) NOT NULL, price"
                            + " DECIMAL(9,2), since DATE, PRIMARY KEY (code, maker))");
            statement.execute("CREATE TABLE note (line VARCHAR(80))");
            DatabaseConnectionSource source = DatabaseConnectionSources.fromConnection(connection);
            Catalog catalog =
                    new SchemaCrawler(
                                    source,
                                    SchemaRetrievalOptionsBuilder.builder()
                                            .fromConnnection(connection)
                                            .toOptions(),
                                    SchemaCrawlerOptionsBuilder.newSchemaCrawlerOptions())
                            .crawl();
            assertThat(catalog.getDatabaseInfo().getDatabaseProductName()).isEqualTo("Penstock");
            assertThat(catalog.getTables().stream().map(Table::getName)).contains("note", "part");
            Table part =
                    catalog.getTables().stream()
                            .filter(table -> table.getName().equals("part"))
                            .findFirst()
                            .orElseThrow();
            assertThat(part.getColumns().stream().map(SchemaCrawlerTest::described))
                    .containsExactly(
                            "maker INTEGER not null",
                            "code VARCHAR(12) not null",
                            "price DECIMAL(9, 2)",
                            "since DATE");
            assertThat(
                            part.getPrimaryKey().getConstrainedColumns().stream()
                                    .map(NamedObject::getName))
                    .containsExactly("code", "maker");
        }
    }

    private static String described(Column column) {
        return column.getName()
                + " "
                + column.getColumnDataType().getName()
                + column.getWidth()
                + (column.isNullable() ? "" : " not null");
    }
}
