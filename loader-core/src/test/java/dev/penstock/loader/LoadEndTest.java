package dev.penstock.loader;

import static dev.penstock.loader.fake.Orders.records;
import static dev.penstock.loader.fake.Orders.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.fake.FolderTarget;
import dev.penstock.loader.fake.Orders;
import dev.penstock.loader.fake.TestTables;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.LocalFile;
import dev.penstock.schema.Column;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.StepTimes;
import dev.penstock.target.AckListener;
import dev.penstock.target.ForwardingLoadTarget;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;
import dev.penstock.target.RegionReceipt;
import dev.penstock.target.UnfinishedLoad;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** How loads end that do not come to their end, and what they say. */
class LoadEndTest {
    @TempDir Path folder;
    private FolderTarget target;

    @BeforeEach
    void openTarget() {
        target = new FolderTarget(folder.resolve("store"), 2);
    }

    private Path write(String name, List<String> lines) {
        return Orders.write(folder.resolve(name), lines);
    }

    @Test
    void aCancelledLoadLeavesNothing() {
        Path input = write("orders.csv", records(20_000, 11));
        BulkLoad[] load = new BulkLoad[1];
        load[0] =
                BulkLoad.into(target, "orders")
                        .spec(spec(input).chunkBytes(2_000).build())
                        .listener(progress -> {
                            if (progress.phase() == LoadPhase.LOAD) {
                                load[0].cancel();
                            }
                        })
                        .build();
        assertThatThrownBy(() -> load[0].run()).hasMessageContaining("cancelled");
        assertThat(load[0].begun()).isTrue();
        assertThat(target.rows("orders")).isEmpty();
        assertThat(target.openLoads("orders")).isEmpty();
    }

    @Test
    void aLoadThatIsCancelledBeforeItsPlanHasNotBegun() {
        BulkLoad load =
                BulkLoad.into(target, "orders")
                        .spec(spec(write("orders.csv", records(20, 11))).build())
                        .build();
        load.cancel();
        assertThatThrownBy(load::run).hasMessageContaining("cancelled");
        assertThat(load.begun()).isFalse();
    }

    @Test
    void aCancelledLoadSaysIfItsRejectsCannotBeWritten() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "skipped: there is no /dev/full");
        Path input = write("orders.csv", List.of("id|note", "1|one", "2|two"));
        BulkLoad[] load = new BulkLoad[1];
        load[0] =
                BulkLoad.into(target, "orders")
                        .spec(
                                spec(input)
                                        .dialect(
                                                DialectOptions.DEFAULT
                                                        .withDelimiter('|')
                                                        .withHeader(true))
                                        .rejectsFile(full)
                                        .build())
                        .listener(progress -> {
                            if (progress.phase() == LoadPhase.LOAD) {
                                load[0].cancel();
                            }
                        })
                        .build();
        String note = "The rejects file /dev/full could not be written: No space left on device.";
        assertThatThrownBy(() -> load[0].run())
                .hasMessage("The load was cancelled; nothing of it is visible.\n" + note);
        assertThat(load[0].rejectsNote()).isEqualTo(note);
    }

    /** A load of two records, one of them bad, that is cancelled when something happens. */
    private BulkLoad cancelled(Path input, Path rejects, Function<BulkLoad[], LocalDisk> disk) {
        BulkLoad[] load = new BulkLoad[1];
        load[0] =
                BulkLoad.into(target, "orders")
                        .spec(
                                spec(input)
                                        .maxRejects(RejectLimit.parse("5"))
                                        .rejectsFile(rejects)
                                        .build())
                        .disk(disk.apply(load))
                        .build();
        return load[0];
    }

    /** Cancels a load when its file of reasons is begun. */
    private static LocalDisk cancelling(BulkLoad[] load) {
        return new LocalDisk() {
            @Override
            public LocalFile create(Path file) throws IOException {
                if (file.toString().contains(".reasons.csv")) {
                    load[0].cancel();
                }
                return SYSTEM.create(file);
            }

            @Override
            public LocalFile createTemporary(Path folder, String prefix, String suffix)
                    throws IOException {
                return SYSTEM.createTemporary(folder, prefix, suffix);
            }
        };
    }

    @Test
    void aLoadThatIsCancelledWhileItsRejectsAreWrittenIsNotPublished() throws Exception {
        List<String> records = records(1_000, 12);
        records.set(500, "x|open|||bad");
        Path input = write("orders.csv", records);
        Path rejects = folder.resolve("bad.csv");
        target.createTable(TestTables.ORDERS);

        assertThatThrownBy(() -> cancelled(input, rejects, LoadEndTest::cancelling).run())
                .hasMessage("The load was cancelled; nothing of it is visible.");
        assertThat(target.rows("orders")).isEmpty();
        assertThat(target.openLoads("orders")).isEmpty();
        assertThat(rejects).content().isEqualTo("x|open|||bad\n");
        assertThat(RejectedLoad.beside(rejects).outcome()).isEqualTo(RejectedLoad.Outcome.FAILED);

        // The rejects of a load that was published are all that is left of their records.
        cancelled(input, rejects, load -> LocalDisk.SYSTEM).run();
        records.set(500, "y|open|||bad");
        write("orders.csv", records);
        assertThatThrownBy(() -> cancelled(input, rejects, LoadEndTest::cancelling).run())
                .hasMessageStartingWith("The load was cancelled; nothing of it is visible.\nIts");
        assertThat(target.rows("orders")).hasSize(999);
        assertThat(rejects).content().isEqualTo("x|open|||bad\n");
        assertThat(RejectedLoad.beside(rejects).outcome()).isEqualTo(RejectedLoad.Outcome.LOADED);
    }

    /** To find lines an input is read again, for which nobody waits any more. */
    @Test
    void aLoadThatIsCancelledWhileItsFailureIsExplainedWritesItsRejectsWithoutLines()
            throws Exception {
        List<String> records = records(1_000, 12);
        List<String> bad = new ArrayList<>();
        for (int i = 100; i < 110; i++) {
            records.set(i, "x|open|||bad" + i);
            bad.add(records.get(i));
        }
        Path rejects = folder.resolve("bad.csv");
        BulkLoad load = cancelled(write("orders.csv", records), rejects, LoadEndTest::cancelling);
        assertThatThrownBy(load::run).hasMessageContaining("line 101");
        assertThat(target.openLoads("orders")).isEmpty();
        assertThat(Files.readAllLines(rejects)).isEqualTo(bad);
        List<String> reasons = Files.readAllLines(folder.resolve("bad.csv.reasons.csv"));
        assertThat(reasons).hasSize(11);
        assertThat(reasons.subList(1, 11)).noneMatch(reason -> reason.contains(",101,"));
        assertThat(load.inDoubt()).isFalse();
    }

    /** A later load with other columns would be refused, because of a table that nobody filled. */
    @Test
    void aTableThatWasMadeForALoadGoesIfTheLoadCannotBegin() {
        List<LoadRequest> begun = new ArrayList<>();
        List<String> ended = new ArrayList<>();
        LoadTarget lost =
                new ForwardingLoadTarget(
                        target(
                                Map.of(
                                        "abort",
                                        arguments -> {
                                            ended.add("aborted");
                                            return null;
                                        }))) {
                    @Override
                    public RegionMap preSplit(String table, List<byte[]> points) {
                        throw new PenstockException(ErrorCategory.IO, "A server is lost.");
                    }

                    @Override
                    public LoadSession begin(LoadRequest request, AckListener listener) {
                        begun.add(request);
                        return super.begin(request, listener);
                    }
                };
        BulkLoad load =
                BulkLoad.into(lost, "orders")
                        .spec(spec(write("orders.csv", records(1_000, 12))).build())
                        .build();
        assertThatThrownBy(load::run).hasMessage("A server is lost.");
        assertThat(begun).hasSize(1).allMatch(LoadRequest::createsTable);
        assertThat(ended).containsExactly("aborted");
    }

    /** One that can resume loads, and has none to be resumed. */
    private static class Resumable extends ForwardingLoadTarget {
        Resumable(LoadTarget target) {
            super(target);
        }

        @Override
        public boolean resumes() {
            return true;
        }

        @Override
        public Optional<UnfinishedLoad> unfinished(String table, String label) {
            return Optional.empty();
        }
    }

    /** The folder's sessions, some calls of which do something else. */
    private LoadTarget target(Map<String, UnaryOperator<@Nullable Object>> instead) {
        return new Resumable(target) {
            @Override
            public LoadSession begin(LoadRequest request, AckListener listener) {
                LoadSession session = super.begin(request, listener);
                return (LoadSession)
                        Proxy.newProxyInstance(
                                LoadSession.class.getClassLoader(),
                                new Class<?>[] {LoadSession.class},
                                (proxy, method, arguments) -> {
                                    UnaryOperator<@Nullable Object> other =
                                            instead.get(method.getName());
                                    return other == null
                                            ? method.invoke(session, arguments)
                                            : other.apply(arguments);
                                });
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTableThatAnotherOneReplacesBeforeTheLoadBeginsTakesNothing(boolean resumable) {
        Path input = write("orders.csv", records(1_000, 12));
        target.createTable(TestTables.ORDERS);
        List<Column> turned = TestTables.ORDERS.columns().reversed();
        TableSchema other =
                TableSchema.declare(
                        "orders", turned, List.of(new KeyColumn(turned.size() - 1, false)));
        LoadTarget replaced =
                new Resumable(target) {
                    private boolean begun;

                    @Override
                    public Optional<TableSchema> table(String name) {
                        return begun ? Optional.of(other) : super.table(name);
                    }

                    @Override
                    public LoadSession begin(LoadRequest request, AckListener listener) {
                        begun = true;
                        return super.begin(request, listener);
                    }
                };
        LoadSpecBuilder spec = spec(input);
        if (resumable) {
            spec.label("a").resume(true);
        }
        BulkLoad load = BulkLoad.into(replaced, "orders").spec(spec.build()).build();
        assertThatThrownBy(load::run)
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("table orders was dropped and made anew while this load")
                .hasMessageNotContaining("is kept");
        assertThat(target.rows("orders")).isEmpty();
        assertThat(target.openLoads("orders")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCategory.class,
            names = {"CONFLICT", "IO", "DATA", "RETRY"})
    void aLoadWhosePublishingFailedAfterACancellationDoesNotSayThatNothingIsVisible(
            ErrorCategory abort) {
        Path input = write("orders.csv", records(1_000, 12));
        target.createTable(TestTables.ORDERS);
        BulkLoad[] load = new BulkLoad[1];
        Map<String, UnaryOperator<@Nullable Object>> instead = new HashMap<>();
        instead.put(
                "publish",
                arguments -> {
                    load[0].cancel();
                    throw new PenstockException(
                            abort == ErrorCategory.RETRY ? abort : ErrorCategory.IO,
                            "The answer was lost.");
                });
        if (abort == ErrorCategory.CONFLICT || abort == ErrorCategory.IO) {
            instead.put(
                    "abort",
                    arguments -> {
                        throw new PenstockException(abort, "cannot be aborted");
                    });
        }
        load[0] = BulkLoad.into(target(instead), "orders").spec(spec(input).build()).build();
        String told =
                switch (abort) {
                    case CONFLICT -> " The load is published nevertheless: its rows are visible.";
                    case IO ->
                            " Nobody knows whether the load is published: look whether its rows are"
                                    + " visible before you load again. A load with a label is never"
                                    + " loaded twice.";
                    case RETRY -> " The load was aborted: none of its rows is visible.";
                    default -> "";
                };
        assertThatThrownBy(() -> load[0].run()).hasMessage("The answer was lost." + told);
        assertThat(load[0].inDoubt()).isEqualTo(instead.containsKey("abort"));
    }

    @Test
    void aPipeTakesTheRejectsOnceAlsoIfPublishingFailsAfterwards() throws Exception {
        List<String> records = records(1_000, 12);
        records.set(500, "x|open|||bad");
        Path input = write("orders.csv", records);
        target.createTable(TestTables.ORDERS);
        Map<String, UnaryOperator<@Nullable Object>> instead = new HashMap<>();
        instead.put(
                "publish",
                arguments -> {
                    throw new PenstockException(ErrorCategory.IO, "The leader's disk is full.");
                });
        Path out = folder.resolve("out.csv");
        Process cat = new ProcessBuilder("cat").redirectOutput(out.toFile()).start();
        try {
            Path pipe = Path.of("/proc", Long.toString(cat.pid()), "fd", "0");
            assumeTrue(Files.isWritable(pipe), "skipped: there is no /proc");
            LoadSpecBuilder spec = spec(input).maxRejects(RejectLimit.ofCount(1)).rejectsFile(pipe);
            BulkLoad load = BulkLoad.into(target(instead), "orders").spec(spec.build()).build();
            assertThatThrownBy(load::run).hasMessage("The leader's disk is full.");
        } finally {
            cat.getOutputStream().close();
            cat.waitFor();
        }
        assertThat(Files.readAllLines(out)).containsExactly("x|open|||bad");
    }

    @Test
    void aResumableLoadWhoseSumsAreWrongIsAbortedAndNotKept() {
        Path input = write("orders.csv", records(1_000, 12));
        target.createTable(TestTables.ORDERS);
        List<String> ended = new ArrayList<>();
        Map<String, UnaryOperator<@Nullable Object>> instead = new HashMap<>();
        instead.put("settle", arguments -> null);
        instead.put("checkpoint", arguments -> null);
        instead.put(
                "suspend",
                arguments -> {
                    ended.add("suspended");
                    return null;
                });
        instead.put(
                "abort",
                arguments -> {
                    ended.add("aborted");
                    return null;
                });
        instead.put("finish", arguments -> receiptsWithoutSums());
        assertThatThrownBy(() ->
                        BulkLoad.into(target(instead), "orders")
                                .spec(spec(input).label("monday").resume(true).build())
                                .build()
                                .run())
                .hasMessageContaining("the load was aborted");
        assertThat(ended).containsExactly("aborted");
    }

    /** All rows are there, and nothing proves that they are the right ones. */
    private List<RegionReceipt> receiptsWithoutSums() {
        List<RegionReceipt> receipts = new ArrayList<>();
        for (RegionInfo region : target.regions("orders").regions()) {
            receipts.add(
                    new RegionReceipt(
                            region.regionId(),
                            region.server(),
                            receipts.isEmpty() ? 1_000 : 0,
                            0,
                            0,
                            0,
                            List.of(),
                            ColumnSums.NONE,
                            ColumnSums.NONE,
                            List.of(),
                            new StepTimes()));
        }
        return receipts;
    }

    @Test
    void aThrowingTargetEndsTheLoadWithItsOwnWords() {
        Path input = write("orders.csv", records(1_000, 12));
        target.createTable(TestTables.ORDERS);
        BulkLoad load =
                BulkLoad.into(target, "orders")
                        .spec(spec(input).build())
                        .listener(progress -> {
                            if (progress.phase() == LoadPhase.MERGE) {
                                throw PenstockException.conflict("the disk is full");
                            }
                        })
                        .build();
        assertThatThrownBy(load::run).hasMessage("the disk is full");
        assertThat(target.openLoads("orders")).isEmpty();
    }
}
