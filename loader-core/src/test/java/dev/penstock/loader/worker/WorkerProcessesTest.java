package dev.penstock.loader.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadPhase;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.RejectLimit;
import dev.penstock.loader.fake.FolderTarget;
import dev.penstock.loader.fake.TestTables;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/** Loads with real worker processes against a target in a folder that they share. */
class WorkerProcessesTest {
    @TempDir Path folder;
    private FolderTarget target;

    @BeforeEach
    void openTarget() {
        target = new FolderTarget(folder.resolve("store"));
    }

    private LoadSpecBuilder spec(List<String> records) {
        try {
            Path input = Files.write(folder.resolve("orders.csv"), records);
            return LoadSpec.builder("orders")
                    .schema(TestTables.ORDERS)
                    .from(input.toString())
                    .dialect(DialectOptions.DEFAULT)
                    .chunkBytes(20_000)
                    .regions(3)
                    .threads(3)
                    .workers(2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> records(int count) {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(
                    100_000 + i * 7919L % count + ",open,1.50,2024-01-01,\"note, no. " + i + "\"");
        }
        return records;
    }

    @Test
    void twoProcessesLoadWhatOneWould() {
        List<String> records = records(10_000);
        LoadReport report = BulkLoad.into(target, "orders").spec(spec(records).build()).run();
        assertThat(target.rows("orders")).isEqualTo(records.stream().sorted().toList());
        assertThat(report.workers()).isEqualTo(2);
        assertThat(report.rowsLoaded()).isEqualTo(10_000);
        assertThat(report.bytesRead()).isEqualTo(report.bytesInput());
        assertThat(report.cpuSecondsLoader()).isPositive();
        assertThat(report.chunks()).isGreaterThan(10);
    }

    /** Parts of a chunk, which end with a line, must not end within a quoted field. */
    @Test
    void lineEndsWithinQuotesStayWithinTheirRecord() {
        List<String> records = new ArrayList<>();
        String note = "17,open\n".repeat(11);
        for (int i = 0; i < 12_000; i++) {
            records.add(100_000 + i + ",open,1.50,2024-01-01,\"" + note + i + "\"");
        }
        LoadSpecBuilder spec = spec(records).chunkBytes(1 << 20);
        LoadReport report = BulkLoad.into(target, "orders").spec(spec.build()).run();
        assertThat(report.rowsLoaded()).isEqualTo(12_000);
        FolderTarget other = new FolderTarget(folder.resolve("other"));
        BulkLoad.into(other, "orders").spec(spec.workers(1).build()).run();
        assertThat(target.rows("orders")).isEqualTo(other.rows("orders")).hasSize(12_000);
    }

    @Test
    void rejectsOfWorkersReachTheRejectsFileInInputOrder() throws IOException {
        List<String> records = records(10_000);
        List<String> bad = new ArrayList<>();
        for (int i = 100; i < 10_000; i += 2_000) {
            bad.add("never,\u00fc,,2024-01-01,bad " + i);
            records.set(i, bad.get(bad.size() - 1));
        }
        Path rejects = folder.resolve("bad.csv");
        LoadReport report =
                BulkLoad.into(target, "orders")
                        .spec(
                                spec(records)
                                        .maxRejects(RejectLimit.parse("1%"))
                                        .rejectsFile(rejects)
                                        .offload(OffloadPolicy.NONE)
                                        .build())
                        .run();
        assertThat(report.rowsRejected()).isEqualTo(5);
        assertThat(Files.readAllLines(rejects)).isEqualTo(bad);
        assertThat(Files.readAllLines(folder.resolve("bad.csv.reasons.csv")).get(5))
                .contains(",8101,");
    }

    @Test
    void aWorkerThatDiesEndsTheLoadWithItsLastWords() {
        List<String> records = records(10_000);
        BulkLoad load =
                BulkLoad.into(target, "orders")
                        .spec(spec(records).build())
                        .listener(progress -> {
                            if (progress.phase() == LoadPhase.LOAD) {
                                dieIn(target.openLoads("orders").get(0));
                            }
                        })
                        .build();
        assertThatThrownBy(load::run)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("Worker process ")
                .hasMessageContaining("ended with status 7")
                .hasMessageContaining("the folder says: die");
        assertThat(target.rows("orders")).isEmpty();
        assertThat(target.openLoads("orders")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileThatIsChangedWhileWorkersStartIsNotLoaded(boolean replaced) throws IOException {
        Path other = folder.resolve("other.csv");
        LoadSpec spec = spec(records(10_000)).build();
        Path input = folder.resolve("orders.csv");
        Files.writeString(other, Files.readString(input).replace("open", "shut"));
        FileTime before = Files.getLastModifiedTime(input);
        Files.setLastModifiedTime(other, before);
        BulkLoad load =
                BulkLoad.into(target, "orders")
                        .spec(spec)
                        .listener(progress -> {
                            if (progress.phase() == LoadPhase.LOAD && Files.exists(other)) {
                                change(input, other, replaced);
                            }
                        })
                        .build();
        assertThatThrownBy(load::run)
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.DATA))
                .hasMessageContaining("orders.csv has changed since the load was planned")
                .hasMessageContaining(replaced ? "replaced by another file" : "was written to");
        assertThat(target.rows("orders")).isEmpty();
    }

    /** As {@code /dev/stdin} is, which in a worker is the pipe from the driver. */
    @Test
    void whatIsNoFileToAWorkerIsRefusedAndNotWaitedFor() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        LoadSpec spec = spec(records(10_000)).build();
        Path input = folder.resolve("orders.csv");
        BulkLoad load =
                BulkLoad.into(target, "orders")
                        .spec(spec)
                        .listener(progress -> {
                            if (progress.phase() == LoadPhase.LOAD && Files.exists(pipe)) {
                                change(input, pipe, true);
                            }
                        })
                        .build();
        assertThatThrownBy(load::run)
                .hasMessageContaining(input + " is no file that a worker process can read");
        assertThat(target.rows("orders")).isEmpty();
    }

    /**
     * Whoever cuts the text keeps as much of the line as shows that it is too long; so do these.
     */
    @Test
    void aLineThatIsLongerThanAWorkersMemoryIsRejected() throws IOException {
        List<String> records = records(3_000);
        records.set(1_000, "17,open,\"" + "x".repeat(80 << 20));
        LoadReport report =
                BulkLoad.into(target, "orders")
                        .spec(
                                spec(records)
                                        .maxRejects(RejectLimit.parse("1"))
                                        .rejectsFile(folder.resolve("bad.csv"))
                                        .build())
                        .run();
        assertThat(report.rowsRejected()).isEqualTo(1);
        assertThat(report.rowsLoaded()).isEqualTo(2_999);
        assertThat(Files.readAllLines(folder.resolve("bad.csv.reasons.csv")).get(1))
                .contains(",1001,");
    }

    private static void change(Path input, Path other, boolean replaced) {
        try {
            if (replaced) {
                Files.move(other, input, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.write(input, Files.readAllBytes(other));
                Files.setLastModifiedTime(input, FileTime.fromMillis(1_000));
                Files.delete(other);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void dieIn(String load) {
        try {
            Files.write(Path.of(load, "die"), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aRejectBeyondTheLimitIsExplainedAsInOneProcess() {
        List<String> records = records(10_000);
        records.set(5_000, "17,open,1.5,2023-02-30,x");
        assertThatThrownBy(() -> BulkLoad.into(target, "orders").spec(spec(records).build()).run())
                .hasMessageContaining("line 5001 ")
                .hasMessageContaining("2023-02-30");
        assertThat(target.openLoads("orders")).isEmpty();
    }

    @Test
    void standardInputIsRefused() {
        assertThatThrownBy(() ->
                        BulkLoad.into(target, "orders")
                                .spec(
                                        LoadSpec.builder("orders")
                                                .schema(TestTables.ORDERS)
                                                .from("-")
                                                .workers(2)
                                                .build())
                                .standardInput(InputStream.nullInputStream())
                                .run())
                .hasMessageContaining("standard input can only be read from its start");
    }
}
