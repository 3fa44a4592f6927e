package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.server.RegionServerProcess;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Mended records go to the store of the others, or nowhere; no store is made for them. */
final class ReplayStoreTest {
    private static final Path DEFAULT_STORE = Path.of("penstock-data");

    @TempDir private Path folder;

    private Path bad = Path.of("");
    private Path how = Path.of("");
    private Path store = Path.of("");

    @BeforeEach
    void declare() throws IOException {
        bad = folder.resolve("bad.csv");
        how = folder.resolve("bad.csv.load.json");
        store = folder.resolve("store");
        Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (a INT, PRIMARY KEY (a))");
        Files.writeString(folder.resolve("a.csv"), "1\nx\n2\n");
    }

    @AfterEach
    void no_store_was_made_where_the_command_runs() {
        assertThat(DEFAULT_STORE).doesNotExist();
    }

    @Test
    void without_a_store_they_go_to_that_of_the_first_load() throws IOException {
        load("--store", store);
        assertThat(how).content().contains("\"store\" : \"dir:" + store + "\"");
        Ran replay = Ran.cli("rejects", "replay", bad.toString());
        assertThat(replay.code()).as(replay.err()).isZero();
        assertThat(count("--store", store)).isEqualTo("3\n");
    }

    @Test
    void without_servers_they_go_to_those_of_the_first_load() throws IOException {
        try (RegionServerProcess server =
                RegionServerProcess.start(folder.resolve("server"), "127.0.0.1:0", null)) {
            load("--connect", server.address());
            assertThat(how).content().contains("\"store\" : \"tcp:" + server.address() + "\"");
            Ran replay = Ran.cli("rejects", "replay", bad.toString());
            assertThat(replay.code()).as(replay.err()).isZero();
            assertThat(count("--connect", server.address())).isEqualTo("3\n");
        }
    }

    @Test
    void a_store_that_does_not_exist_is_not_made_and_the_first_is_named() throws IOException {
        load("--store", store);
        Path other = folder.resolve("other");
        Ran replay = replay("--store", other);
        refused(replay, "there is no store in " + other, "add --store " + store);
        Files.createDirectories(other);
        refused(replay("--store", other), "there is no store in " + other);
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void a_store_that_is_not_where_it_was_is_asked_for() throws IOException {
        load("--store", store);
        Path moved = Files.move(store, folder.resolve("moved"));
        Ran replay = Ran.cli("rejects", "replay", bad.toString());
        refused(replay, "there is no store in " + store, "add --store with the folder");
        assertThat(store).doesNotExist();
        assertThat(replay("--store", moved).code()).isZero();
    }

    @Test
    void a_file_that_does_not_say_where_the_load_went_makes_no_store() throws IOException {
        load("--store", store);
        Files.writeString(how, Files.readString(how).replaceAll(".*\"store\".*\n", ""));
        Ran replay = Ran.cli("rejects", "replay", bad.toString());
        refused(replay, "there is no store in penstock-data", "add the --store or --connect");
        assertThat(replay("--store", store).code()).isZero();
    }

    @Test
    void what_a_load_was_about_to_publish_is_asked_of_no_new_store() throws IOException {
        load("--store", store, "--label", "mine");
        Files.writeString(how, Files.readString(how).replace("LOADED", "PUBLISHING"));
        Path other = folder.resolve("other");
        refused(replay("--store", other), "add --store " + store);
        assertThat(other).doesNotExist();
        assertThat(Ran.cli("rejects", "replay", bad.toString()).code()).isZero();
    }

    @Test
    void a_store_without_the_table_of_the_first_load_does_not_get_it() throws IOException {
        load("--store", store);
        Path other = folder.resolve("other");
        Path ddl = Files.writeString(folder.resolve("u.sql"), "CREATE TABLE u (a INT)");
        Ran made = Ran.cli("table", "create", "--ddl", ddl.toString(), "--store", other.toString());
        assertThat(made.code()).as(made.err()).isZero();
        refused(replay("--store", other), "there is no table t", "in --store " + store);
        assertThat(Ran.cli("table", "list", "--store", other.toString()).out())
                .doesNotContain("t ");
    }

    @Test
    void a_folder_without_a_store_is_not_made_one_by_reading_it() {
        Ran count = Ran.cli("count", "t", "--store", folder.toString());
        refused(count, "there is no store in " + folder);
        assertThat(folder.resolve("identity")).doesNotExist();
    }

    private static void refused(Ran ran, String... parts) {
        assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(2);
        assertThat(ran.err()).contains(parts);
        assertThat(ran.err().lines()).hasSize(1);
    }

    private Ran replay(String option, Path where) {
        return Ran.cli("rejects", "replay", bad.toString(), option, where.toString());
    }

    /** One record of three is rejected, and then mended. */
    private void load(Object... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("load", folder.resolve("a.csv").toString()));
        args.addAll(List.of("--ddl", folder.resolve("t.sql").toString(), "--no-header"));
        args.addAll(List.of("--max-rejects", "1", "--rejects", bad.toString()));
        for (Object each : more) {
            args.add(each.toString());
        }
        Ran ran = Ran.cli(args.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isEqualTo(3);
        Files.writeString(bad, "3\n");
    }

    private static String count(String option, Object where) {
        return Ran.cli("count", "t", option, where.toString()).out();
    }
}
