package dev.penstock.loader;

import static dev.penstock.loader.fake.Orders.records;
import static dev.penstock.loader.fake.Orders.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.fake.FolderTarget;
import dev.penstock.loader.fake.Orders;
import dev.penstock.loader.fake.TestTables;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

class BulkLoadTest {
    private static final int ROWS = 20_000;

    @TempDir Path folder;
    private FolderTarget target;

    @BeforeEach
    void openTarget() {
        target = new FolderTarget(folder.resolve("store"), 2);
    }

    private Path write(String name, List<String> lines) {
        return Orders.write(folder.resolve(name), lines);
    }

    private Path write(String name, String text) {
        return Orders.write(folder.resolve(name), text);
    }

    private LoadReport run(LoadSpecBuilder spec) {
        return BulkLoad.into(target, "orders").spec(spec.build()).run();
    }

    private List<String> sorted(List<String> records) {
        return records.stream()
                .sorted(java.util.Comparator.comparingLong(r -> Long.parseLong(r.split("\\|")[0])))
                .map(record -> record.replace('|', ','))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(OffloadPolicy.class)
    void everyPolicyDeliversTheSameRows(OffloadPolicy policy) {
        List<String> records = records(ROWS, 1);
        LoadReport report =
                run(spec(write("orders.csv", records)).offload(policy).chunkBytes(64 << 10));
        assertThat(target.rows("orders")).isEqualTo(sorted(records));
        assertThat(report.rowsLoaded()).isEqualTo(ROWS);
        assertThat(report.regions()).isEqualTo(4);
        assertThat(report.imbalance()).isLessThan(1.05);
        assertThat(report.policy()).isEqualTo(policy.word());
        assertThat(report.chunks()).isGreaterThan(10);
        assertThat(target.openLoads("orders")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FragmentForm.class)
    void everyCutDeliversTheSameRows(FragmentForm cut) {
        List<String> records = records(ROWS, 2);
        OffloadPolicy policy = cut == FragmentForm.RAW ? OffloadPolicy.RAW : OffloadPolicy.ALL;
        LoadReport report =
                run(
                        spec(write("orders.csv", records))
                                .offload(policy)
                                .cut(cut)
                                .chunkBytes(256 << 10));
        assertThat(target.rows("orders")).isEqualTo(sorted(records));
        assertThat(report.cut()).isEqualToIgnoringCase(cut.name());
    }

    @ParameterizedTest
    @CsvSource({"1,1024", "1,65536", "2,5000", "3,100000", "7,1023000"})
    void threadsAndChunkSizesDoNotMatter(int threads, long chunkBytes) {
        List<String> records = records(5_000, 3);
        Path input = write("orders.tbl", records);
        run(spec(input).threads(threads).chunkBytes(chunkBytes));
        assertThat(target.rows("orders")).isEqualTo(sorted(records));
    }

    @Test
    void quotedFieldsWithLineEndsSurviveAnyCutting() {
        List<String> records = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            records.add(i + ",open,1.00,2024-01-01,\"one\n" + i + ",\"\"two\"\"\r\n\"");
            expected.add(i + ",open,1.00,2024-01-01,\"one<LF>" + i + ",\"\"two\"\"<CR><LF>\"");
        }
        Path input = write("orders.csv", records);
        run(spec(input).dialect(DialectOptions.DEFAULT).chunkBytes(2000).threads(3));
        assertThat(target.rows("orders")).isEqualTo(expected);
    }

    @Test
    void compressedFilesAndSeveralInputsAreReadInOrder() throws IOException {
        List<String> records = records(6_000, 4);
        Path first = write("a.csv", records.subList(0, 2_000));
        Path second = folder.resolve("b.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(second))) {
            out.write(
                    (String.join("\n", records.subList(2_000, 4_000)))
                            .getBytes(StandardCharsets.UTF_8));
        }
        Path third = folder.resolve("c.csv.zst");
        try (OutputStream out =
                new com.github.luben.zstd.ZstdOutputStream(Files.newOutputStream(third))) {
            out.write(
                    (String.join("\n", records.subList(4_000, 6_000)) + "\n")
                            .getBytes(StandardCharsets.UTF_8));
        }
        LoadReport report = run(spec(first, second, third).chunkBytes(8_000));
        assertThat(target.rows("orders")).isEqualTo(sorted(records));
        assertThat(report.bytesInput())
                .isEqualTo(Files.size(first) + Files.size(second) + Files.size(third));
    }

    @Test
    void aDamagedCompressedFileIsNamed() throws IOException {
        Path input = folder.resolve("x.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(input))) {
            out.write(String.join("\n", records(5_000, 4)).getBytes(StandardCharsets.UTF_8));
        }
        byte[] bytes = Files.readAllBytes(input);
        Files.write(input, java.util.Arrays.copyOf(bytes, bytes.length - 100));
        assertThatThrownBy(() -> run(spec(input)))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("x.csv.gz")
                .hasMessageContaining("cut off");
        assertThat(target.rows("orders")).isEmpty();
    }

    @Test
    void standardInputIsSampledAndLoaded() {
        List<String> records = records(ROWS, 5);
        byte[] text = String.join("\n", records).getBytes(StandardCharsets.UTF_8);
        LoadReport report =
                BulkLoad.into(target, "orders")
                        .standardInput(new ByteArrayInputStream(text))
                        .spec(spec().from("-").chunkBytes(10_000).build())
                        .run();
        assertThat(target.rows("orders")).isEqualTo(sorted(records));
        assertThat(report.imbalance()).isLessThan(1.1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theFirstRejectInInputOrderEndsTheLoadAndIsExplained(boolean pipe) {
        List<String> records = records(10_000, 6);
        records.set(4_000, "17|open|1.00|2023-02-29|a leap of faith");
        records.set(7_000, "18|open|expensive|2023-02-28|");
        Path input = write("orders.csv", records);
        LoadSpec spec =
                (pipe ? spec().from("-") : spec(input)).chunkBytes(5_000).threads(3).build();
        byte[] text = String.join("\n", records).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() ->
                        BulkLoad.into(target, "orders")
                                .standardInput(new ByteArrayInputStream(text))
                                .spec(spec)
                                .run())
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.DATA))
                .hasMessageContaining(pipe ? "standard input" : "orders.csv")
                .hasMessageContaining("line 4001 ")
                .hasMessageContaining("column day")
                .hasMessageContaining("'2023-02-29'")
                .hasMessageContaining("expected")
                .hasMessageContaining("a leap of faith")
                .hasMessageContaining("--max-rejects");
        assertThat(target.rows("orders")).isEmpty();
        assertThat(target.openLoads("orders")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"select,false", "raw,false", "sequential,false", "select,true"})
    void theRejectsFileHoldsTheBadRecordsInInputOrder(String policy, boolean pipe)
            throws IOException {
        List<String> records = records(10_000, 7);
        List<String> bad = new ArrayList<>();
        for (int i = 500; i < 10_000; i += 1_000) {
            String record =
                    i % 2_000 == 500 ? i + "|open|dear|2024-01-01|bad " + i : "x|open|||bad " + i;
            records.set(i, record);
            bad.add(record);
        }
        Path rejects = folder.resolve("bad.csv");
        String text = String.join("\n", records) + "\n";
        Path input = write("orders.csv", text);
        LoadReport report =
                BulkLoad.into(target, "orders")
                        .standardInput(
                                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))
                        .spec(
                                (pipe ? spec().from("-") : spec(input))
                                        .offload(OffloadPolicy.parse(policy))
                                        .maxRejects(RejectLimit.ofCount(10))
                                        .rejectsFile(rejects)
                                        .chunkBytes(20_000)
                                        .threads(3)
                                        .build())
                        .run();
        assertThat(report.rowsRejected()).isEqualTo(10);
        assertThat(report.rowsLoaded()).isEqualTo(9_990);
        assertThat(report.exitStatus()).isEqualTo(3);
        assertThat(report.rejectsByReason()).containsEntry("bad_value", 10L);
        assertThat(Files.readAllLines(rejects)).isEqualTo(bad);
        List<String> sides = Files.readAllLines(folder.resolve("bad.csv.reasons.csv"));
        assertThat(sides).hasSize(11);
        assertThat(sides.get(0))
                .startsWith("file,line,byte_offset,column,value,class,reason,expected,fix,");
        assertThat(sides.get(1)).contains(",501,").contains(",price,dear,type,bad_value,");
        assertThat(sides.get(1)).endsWith(",0," + bad.get(0).length());
        assertThat(sides.get(10)).contains(",9501,");
    }

    @Test
    void tooManyRejectsForTheLimitEndTheLoad() {
        List<String> records = records(1_000, 8);
        for (int i = 0; i < 100; i++) {
            records.set(i * 10 + 5, "bad|open|||");
        }
        Path input = write("orders.csv", records);
        LoadSpecBuilder spec = spec(input);
        assertThatThrownBy(() -> run(spec.maxRejects(RejectLimit.parse("99"))))
                .hasMessageContaining("the limit is 99")
                .hasMessageContaining("line 6 ");
        assertThatThrownBy(() -> run(spec.maxRejects(RejectLimit.parse("9.9%"))))
                .hasMessageContaining("the limit is 9.9%");
        assertThat(run(spec.maxRejects(RejectLimit.parse("10%"))).rowsRejected()).isEqualTo(100);
    }

    @Test
    void aHeaderMapsFieldsToColumnsAndIsRepeatedInTheRejectsFile() throws IOException {
        Path first = write("a.csv", "note,ID,day\nhello,1,2024-01-01\nhi,bad,2024-01-01\n");
        Path second = write("b.csv", "note,ID,day\r\nbye,2,2024-01-02");
        Path rejects = folder.resolve("bad.csv");
        LoadReport report =
                run(
                        spec(first, second)
                                .dialect(DialectOptions.DEFAULT.withHeader(true))
                                .maxRejects(RejectLimit.ofCount(5))
                                .rejectsFile(rejects)
                                .regions(1));
        assertThat(target.rows("orders"))
                .containsExactly("1,,,2024-01-01,hello", "2,,,2024-01-02,bye");
        assertThat(report.rowsRejected()).isEqualTo(1);
        assertThat(report.bytesInput()).isEqualTo(Files.size(first) + Files.size(second));
        assertThat(Files.readString(rejects)).isEqualTo("note,ID,day\nhi,bad,2024-01-01\n");
        assertThat(Files.readAllLines(folder.resolve("bad.csv.reasons.csv")).get(1))
                .contains("a.csv,3,");
    }

    @Test
    void theRejectsFileHasTheHeaderWithoutWhatIsBeforeIt() throws IOException {
        Path rejects = folder.resolve("bad.csv");
        String text =
                "\n# by,\"x\nstate,id,price,day\nopen,one,1,2024-01-01\nopen,2,1,2024-01-01\n";
        LoadReport report =
                run(
                        spec(write("orders.csv", text))
                                .dialect(DialectOptions.DEFAULT.withComment('#').withHeader(true))
                                .maxRejects(RejectLimit.ofCount(5))
                                .rejectsFile(rejects));
        assertThat(report.rowsLoaded()).isEqualTo(1);
        assertThat(Files.readString(rejects))
                .isEqualTo("state,id,price,day\nopen,one,1,2024-01-01\n");
        assertThat(Files.readString(folder.resolve("bad.csv.reasons.csv"))).contains(",4,");
    }

    @Test
    void headersThatDifferAreRefused() {
        Path first = write("a.csv", "id,note\n1,x\n");
        Path second = write("b.csv", "note,id\nx,2\n");
        assertThatThrownBy(() ->
                        run(spec(first, second).dialect(DialectOptions.DEFAULT.withHeader(true))))
                .hasMessageContaining("b.csv")
                .hasMessageContaining("differs");
    }

    @Test
    void duplicatesFollowThePolicyInInputOrder() {
        Path first = write("a.csv", "1|a||2024-01-01|first\n2|a||2024-01-01|only\n");
        Path second = write("b.csv", "1|b||2024-01-01|second\n1|b||2024-01-01|third\n");
        LoadSpecBuilder spec = spec(first, second).regions(1);
        LoadReport last = run(spec.duplicates(DuplicatePolicy.KEEP_LAST));
        assertThat(last.rowsDuplicate()).isEqualTo(2);
        assertThat(target.rows("orders").get(0)).endsWith("third");
        run(spec.duplicates(DuplicatePolicy.KEEP_FIRST));
        assertThat(target.rows("orders").get(0)).endsWith("first");
        run(spec.duplicates(DuplicatePolicy.KEEP_LAST).cut(FragmentForm.MERGED));
        assertThat(target.rows("orders").get(0)).endsWith("third");
        assertThatThrownBy(() -> run(spec.duplicates(DuplicatePolicy.ERROR)))
                .isInstanceOf(PenstockException.class);
        assertThat(target.openLoads("orders")).isEmpty();
    }

    @Test
    void aTableWithoutKeyIsSpreadOverRegionsByChunk() {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            records.add("town " + i % 100 + "|" + i);
        }
        Path input = write("events.tbl", records);
        LoadReport report =
                BulkLoad.into(target, "events")
                        .spec(
                                LoadSpec.builder("events")
                                        .schema(TestTables.EVENTS)
                                        .from(input.toString())
                                        .regions(4)
                                        .threads(3)
                                        .build())
                        .run();
        assertThat(target.rows("events"))
                .isEqualTo(records.stream().map(record -> record.replace('|', ',')).toList());
        assertThat(report.regions()).isEqualTo(4);
        assertThat(report.imbalance()).isLessThan(1.2);
    }

    @Test
    void aDryRunSendsAndCreatesNothing() {
        List<String> records = records(ROWS, 9);
        LoadReport report =
                run(spec(write("orders.csv", records)).threads(2).workers(2).dryRun(true));
        assertThat(report.rowsLoaded()).isEqualTo(ROWS);
        assertThat(report.workers()).as("processes, of which there were none").isZero();
        assertThat(report.bytesSent()).isPositive();
        assertThat(report.regions()).isEqualTo(4);
        assertThat(report.imbalance()).isLessThan(1.05);
        assertThat(report.epoch()).isEqualTo(-1);
        assertThat(target.table("orders")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(OffloadPolicy.class)
    void aDryRunOfEveryPolicyFindsTheBadRecords(OffloadPolicy policy) {
        List<String> records = records(1_000, 9);
        records.set(700, "12|open|1.00|2023-02-30|no such day");
        LoadReport report =
                run(
                        spec(write("orders.csv", records))
                                .offload(policy)
                                .dryRun(true)
                                .maxRejects(RejectLimit.ofCount(10)));
        assertThat(report.rowsLoaded()).isEqualTo(999);
        assertThat(report.rowsRejected()).isEqualTo(1);
        assertThat(report.policy()).isEqualTo(policy.word());
        assertThat(report.bytesSent()).isPositive();
    }

    @Test
    void selectSendsNoMoreThanAnyOtherPolicy() {
        List<String> records = records(60_000, 10);
        Path input = write("orders.csv", records);
        long select = run(spec(input).offload(OffloadPolicy.SELECT).regions(1)).bytesSent();
        long all = run(spec(input).offload(OffloadPolicy.ALL).regions(1)).bytesSent();
        long none = run(spec(input).offload(OffloadPolicy.NONE).regions(1)).bytesSent();
        assertThat(select).isLessThanOrEqualTo((long) (all * 1.01)).isLessThan(none);
    }

    @Test
    void reportsAndPlansSurviveJson() {
        Path input = write("orders.csv", records(1_000, 13));
        LoadReport report = run(spec(input).label("monday"));
        assertThat(LoadReport.fromJson(report.json())).isEqualTo(report);
        assertThat(report.json())
                .contains("\"rows_loaded\":1000", "\"label\":\"monday\"", "\"mb_per_second\"")
                .contains("\"cpu_seconds_loader\"", "\"cpu_seconds_server\"", "\"bytes_stored\"")
                .contains("\"rows_rejected\":0", "\"imbalance\"", "\"columns\":[{\"name\":\"id\"");
        assertThat(report.text()).contains("Loaded 1,000 rows into orders as 'monday'");
        LoadPlan plan = BulkLoad.planFor(TestTables.ORDERS).spec(spec(input).build()).plan();
        assertThat(LoadPlan.fromJson(plan.json())).isEqualTo(plan);
        assertThat(plan.text()).contains("orders.csv", "split at", "delimiter '|'");
        assertThat(plan.splitPoints()).hasSize(3);
    }
}
