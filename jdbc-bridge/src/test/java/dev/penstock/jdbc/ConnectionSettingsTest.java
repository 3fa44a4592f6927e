package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Properties;

/** URLs, properties and the data source. */
final class ConnectionSettingsTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "jdbc:penstock:|names no store",
                "jdbc:penstock:///|not of the form jdbc:penstock://host:port/",
                "jdbc:penstock:/nowhere/at/all|there is no store in '/nowhere/at/all'",
                "jdbc:penstock:/tmp?colour=red|there is no property 'colour'; there are user,",
                "jdbc:penstock:/tmp?create|a property in jdbc:penstock:/tmp?... is not of the form",
                "jdbc:penstock:/tmp?password=x|a password does not belong in a URL",
                "jdbc:penstock://127.0.0.1:1/?insecure=maybe|insecure is true or false",
                "jdbc:penstock://127.0.0.1:1/?tlsCert=/x|belong together: give both or none",
                "jdbc:penstock://127.0.0.1:1/?tokenFile=/none|there is no file /none",
                "jdbc:penstock://192.0.2.1:1/|is not on this machine",
                "jdbc:penstock:/tmp?create=maybe|create is true or false, not 'maybe'",
                "jdbc:penstock:/tmp?loadThreads=-1|loadThreads is a number from 0 to 1024",
                "jdbc:penstock://127.0.0.1/|127.0.0.1",
                "jdbc:penstock://127.0.0.1:1/|127.0.0.1:1"
            })
    void a_wrong_url_is_refused_with_one_sentence(String url, String part) {
        assertThatThrownBy(() -> DriverManager.getConnection(url))
                .hasMessageContaining(part)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> {
                            assertThat(e.getSQLState()).as(e.getMessage()).startsWith("08");
                            assertThat(e.getMessage()).doesNotContain("\n");
                        });
    }

    @Test
    void the_driver_tells_its_properties() throws SQLException {
        Driver driver = DriverManager.getDriver("jdbc:penstock:/x");
        Properties given = new Properties();
        given.setProperty("create", "true");
        DriverPropertyInfo[] infos =
                driver.getPropertyInfo("jdbc:penstock:/x?queryTimeout=7", given);
        assertThat(Arrays.stream(infos).map(info -> info.name + "=" + info.value))
                .containsExactly(
                        "user=",
                        "password=",
                        "create=true",
                        "queryTimeout=7",
                        "loadThreads=0",
                        "tlsCa=",
                        "tlsCert=",
                        "tlsKey=",
                        "tokenFile=",
                        "insecure=false");
        assertThat(infos).allSatisfy(info -> assertThat(info.description).isNotBlank());
        assertThat(driver.getParentLogger().getName()).isEqualTo("dev.penstock");
        assertThat(driver.connect("jdbc:other:x", given)).isNull();
        assertThatThrownBy(() -> driver.acceptsURL(null)).isInstanceOf(SQLException.class);
    }

    @Test
    void a_data_source_is_set_up_by_setters() throws SQLException {
        PenstockDataSource source = new PenstockDataSource();
        assertThatThrownBy(source::getConnection)
                .hasMessageContaining("names no store")
                .isInstanceOf(SQLException.class);
        Path store = folder.resolve("made");
        source.setFolder(store.toString());
        assertThatThrownBy(source::getConnection).hasMessageContaining("create=true");
        source.setCreate(true);
        source.setQueryTimeout(9);
        source.setLoadThreads(1);
        Connection one = source.getConnection();
        try (Connection two = source.getConnection("tool", "secret");
                Statement statement = two.createStatement()) {
            assertThat(statement.getQueryTimeout()).isEqualTo(9);
            statement.execute("CREATE TABLE t (a INTEGER)");
            assertThat(one.unwrap(PenstockConnection.class).store().findTable("t")).isPresent();
            one.close();
            assertThat(statement.executeUpdate("INSERT INTO t VALUES (1)")).isEqualTo(1);
        }
        assertThat(Files.isDirectory(store)).isTrue();
        source.setServers("127.0.0.1:1");
        assertThat(source.getUrl()).isEqualTo("jdbc:penstock://127.0.0.1:1/");
        assertThatThrownBy(source::getConnection).isInstanceOf(SQLException.class);
        assertThat(source.isWrapperFor(PenstockDataSource.class)).isTrue();
    }
}
