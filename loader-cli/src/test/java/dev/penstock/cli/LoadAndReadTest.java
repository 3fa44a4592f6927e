package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Whole loads through the command line, on an embedded store, and what can be read afterwards. */
final class LoadAndReadTest {
    private static final String DDL =
            "CREATE TABLE people (id BIGINT NOT NULL, name VARCHAR(40), born DATE, size"
                    + " DECIMAL(6,2), active BOOLEAN, PRIMARY KEY (id))";
    private static final String PEOPLE =
            """
            id,name,born,size,active
            3,"Grace ""Amazing"" Hopper",1906-12-09,1.68,true
            1,Ada Lovelace,1815-12-10,1.65,true
            4,"Line
            break, comma",,,false
            2,Alan Turing,1912-06-23,1.78,
            """;
    private static final String SCANNED =
            """
            id,name,born,size,active
            1,Ada Lovelace,1815-12-10,1.65,true
            2,Alan Turing,1912-06-23,1.78,
            3,"Grace ""Amazing"" Hopper",1906-12-09,1.68,true
            4,"Line
            break, comma",,,false
            """;

    @TempDir private Path folder;

    private Path people = Path.of("");
    private Path ddl = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        people = write("people.csv", PEOPLE);
        ddl = write("people.sql", DDL);
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return file;
    }

    /** A command on this test's store. */
    private Ran run(String... words) {
        return runReading("", words);
    }

    private Ran runReading(String input, String... words) {
        List<String> args = new ArrayList<>(Arrays.asList(words));
        args.addAll(List.of("--store", folder.resolve("store").toString()));
        return Ran.cliReading(input, args.toArray(String[]::new));
    }

    private Ran load(String... more) {
        List<String> args = new ArrayList<>();
        args.addAll(List.of("load", people.toString(), "--table", "people"));
        args.addAll(List.of("--ddl", ddl.toString()));
        args.addAll(Arrays.asList(more));
        return run(args.toArray(String[]::new));
    }

    private static JsonNode json(Ran ran) throws IOException {
        assertThat(ran.code()).as(ran.err()).isIn(0, 3);
        assertThat(ran.out().strip().lines()).hasSize(1);
        return new ObjectMapper().readTree(ran.out());
    }

    @Test
    void what_was_loaded_is_read_in_key_order_as_csv() {
        Ran load = load("--header");
        assertThat(load.code()).as(load.err()).isZero();
        assertThat(load.out()).contains("Loaded 4 rows into people").contains("visible at epoch");
        assertThat(load.err()).isEmpty();
        assertThat(run("count", "people").out()).isEqualTo("4\n");
        assertThat(run("scan", "PEOPLE").out()).isEqualTo(SCANNED);
    }

    @Test
    void a_label_is_loaded_once_and_then_answers_with_the_first_report() throws IOException {
        JsonNode first = json(load("--header", "--label", "monday", "--json"));
        assertThat(first.get("loaded_before").asBoolean()).isFalse();
        Ran again = load("--header", "--label", "monday");
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out())
                .isEqualTo(
                        "Nothing to do: 'monday' was loaded into people before, 4 rows, visible at"
                                + " epoch 1.\n");
        JsonNode second = json(load("--header", "--label", "monday", "--json"));
        assertThat(second.get("loaded_before").asBoolean()).isTrue();
        assertThat(second.get("compared_with_first").asBoolean()).isTrue();
        for (String field : List.of("load_id", "epoch", "rows_loaded", "bytes_read", "columns")) {
            assertThat(second.get(field)).as(field).isEqualTo(first.get(field));
        }
        assertThat(run("count", "people").out()).isEqualTo("4\n");
    }

    @Test
    void a_label_whose_input_cannot_be_compared_is_no_reason_to_load_but_is_told() {
        load("--header", "--label", "monday");
        List<String> standardInput =
                List.of("load", "-", "--table", "people", "--header", "--label", "monday");
        String other = PEOPLE.replace("Ada", "Eve");
        Ran again = runReading(other, standardInput.toArray(String[]::new));
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(again.out())
                .startsWith("note       The input could not be compared with that of the first")
                .contains("\nNothing to do: 'monday' was loaded into people before, 4 rows");
        assertThat(run("scan", "people").out()).isEqualTo(SCANNED);
        List<String> asJson = new ArrayList<>(standardInput);
        asJson.add("--json");
        assertThat(runReading(other, asJson.toArray(String[]::new)).out())
                .contains("\"loaded_before\":true", "\"compared_with_first\":false");
    }

    @Test
    void a_label_of_other_input_is_refused() throws IOException {
        load("--header", "--label", "monday");
        Files.writeString(people, PEOPLE.replace("Ada", "Eve"));
        Ran other = load("--header", "--label", "monday");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err())
                .contains(
                        "The label 'monday' was used before, for a load of other input into table")
                .contains("4 rows")
                .contains("Give this load another label.");
        assertThat(run("scan", "people").out()).isEqualTo(SCANNED);
    }

    @Test
    void a_load_that_fails_leaves_no_table_behind() throws IOException {
        Files.writeString(people, PEOPLE + "five,Nobody,,,\n");
        assertThat(load("--header").code()).isEqualTo(1);
        assertThat(run("table", "list").out()).doesNotContain("people");
        Files.writeString(people, PEOPLE);
        assertThat(load("--header").code()).isZero();
        assertThat(run("table", "list").out()).contains("people");
    }

    @Test
    void aggregates_are_printed_as_rows_are() {
        load("--header");
        String all = "count(*),count(active),sum(size),avg(size),min(name),max(born)";
        assertThat(run("aggregate", "people", "--select", all).out())
                .isEqualTo(
                        """
                        count(*),count(active),sum(size),avg(size),min(name),max(born)
                        4,3,5.11,1.7033333333333334,Ada Lovelace,1912-06-23
                        """);
        String[] byActive = {"aggregate", "people", "--by", "active", "--select", "Sum( SIZE )"};
        assertThat(run(byActive).out()).isEqualTo("active,sum(size)\nfalse,\ntrue,3.33\n,1.78\n");
        List<String> json = new ArrayList<>(Arrays.asList(byActive));
        json.addAll(List.of("--from", "2", "--where", "born IS NOT NULL", "--json"));
        assertThat(run(json.toArray(String[]::new)).out())
                .isEqualTo(
                        """
                        {"rows":[{"active":true,"sum(size)":1.68},
                        {"active":null,"sum(size)":1.78}]}
                        """);
        String[] none = {"aggregate", "people", "--select", "count(*),sum(id)", "--where", "id>9"};
        assertThat(run(none).out()).isEqualTo("count(*),sum(id)\n0,\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sum(name)=has no sum",
                "sum(sise)=no column sise",
                "median(size)=no function median",
                "count(*), sum=--select 'sum'",
                "max(id),max(ID)=asked for twice"
            })
    void aggregates_that_cannot_be_are_refused(String wrong) {
        load("--header");
        String[] parts = wrong.split("=", 2);
        Ran ran = run("aggregate", "people", "--select", parts[0]);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains(parts[1]);
    }

    @Test
    void the_json_report_has_what_scripts_rely_on() throws IOException {
        JsonNode report = json(load("--header", "--label", "first", "--json"));
        assertThat(report.get("rows_loaded").asLong()).isEqualTo(4);
        assertThat(report.get("rows_rejected").asLong()).isZero();
        assertThat(report.get("bytes_read").asLong()).isBetween(1L, Files.size(people));
        assertThat(report.get("label").asText()).isEqualTo("first");
        assertThat(report.get("epoch").asLong()).isPositive();
        assertThat(report.get("regions").asInt()).isPositive();
        for (String name :
                List.of(
                        "bytes_sent",
                        "bytes_stored",
                        "seconds",
                        "mb_per_second",
                        "cpu_seconds_loader",
                        "cpu_seconds_server",
                        "imbalance")) {
            assertThat(report.get(name).isNumber()).as(name).isTrue();
        }
        assertThat(report.get("bytes_sent").asLong()).isPositive();
        assertThat(report.get("bytes_stored").asLong()).isPositive();
        assertThat(report.get("columns")).hasSize(5);
        for (String name : List.of("name", "offload", "encoding", "distinct", "bytes")) {
            assertThat(report.get("columns").get(0).has(name)).as(name).isTrue();
        }
    }

    @Test
    void rows_are_chosen_by_columns_condition_key_range_and_limit() {
        load("--header");
        assertThat(run("scan", "people", "--columns", "name,id", "--limit", "2").out())
                .isEqualTo("name,id\nAda Lovelace,1\nAlan Turing,2\n");
        assertThat(
                        run(
                                        "scan",
                                        "people",
                                        "--columns",
                                        "id",
                                        "--where",
                                        "born >= DATE '1900-01-01' AND active IS NOT NULL")
                                .out())
                .isEqualTo("id\n3\n");
        assertThat(run("scan", "people", "--columns", "id", "--from", "2", "--to", "4").out())
                .isEqualTo("id\n2\n3\n");
        assertThat(run("count", "people", "--where", "name LIKE 'A%'").out()).isEqualTo("2\n");
        assertThat(run("count", "people", "--from", "3").out()).isEqualTo("2\n");
        assertThat(run("scan", "people", "--limit", "0").out())
                .isEqualTo("id,name,born,size,active\n");
    }

    @Test
    void rows_come_as_json_lines_with_the_types_of_json() {
        load("--header");
        assertThat(run("scan", "people", "--format", "jsonl", "--from", "2").out())
                .isEqualTo(
                        """
                        {"id":2,"name":"Alan Turing","born":"1912-06-23","size":1.78,"active":null}
                        {"id":3,"name":"Grace \\"Amazing\\" Hopper","born":"1906-12-09","size":1.68,"active":true}
                        {"id":4,"name":"Line\\nbreak, comma","born":null,"size":null,"active":false}
                        """);
    }

    @Test
    void one_json_object_holds_all_rows_when_asked_for() throws IOException {
        load("--header");
        Ran scan = run("scan", "people", "--json");
        JsonNode rows = new ObjectMapper().readTree(scan.out()).get("rows");
        assertThat(rows).hasSize(4);
        assertThat(rows.get(1).get("name").asText()).isEqualTo("Alan Turing");
        assertThat(run("scan", "people", "--json", "--limit", "0").out())
                .isEqualTo("{\"rows\":[]}\n");
    }

    @Test
    void get_prints_one_row_or_says_that_there_is_none() throws IOException {
        load("--header");
        assertThat(run("get", "people", "2").out())
                .isEqualTo("id,name,born,size,active\n2,Alan Turing,1912-06-23,1.78,\n");
        assertThat(
                        json(run("get", "people", "1", "--json", "--columns", "name"))
                                .get("name")
                                .asText())
                .isEqualTo("Ada Lovelace");
        Ran absent = run("get", "people", "99");
        assertThat(absent.code()).isEqualTo(1);
        assertThat(absent.out()).isEmpty();
        assertThat(absent.err()).isEqualTo("penstock: table people has no row with key 99.\n");
        assertThat(run("get", "people", "1", "2").code()).isEqualTo(2);
        assertThat(run("get", "people", "one").err()).contains("one");
    }

    @Test
    void tables_are_created_listed_described_and_dropped() throws IOException {
        assertThat(run("table", "create", "--ddl", ddl.toString()).code()).isZero();
        assertThat(run("table", "create", "--ddl", ddl.toString()).code()).isEqualTo(1);
        assertThat(run("table", "list").out()).isEqualTo("people\n");
        assertThat(json(run("table", "list", "--json")).get("tables")).hasSize(1);
        assertThat(run("table", "describe", "people").out())
                .contains("size    DECIMAL(6,2)  yes")
                .contains("0 rows in 1 region");
        JsonNode described = json(run("table", "describe", "people", "--json"));
        assertThat(described.get("primary_key").get(0).asText()).isEqualTo("id");
        assertThat(described.get("columns")).hasSize(5);
        assertThat(run("count", "peple").err())
                .contains("there is no table peple; the store has people.");
        assertThat(run("table", "drop", "people").code()).isZero();
        assertThat(run("table", "drop", "people").code()).isEqualTo(ExitCode.USAGE);
        assertThat(run("table", "drop", "people", "--if-exists").code()).isZero();
        assertThat(run("count", "people").code()).isEqualTo(2);
    }

    @Test
    void status_and_verify_tell_what_is_stored() throws IOException {
        load("--header");
        JsonNode status = json(run("status", "--json"));
        assertThat(status.get("epoch").asLong()).isPositive();
        assertThat(status.get("servers")).hasSize(1);
        assertThat(status.get("tables").get(0).get("rows").asLong()).isEqualTo(4);
        assertThat(status.get("running_loads")).isEmpty();
        assertThat(run("status").out())
                .contains("people")
                .contains("running loads")
                .doesNotContain("merged away");
        JsonNode verified = json(run("verify", "people", "--json"));
        assertThat(verified.get("rows").asLong()).isEqualTo(4);
        assertThat(verified.get("columns").get(0).get("checksum").asText()).hasSize(16);
        assertThat(run("verify", "people").out()).contains("Verified 4 rows");
    }

    @Test
    void status_says_that_replaced_rows_count() throws IOException {
        load("--header");
        Ran again = load("--header", "--on-duplicate", "replace");
        assertThat(again.code()).as(again.err()).isZero();
        JsonNode status = json(run("status", "--json"));
        assertThat(status.get("tables").get(0).get("rows").asLong()).isEqualTo(8);
        assertThat(run("status").out()).contains("count until they are merged away");
        assertThat(run("count", "people").out()).contains("4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "none", "select", "raw", "sequential"})
    void every_offload_policy_stores_the_same(String policy) {
        Ran load = load("--header", "--offload", policy);
        assertThat(load.code()).as(load.err()).isZero();
        assertThat(run("scan", "people").out()).isEqualTo(SCANNED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"raw", "typed", "sorted", "encoded", "merged"})
    void every_cut_stores_the_same(String cut) {
        Ran load = load("--header", "--cut", cut);
        assertThat(load.code()).as(load.err()).isZero();
        assertThat(run("scan", "people").out()).isEqualTo(SCANNED);
    }

    @Test
    void standard_input_and_compressed_files_are_read() throws IOException {
        Ran fromInput = runReading(PEOPLE, "load", "-", "--ddl", ddl.toString(), "--header");
        assertThat(fromInput.code()).as(fromInput.err()).isZero();
        Path zipped = folder.resolve("more.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(zipped))) {
            out.write("5,E,2000-01-01,1,true\n".getBytes(StandardCharsets.UTF_8));
        }
        Ran fromZipped = run("load", zipped.toString(), "--table", "people", "--no-header");
        assertThat(fromZipped.code()).as(fromZipped.err()).isZero();
        assertThat(run("count", "people").out()).isEqualTo("5\n");
    }

    @Test
    void fields_go_where_columns_says() throws IOException {
        Path file = write("other.csv", "x;9;Zuse\n");
        Ran load =
                run(
                        "load",
                        file.toString(),
                        "--ddl",
                        ddl.toString(),
                        "--delimiter",
                        ";",
                        "--columns",
                        "-,id,name");
        assertThat(load.code()).as(load.err()).isZero();
        assertThat(run("scan", "people").out()).isEqualTo("id,name,born,size,active\n9,Zuse,,,\n");
    }

    @Test
    void equal_keys_are_treated_as_asked() throws IOException {
        load("--header");
        people = write("again.csv", "2,Alan M. Turing,1912-06-23,1.78,true\n");
        Ran refused = load("--no-header");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("key").contains("2");
        assertThat(run("get", "people", "2", "--columns", "name").out())
                .isEqualTo("name\nAlan Turing\n");
        assertThat(load("--no-header", "--on-duplicate", "keep-first").code()).isZero();
        assertThat(run("get", "people", "2", "--columns", "name").out())
                .isEqualTo("name\nAlan Turing\n");
        assertThat(load("--no-header", "--on-duplicate", "replace").code()).isZero();
        assertThat(run("get", "people", "2", "--columns", "name").out())
                .isEqualTo("name\nAlan M. Turing\n");
        assertThat(run("count", "people").out()).isEqualTo("4\n");
    }

    @Test
    void a_dry_run_stores_nothing_and_creates_no_store() throws IOException {
        Ran load = load("--header", "--dry-run");
        assertThat(load.code()).as(load.err()).isZero();
        assertThat(load.out())
                .contains("Would load 4 rows into people")
                .endsWith(" Equal keys were not looked for.\n");
        Files.writeString(people, PEOPLE + "five,Nobody,,,\n");
        Ran failed = load("--header", "--dry-run");
        assertThat(failed.code()).as(failed.out()).isEqualTo(1);
        assertThat(folder.resolve("store")).doesNotExist();
        assertThat(run("count", "people").err()).contains("there is no store in");
        assertThat(dryRunFolders()).isEmpty();
    }

    private static List<Path> dryRunFolders() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().contains("dry-run")).toList();
        }
    }

    @Test
    void a_dry_run_leaves_an_existing_store_as_it_is() {
        assertThat(run("table", "create", "--ddl", ddl.toString()).code()).isZero();
        Ran load = load("--header", "--dry-run");
        assertThat(load.out()).contains("Would load 4 rows into people");
        assertThat(run("count", "people").out()).isEqualTo("0\n");
    }

    @Test
    void plan_needs_no_store_and_changes_nothing() throws IOException {
        String[] plan = {"plan", people.toString(), "--ddl", ddl.toString(), "--header"};
        Ran text = Ran.cli(plan);
        assertThat(text.code()).as(text.err()).isZero();
        assertThat(text.out()).contains("dialect").contains("balance").contains("people");
        List<String> args = new ArrayList<>(Arrays.asList(plan));
        args.add("--json");
        JsonNode json = json(Ran.cli(args.toArray(String[]::new)));
        assertThat(json.get("columns")).hasSize(5);
        assertThat(json.get("regions").asInt()).isPositive();
        assertThat(Path.of("penstock-data")).doesNotExist();
    }
}
