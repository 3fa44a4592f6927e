package dev.penstock.bench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.penstock.bench.contender.Contender;
import dev.penstock.bench.contender.Stopwatch;
import dev.penstock.bench.machine.DiskSpeed;
import dev.penstock.bench.machine.Machine;
import dev.penstock.cli.generate.TpchTable;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

/** A whole run with a small file: every contender that can run does the same work. */
final class EndToEndTest {
    private static final List<String> ENGINES =
            List.of(
                    "penstock",
                    "duckdb",
                    "duckdb-ordered",
                    "duckdb-key",
                    "clickhouse",
                    "postgresql",
                    "mariadb");

    @TempDir private Path folder;

    private SmallLineitem lineitem = SmallLineitem.NONE;

    @BeforeEach
    void generate() throws IOException {
        lineitem = SmallLineitem.in(folder);
    }

    @Test
    void every_contender_loads_every_row_or_says_why_it_cannot() throws IOException {
        lineitem.check(
                lineitem.run("--contenders", String.join(",", ENGINES), "--runs", "1"),
                ENGINES.size());
    }

    @Test
    void the_json_has_what_the_readme_promises() throws IOException {
        Report report = lineitem.run("--contenders", "penstock,duckdb-key", "--runs", "2");
        JsonNode json = new ObjectMapper().readTree(report.json().toString());
        for (String fact : List.of("cpu", "cores", "memory_bytes", "system", "java")) {
            assertThat(json.at("/machine/" + fact).asText()).as(fact).isNotBlank();
        }
        assertThat(json.at("/machine/buffered_write_mb_per_second").asDouble()).isPositive();
        assertThat(json.at("/machine/memory_copy_mb_per_second").asDouble()).isPositive();
        assertThat(json.at("/machine/busy_cores").asDouble()).isPositive();
        assertThat(json.get("runs").asInt()).isEqualTo(2);
        assertThat(json.get("skipped").isArray()).isTrue();
        assertThat(json.get("contenders")).hasSize(2);
        for (JsonNode contender : json.get("contenders")) {
            assertThat(contender.get("seconds")).hasSize(2);
            assertThat(contender.get("rows").asLong()).isEqualTo(lineitem.rows());
            assertThat(contender.get("file_bytes").asLong()).isEqualTo(Files.size(lineitem.file()));
            for (String figure :
                    List.of("median_seconds", "min_seconds", "max_seconds", "mb_per_second")) {
                assertThat(contender.get(figure).asDouble()).as(figure).isPositive();
            }
            assertThat(contender.get("version").asText()).matches("v?\\d+\\.\\d+.*");
            assertThat(contender.get("cpu_seconds").isNumber()).isTrue();
            assertThat(contender.get("bytes_stored").asLong()).isPositive();
        }
        assertThat(json.at("/contenders/0/relative_speed").asDouble()).isEqualTo(1);
    }

    @Test
    void experiments_change_one_thing() throws IOException {
        Experiment.Settings settings =
                new Experiment.Settings(
                        List.of(lineitem.file()), TpchTable.LINEITEM.ddl(), 1, folder, null);
        assertThat(Experiment.named("regions").contenders(settings))
                .extracting(Contender::name)
                .containsExactly(
                        "penstock-4-regions", "penstock-64-regions", "penstock-256-regions");
        List<Contender> proofs = Experiment.named("verify").contenders(settings);
        assertThat(proofs)
                .extracting(Contender::name)
                .containsExactly(
                        "penstock-verify-off", "penstock-verify-count", "penstock-verify-checksum");
        assertThat(proofs.getLast().description()).contains("load --verify checksum'");
        long bytes = Files.size(lineitem.file());
        Report order = lineitem.run("--experiment", "order", "--runs", "1");
        assertThat(order.results()).hasSize(2);
        assertThat(order.results()).allMatch(result -> result.rows() == lineitem.rows());
        assertThat(order.results()).allMatch(result -> result.textBytes() == bytes);
        assertThat(Experiment.named("cluster-order").contenders(settings))
                .extracting(contender -> contender.workload().rows())
                .containsExactly(lineitem.rows(), lineitem.rows());
        Report scale =
                lineitem.run(lineitem.file().toString(), "--experiment", "scale", "--runs", "1");
        assertThat(scale.results()).hasSize(2);
    }

    @Test
    void loads_over_TLS_have_all_rows() throws IOException {
        Report links = lineitem.run("--experiment", "tls", "--runs", "1");

        assertThat(links.results())
                .extracting(Result::name)
                .containsExactly("penstock-plain", "penstock-tls");
        assertThat(links.results()).allMatch(result -> result.rows() == lineitem.rows());
    }

    @Test
    void a_wrong_command_says_what_is_wrong() {
        assertThatThrownBy(() -> Options.parse("--runs", "3")).hasMessageContaining("file");
        assertThatThrownBy(() -> Options.parse("f", "--run", "3")).hasMessageContaining("--run");
        assertThatThrownBy(() -> Options.parse("f", "--runs")).hasMessageContaining("value");
        assertThatThrownBy(() -> lineitem.run("--runs", "0")).hasMessageContaining("--runs");
        assertThatThrownBy(() -> lineitem.run("--contenders", "oracle"))
                .hasMessageContaining("oracle");
        assertThatThrownBy(() -> lineitem.run("--experiment", "luck")).hasMessageContaining("luck");
        assertThatThrownBy(() -> lineitem.run("--json", "nowhere/all.json"))
                .hasMessageContaining("nowhere");
    }

    @Test
    void the_median_of_an_even_number_of_runs_lies_between_the_middle_two() {
        Result result = result("a", 4, 1, 3, 2);
        assertThat(result.median()).isEqualTo(2.5);
        assertThat(result.min()).isEqualTo(1);
        assertThat(result.max()).isEqualTo(4);
        assertThat(result.speed()).isEqualTo(2);
    }

    @Test
    void the_chart_is_well_formed_and_shows_every_contender() throws Exception {
        Machine machine =
                new Machine(
                        "A & B <CPU>",
                        2,
                        1.7,
                        1,
                        "OS",
                        "JVM",
                        new DiskSpeed(1, Double.NaN, 3),
                        4000);
        Report report =
                new Report(
                        "a.tbl",
                        machine,
                        2,
                        3,
                        List.of(result("penstock", 1, 2, 3), result("duckdb", 5, 4, 6)),
                        Map.of("mariadb", "it said \"<no>\" \u0001 & left"));
        byte[] svg = Chart.svg(report).getBytes(StandardCharsets.UTF_8);
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        Document document = factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg));
        assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(1 + 2);
        String words = document.getDocumentElement().getTextContent();
        assertThat(words)
                .contains("penstock 1.2, duckdb 1.2", "A & B <CPU>", "mariadb skipped", "0.40×");
        assertThat(document.getElementsByTagName("path").getLength()).as("whiskers").isEqualTo(2);
    }

    private static Result result(String name, double... seconds) {
        List<Contender.Loaded> runs =
                java.util.Arrays.stream(seconds)
                        .mapToObj(one -> new Contender.Loaded(new Stopwatch.Span(one, one), 7, 9))
                        .toList();
        return new Result(name, "", "1.2", 5_000_000, runs);
    }
}
