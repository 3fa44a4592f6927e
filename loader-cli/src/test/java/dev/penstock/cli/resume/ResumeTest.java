package dev.penstock.cli.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.cli.Cli;
import dev.penstock.cli.Console;
import dev.penstock.cli.resume.MortalTarget.Death;
import dev.penstock.cli.resume.MortalTarget.Moment;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.kv.server.ServeOptions;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.RejectLimit;
import dev.penstock.loader.RejectLimits;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.DuplicatePolicy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;

/**
 * Loads whose loader dies again and again, each time within a copy of the store as a killed process
 * leaves it, against the same load in one go: the same report, the same rejects, the same bytes.
 */
final class ResumeTest {
    private static final long SEED = 20_261_123;
    private static final int ROWS = 6_000;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final TableSchema KEYED =
            Ddl.parseCreateTable(
                    "CREATE TABLE orders (id BIGINT NOT NULL, state VARCHAR(20), note"
                            + " VARCHAR(60), price DECIMAL(9,2), PRIMARY KEY (id))");
    private static final TableSchema KEYLESS =
            Ddl.parseCreateTable(
                    "CREATE TABLE orders (id BIGINT NOT NULL, state VARCHAR(20), note"
                            + " VARCHAR(60), price DECIMAL(9,2))");

    /** How the input is written, and how the work is done. */
    enum Way {
        PLAIN,
        QUOTED,
        GZIP,
        RAW,
        SEQUENTIAL,
        KEYLESS
    }

    @TempDir private Path folder;

    private Path input(Way way) {
        SplittableRandom random = new SplittableRandom(SEED);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            boolean bad = random.nextInt(100) == 0;
            String note = "note " + random.nextInt(1 << 30) + " of " + random.nextInt(1 << 30);
            text.append(Integer.reverse(i) >>> 1).append('|');
            text.append(random.nextInt(3) == 0 ? "open" : "closed").append('|');
            text.append(way == Way.QUOTED ? "\"" + note + "\nnext line\"" : note).append('|');
            text.append(bad ? "dear" : random.nextInt(100_000) + ".25").append('\n');
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve(way == Way.GZIP ? "orders.tbl.gz" : "orders.tbl");
        try (OutputStream out =
                way == Way.GZIP
                        ? new GZIPOutputStream(Files.newOutputStream(file))
                        : Files.newOutputStream(file)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    private LoadSpecBuilder spec(Way way, Path file) {
        LoadSpecBuilder spec =
                LoadSpec.builder("orders")
                        .from(file.toString())
                        .schema(way == Way.KEYLESS ? KEYLESS : KEYED)
                        .dialect(
                                DialectOptions.DEFAULT
                                        .withDelimiter('|')
                                        .withQuote(way == Way.QUOTED ? '"' : -1))
                        .regions(3)
                        .threads(1)
                        .chunkBytes(CHUNK_BYTES)
                        .maxRejects(RejectLimits.of(RejectLimit.ofCount(1_000)))
                        .rejectsFile(folder.resolve("rejects"))
                        .label("monday")
                        .resume(true);
        return switch (way) {
            case RAW -> spec.offload(OffloadPolicy.RAW);
            case SEQUENTIAL -> spec.offload(OffloadPolicy.SEQUENTIAL);
            case PLAIN, QUOTED, GZIP, KEYLESS -> spec;
        };
    }

    private static LoadReport run(Path store, LoadSpec spec) {
        try (Penstock penstock = Penstock.open(store)) {
            return BulkLoad.into(penstock.loadTarget(), "orders").spec(spec).build().run();
        }
    }

    /** Has the loader die; what a killed process would have left is in {@code next} then. */
    private static int die(Path store, Path next, LoadSpec spec, Moment moment, int count) {
        try (Penstock penstock = Penstock.open(store)) {
            MortalTarget target =
                    new MortalTarget(penstock, moment, count, () -> copy(store, next));
            assertThatThrownBy(() -> BulkLoad.into(target, "orders").spec(spec).build().run())
                    .isInstanceOf(Death.class);
            return target.recorded();
        }
    }

    /** The same, or the load comes to its end before that. */
    private static boolean survives(Path store, Path next, LoadSpec spec, Moment moment, int n) {
        try (Penstock penstock = Penstock.open(store)) {
            MortalTarget target = new MortalTarget(penstock, moment, n, () -> copy(store, next));
            BulkLoad.into(target, "orders").spec(spec).build().run();
            return true;
        } catch (Death e) {
            return false;
        }
    }

    /** Checkpoints come before what they speak of, as if all were copied at one instant. */
    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.sorted().toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything that does not depend on time. */
    private static Map<String, Object> facts(LoadReport report) {
        Map<String, Object> facts = new TreeMap<>();
        facts.put("rows", report.rowsLoaded());
        facts.put("rejected", report.rowsRejected());
        facts.put("duplicates", report.rowsDuplicate());
        facts.put("reasons", report.rejectsByReason());
        facts.put("read", report.bytesRead());
        facts.put("input", report.bytesInput());
        facts.put("stored", report.bytesStored());
        facts.put("chunks", report.chunks());
        facts.put("regions", report.regions());
        facts.put("imbalance", report.imbalance());
        facts.put("predicted", report.predictedImbalance());
        facts.put("bound", report.imbalanceBound());
        facts.put("cut", report.cut());
        facts.put(
                "columns",
                report.columns().stream()
                        .map(c -> List.of(c.name(), c.encoding(), c.distinct(), c.bytes()))
                        .toList());
        facts.put("digest", report.inputDigest());
        return facts;
    }

    /** Segments by region, the rejects, and that nothing else is left. */
    private List<String> left(Path store) throws IOException {
        List<String> left = new ArrayList<>();
        try (Stream<Path> files = Files.walk(store)) {
            for (Path file : files.sorted().toList()) {
                String name = String.valueOf(file.getFileName());
                if (name.endsWith(".seg")) {
                    left.add(file.getName(file.getNameCount() - 2) + " " + checksum(file));
                }
                Path parent = file.getParent();
                if (parent != null
                        && List.of("resume", "staging", "checkpoints")
                                .contains(String.valueOf(parent.getFileName()))) {
                    left.add("left over: " + store.relativize(file));
                }
            }
        }
        left.add("rejects " + checksum(folder.resolve("rejects")));
        left.add("reasons " + checksum(folder.resolve("rejects.reasons.csv")));
        return left;
    }

    private static String checksum(Path file) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(Files.readAllBytes(file));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void a_loader_that_dies_after_every_chunk_and_twice_comes_to_the_same_end(Way way)
            throws IOException {
        Path file = input(way);
        LoadSpec spec = spec(way, file).build();
        Path straight = folder.resolve("straight");
        LoadReport expected = run(straight, spec);
        List<String> expectedBytes = left(straight);
        assertThat(expected.chunks()).isGreaterThan(3);

        Path store = folder.resolve("store0");
        int runs = 0;
        boolean done = false;
        while (!done) {
            Path twice = folder.resolve("twice" + runs);
            // The first chunk of this attempt was sent and is lost, or half of it is.
            die(store, twice, spec, runs % 2 == 0 ? Moment.SENT : Moment.DURABLE, 1);
            runs++;
            store = folder.resolve("store" + runs);
            // One chunk is recorded; the next one is lost.
            done = survives(twice, store, spec, Moment.SENT, 2);
            if (done) {
                store = twice;
            }
        }
        assertThat(runs).isEqualTo((int) expected.chunks());
        LoadReport report = run(store, spec);
        assertThat(report.loadedBefore()).isTrue();
        assertThat(facts(report)).isEqualTo(facts(expected));
        assertThat(left(store)).isEqualTo(expectedBytes);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void threads_and_deaths_at_the_end_do_not_matter(Way way) throws IOException {
        Path file = input(way);
        LoadSpec spec = spec(way, file).threads(3).build();
        Path straight = folder.resolve("straight");
        LoadReport expected = run(straight, spec);
        List<String> expectedBytes = left(straight);

        Path first = folder.resolve("store1");
        Path second = folder.resolve("store2");
        Path third = folder.resolve("store3");
        Path fourth = folder.resolve("store4");
        int before = die(folder.resolve("store0"), first, spec, Moment.RECORDED, 4);
        int after = die(first, second, spec, Moment.MERGE, 1);
        assertThat(before + after)
                .as("chunks recorded twice at most one a thread, with their rejects")
                .isLessThanOrEqualTo(2 * ((int) expected.chunks() + 2));
        assertThat(die(second, third, spec, Moment.PUBLISH, 1)).isZero();
        assertThat(die(third, fourth, spec, Moment.PUBLISH, 1)).isZero();
        LoadReport report = run(fourth, spec);
        assertThat(report.loadedBefore()).isFalse();
        assertThat(facts(report)).isEqualTo(facts(expected));
        assertThat(left(fourth)).isEqualTo(expectedBytes);
        assertThat(run(fourth, spec).loadedBefore()).isTrue();
    }

    @Test
    void workers_that_are_lost_with_their_driver_do_not_matter() throws IOException {
        Path file = input(Way.PLAIN);
        LoadSpec spec = spec(Way.PLAIN, file).threads(2).workers(2).build();
        Path straight = folder.resolve("straight");
        LoadReport expected = run(straight, spec(Way.PLAIN, file).build());
        List<String> expectedBytes = left(straight);

        Path before = folder.resolve("before");
        Path store = folder.resolve("store");
        try (Penstock penstock = Penstock.open(before)) {
            MortalTarget target =
                    new MortalTarget(penstock, Moment.RECORDED, 3, () -> copy(before, store));
            assertThatThrownBy(() -> BulkLoad.into(target, "orders").spec(spec).build().run())
                    .hasMessageContaining("died");
        }
        LoadReport report = run(store, spec);
        assertThat(facts(report)).isEqualTo(facts(expected));
        assertThat(left(store)).isEqualTo(expectedBytes);
    }

    @Test
    void servers_that_restart_between_two_loaders_have_what_was_recorded() throws Exception {
        Path file = input(Way.PLAIN);
        LoadSpec spec = spec(Way.PLAIN, file).regions(4).build();
        LoadReport expected = run(folder.resolve("straight"), spec);

        String leader = "127.0.0.1:0";
        String member = "127.0.0.1:0";
        for (int run = 0; run < 3; run++) {
            try (RegionServerProcess first =
                            RegionServerProcess.start(folder.resolve("one"), leader, null);
                    RegionServerProcess second =
                            RegionServerProcess.start(
                                    folder.resolve("two"), member, first.address())) {
                leader = first.address();
                member = second.address();
                second.joined().get();
                try (Penstock penstock = Penstock.connect(leader)) {
                    if (run < 2) {
                        stopAfterOneChunk(penstock, spec);
                    } else {
                        LoadReport report =
                                BulkLoad.into(penstock.loadTarget(), "orders")
                                        .spec(spec)
                                        .build()
                                        .run();
                        assertThat(report.servers()).hasSize(2);
                        assertThat(facts(report)).isEqualTo(facts(expected));
                        assertThat(penstock.status().runningLoads()).isEmpty();
                    }
                }
            }
        }
        assertThat(left(folder.resolve("one"))).noneMatch(line -> line.startsWith("left over"));
        assertThat(left(folder.resolve("two"))).noneMatch(line -> line.startsWith("left over"));
    }

    @Test
    void a_server_that_is_replaced_by_one_of_another_version_ends_no_load() throws Exception {
        Path file = input(Way.PLAIN);
        LoadSpec spec = spec(Way.PLAIN, file).regions(4).build();
        LoadReport expected = run(folder.resolve("straight"), spec);
        try (RegionServerProcess leader =
                        RegionServerProcess.start(folder.resolve("one"), "127.0.0.1:0", null);
                FrontDoor door = new FrontDoor()) {
            RegionServerProcess member = member(door, leader);
            try (Penstock penstock = Penstock.connect(leader.address())) {
                Runnable replace =
                        () -> {
                            door.shut();
                            member.close();
                        };
                MortalTarget target = MortalTarget.observed(penstock, Moment.RECORDED, replace);
                BulkLoad load = BulkLoad.into(target, "orders").spec(spec).build();
                assertThatThrownBy(load::run)
                        .hasMessageStartingWith(
                                "server "
                                        + door.address()
                                        + " has become one of another version: "
                                        + FrontDoor.REFUSAL)
                        .hasMessageEndingWith(
                                "What has been loaded is kept: the same command goes on with it.");
                assertThat(target.recorded()).isPositive();
            } finally {
                member.close();
            }
            try (RegionServerProcess again = member(door, leader);
                    Penstock penstock = Penstock.connect(leader.address())) {
                assertThat(again.address()).isEqualTo(door.address());
                assertThat(penstock.status().runningLoads()).hasSize(1);
                BulkLoad load = BulkLoad.into(penstock.loadTarget(), "orders").spec(spec).build();
                assertThat(facts(load.run())).isEqualTo(facts(expected));
                assertThat(penstock.status().runningLoads()).isEmpty();
            }
        }
    }

    /** As of a server that this loader has not met before and that is of another version. */
    @Test
    void wrong_usage_ends_a_load_that_begins_and_none_that_has_recorded_something()
            throws IOException {
        LoadSpec spec = spec(Way.PLAIN, input(Way.PLAIN)).build();
        Runnable misuse =
                () -> {
                    throw PenstockException.usage("cannot talk to it");
                };
        try (Penstock penstock = Penstock.open(folder.resolve("store"))) {
            MortalTarget target = MortalTarget.observed(penstock, Moment.SENT, misuse);
            BulkLoad begun = BulkLoad.into(target, "orders").spec(spec).build();
            assertThatThrownBy(begun::run).hasMessage("cannot talk to it");
            assertThat(penstock.status().runningLoads()).isEmpty();

            for (int loader = 1; loader <= 2; loader++) {
                target = MortalTarget.observed(penstock, Moment.RECORDED, misuse);
                BulkLoad further = BulkLoad.into(target, "orders").spec(spec).build();
                assertThatThrownBy(further::run)
                        .as("loader %d", loader)
                        .hasMessageStartingWith("cannot talk to it")
                        .hasMessageContaining("is kept");
                assertThat(penstock.status().runningLoads()).hasSize(1);
            }
            BulkLoad last = BulkLoad.into(penstock.loadTarget(), "orders").spec(spec).build();
            assertThat(last.run().rowsLoaded()).isGreaterThan(5_000);
        }
    }

    private RegionServerProcess member(FrontDoor door, RegionServerProcess leader)
            throws Exception {
        RegionServerProcess member =
                RegionServerProcess.start(
                        ServeOptions.of(folder.resolve("two"), door.behind())
                                .withJoin(Optional.of(leader.address()))
                                .withAdvertise(Optional.of(door.address())));
        member.joined().get();
        door.open();
        return member;
    }

    private static void stopAfterOneChunk(Penstock penstock, LoadSpec spec) {
        BulkLoad[] load = new BulkLoad[1];
        MortalTarget target =
                MortalTarget.observed(penstock, Moment.RECORDED, () -> load[0].cancel());
        load[0] = BulkLoad.into(target, "orders").spec(spec).build();
        assertThatThrownBy(() -> load[0].run()).hasMessageContaining("is kept");
        assertThat(target.recorded()).isBetween(1, 2);
    }

    @Test
    void what_has_changed_is_refused_by_name() throws IOException {
        Path file = input(Way.PLAIN);
        Path store = folder.resolve("store");
        die(folder.resolve("store0"), store, spec(Way.PLAIN, file).build(), Moment.RECORDED, 3);

        refused(store, file, spec -> spec.chunkBytes(32 << 10), "--chunk-size", "65536 -> 32768");
        refused(store, file, spec -> spec.maxRejects(RejectLimits.NONE), "--max-rejects", "1000");
        refused(
                store,
                file,
                spec -> spec.duplicates(DuplicatePolicy.KEEP_FIRST),
                "--on-duplicate",
                "error -> keep-first");
        refused(
                store,
                file,
                spec -> spec.dialect(spec.dialect().withNullText("NULL")),
                "--null",
                "not given -> 'NULL'");
        refused(
                store,
                file,
                spec -> spec.columns(List.of("id", "note", "state", "price")),
                "--columns",
                "id,note,state,price");
        refused(store, file, spec -> spec.seed(1), "--seed", "-> 1");
        TableSchema other =
                Ddl.parseCreateTable(
                        "CREATE TABLE orders (id BIGINT NOT NULL, state VARCHAR(20), note"
                                + " VARCHAR(60), price DOUBLE, PRIMARY KEY (id))");
        refused(
                store,
                file,
                spec -> spec.schema(other),
                "column 4",
                "DECIMAL(9,2) -> price DOUBLE");
        Path more = Files.copy(file, folder.resolve("more.tbl"));
        refused(store, file, spec -> spec.from(more.toString()), "number of inputs", "1 -> 2");

        FileTime before = Files.getLastModifiedTime(file);
        Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() - 5_000));
        refused(store, file, spec -> spec, "time of change", "->");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, before);
        refused(store, file, spec -> spec, "content of the inputs", "->");
        bytes[bytes.length - 2] ^= 1;
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, before);
        refused(store, file, spec -> spec, "beginning or end of orders.tbl", "->");
        Files.write(
                file,
                "1|open|more|1.00\n".getBytes(StandardCharsets.UTF_8),
                java.nio.file.StandardOpenOption.APPEND);
        refused(store, file, spec -> spec, "size of orders.tbl", "bytes ->");
        Path elsewhere = Files.copy(file, folder.resolve("other.tbl"));
        refused(store, elsewhere, spec -> spec, "name of input 1", "orders.tbl -> other.tbl");
    }

    private void refused(
            Path store,
            Path file,
            UnaryOperator<LoadSpecBuilder> change,
            String what,
            String difference) {
        LoadSpec changed = change.apply(spec(Way.PLAIN, file)).build();
        assertThatThrownBy(() -> run(store, changed))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("cannot go on")
                .hasMessageContaining(what)
                .hasMessageContaining(difference);
    }

    @Test
    void without_resume_the_label_begins_anew_and_nothing_is_left() throws IOException {
        Path file = input(Way.PLAIN);
        Path store = folder.resolve("store");
        LoadSpec spec = spec(Way.PLAIN, file).build();
        die(folder.resolve("store0"), store, spec, Moment.RECORDED, 3);
        Path copy = folder.resolve("copy");
        copy(store, copy);
        LoadReport report = run(store, spec(Way.PLAIN, file).resume(false).build());
        assertThat(report.loadedBefore()).isFalse();
        List<String> bytes = left(store);
        assertThat(bytes).noneMatch(line -> line.startsWith("left over"));
        assertThat(run(store, spec).loadedBefore()).isTrue();

        assertThat(cli(copy, "loads", "orders"))
                .contains("'monday', waits to be resumed")
                .containsPattern(
                        ", begun \\d+ s ago \\(20[-0-9]+T[0-9:]+Z\\), [\\d.]+ kB on the servers");
        assertThat(cli(copy, "loads", "orders", "--json"))
                .contains("\"resumable\":true,\"waiting\":true")
                .containsPattern("\"begun\":\"20[-0-9]+T[0-9:]+Z\",\"staged_bytes\":\\d{5,6}}");
        assertThat(cli(copy, "loads", "orders", "--abort", "monday", "--json"))
                .contains("\"aborted\":");
        assertThat(left(copy)).noneMatch(line -> line.startsWith("left over"));
        assertThat(cli(copy, "table", "list")).doesNotContain("orders");
    }

    private static String cli(Path store, String... words) {
        List<String> args = new ArrayList<>(List.of(words));
        args.addAll(List.of("--store", store.toString()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Console console =
                new Console(
                        out,
                        new PrintStream(OutputStream.nullOutputStream()),
                        InputStream.nullInputStream(),
                        false);
        assertThat(Cli.run(console, args.toArray(String[]::new))).isZero();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void bad_data_ends_the_load_and_nothing_is_left() throws IOException {
        Path file = input(Way.PLAIN);
        Path store = folder.resolve("store");
        LoadSpec spec =
                spec(Way.PLAIN, file).maxRejects(RejectLimits.of(RejectLimit.ofCount(20))).build();
        assertThatThrownBy(() -> run(store, spec)).hasMessageContaining("orders.tbl");
        assertThat(left(store)).noneMatch(line -> line.startsWith("left over"));
    }

    @Test
    void a_cancelled_load_keeps_what_it_has_and_goes_on() throws IOException {
        Path file = input(Way.PLAIN);
        Path store = folder.resolve("store");
        LoadSpec spec = spec(Way.PLAIN, file).build();
        for (int i = 0; i < 2; i++) {
            try (Penstock penstock = Penstock.open(store)) {
                stopAfterOneChunk(penstock, spec);
            }
        }
        assertThat(run(store, spec).rowsLoaded()).isGreaterThan(5_000);
        assertThat(left(store)).noneMatch(line -> line.startsWith("left over"));
    }

    @Test
    void what_cannot_be_read_twice_cannot_be_resumed() {
        LoadSpec spec = spec(Way.PLAIN, Path.of("-")).build();
        try (Penstock penstock = Penstock.open(folder.resolve("store"))) {
            BulkLoad load =
                    BulkLoad.into(penstock.loadTarget(), "orders")
                            .spec(spec)
                            .standardInput(new ByteArrayInputStream(new byte[0]))
                            .build();
            assertThatThrownBy(load::run)
                    .hasMessage(
                            "Standard input cannot be read a second time, so a load of it cannot"
                                    + " be resumed; load from files, or leave out --resume.");
        }
    }

    @Test
    void resuming_needs_a_label() {
        LoadSpecBuilder spec = LoadSpec.builder("orders").from("x").resume(true);
        assertThatThrownBy(spec::build).hasMessageContaining("--resume needs a --label");
    }
}
