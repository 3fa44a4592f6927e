package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

final class TableCommandTest {
    @TempDir private Path folder;

    private Ran create(String ddl) throws IOException {
        Path file = Files.writeString(folder.resolve("t.sql"), ddl);
        String store = folder.resolve("store").toString();
        return Ran.cli("table", "create", "--ddl", file.toString(), "--store", store);
    }

    @Test
    void a_table_that_is_there_is_no_error_if_the_statement_says_so() throws IOException {
        String same = "CREATE TABLE IF NOT EXISTS t (a INT NOT NULL, PRIMARY KEY (a))";
        assertThat(create(same).err()).isEqualTo("Created table t.\n");
        Ran again = create(same);
        assertThat(again.code()).isZero();
        assertThat(again.err()).isEqualTo("There is a table t with these columns already.\n");
    }

    @Test
    void one_that_is_another_is_refused() throws IOException {
        assertThat(create("CREATE TABLE t (a INT NOT NULL, PRIMARY KEY (a))").code()).isZero();
        Ran same = create("CREATE TABLE t (a INT NOT NULL, PRIMARY KEY (a))");
        assertThat(same.code()).isEqualTo(1);
        assertThat(same.err()).isEqualTo("penstock: table t exists already.\n");
        Ran other = create("CREATE TABLE IF NOT EXISTS t (a BIGINT NOT NULL, PRIMARY KEY (a))");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err())
                .isEqualTo(
                        "penstock: table t exists already, with other columns or another key than"
                                + " the statement declares.\n");
    }

    @Test
    void a_table_without_unfinished_loads_is_said_to_have_none() throws IOException {
        create("CREATE TABLE t (a INT)");
        String store = folder.resolve("store").toString();
        Ran loads = Ran.cli("loads", "t", "--store", store);
        assertThat(loads.err()).isEqualTo("No unfinished loads of t.\n");
        assertThat(loads.out()).isEmpty();
        Ran json = Ran.cli("loads", "t", "--store", store, "--json");
        assertThat(json.out()).isEqualTo("{\"table\":\"t\",\"loads\":[]}\n");
        assertThat(json.err()).isEmpty();
    }
}
