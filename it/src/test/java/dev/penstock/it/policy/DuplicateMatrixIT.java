package dev.penstock.it.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.error.PenstockException;
import dev.penstock.it.policy.DuplicateInput.Outcome;
import dev.penstock.it.policy.DuplicateInput.Placement;
import dev.penstock.it.policy.DuplicateInput.Row;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.RejectLimit;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadTarget;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Equal keys at every place, in every share, under every policy: the table and the counts are those
 * of a plain map, with any number of threads, worker processes and regions, and however fragments
 * are cut. One cell in {@code penstock.duplicates.every} runs, all of them with {@code -Psoak}.
 */
final class DuplicateMatrixIT {
    private static final long SEED = Long.getLong("penstock.duplicates.seed", 20_261_122);
    private static final int SEEDS = Integer.getInteger("penstock.duplicates.seeds", 1);
    private static final int EVERY = Integer.getInteger("penstock.duplicates.every", 97);

    private static final double[] RATES = {0, 1e-4, 0.01, 0.5, 1};
    private static final int[] THREADS = {1, 2, 8};
    private static final int[] WORKERS = {2, 8};
    private static final int[] REGIONS = {1, 4, 32};
    private static final int ROWS = 1_200;
    private static final int MANY_ROWS = 10_000;

    /** Ways that fragments travel; the last leaves rows out at the loader. */
    private static final FragmentForm[] CUTS = {
        FragmentForm.ENCODED,
        FragmentForm.RAW,
        FragmentForm.TYPED,
        FragmentForm.SORTED,
        FragmentForm.MERGED
    };

    @TempDir private Path folder;

    private final Map<String, Set<String>> digests = new HashMap<>();
    private int cells;
    private int tables;

    /** One load; all but the input and the policy must not matter. */
    private record Cell(
            String input,
            DuplicatePolicy policy,
            int threads,
            int workers,
            int regions,
            int number) {
        OffloadPolicy offload() {
            boolean raw = CUTS[number % CUTS.length] == FragmentForm.RAW;
            boolean deferred = raw && number / CUTS.length % 2 == 1;
            return deferred
                    ? OffloadPolicy.SEQUENTIAL
                    : raw ? OffloadPolicy.RAW : OffloadPolicy.SELECT;
        }

        FragmentForm cut() {
            FragmentForm cut = CUTS[number % CUTS.length];
            boolean namesRows = policy.within() == DuplicatePolicy.Within.REJECT;
            return cut == FragmentForm.MERGED && namesRows ? FragmentForm.ENCODED : cut;
        }

        @Override
        public String toString() {
            return "%s, policy %s, %d threads, %d workers, %d regions, %s, %s"
                    .formatted(input, policy.word(), threads, workers, regions, offload(), cut());
        }
    }

    @Test
    void theAnswerIsThatOfAPlainMap() throws IOException {
        try (Penstock store = Penstock.open(folder.resolve("store"));
                LoadTarget target = store.loadTarget()) {
            int number = 0;
            for (int seed = 0; seed < SEEDS; seed++) {
                for (double rate : RATES) {
                    for (Placement placement : Placement.values()) {
                        number = runAll(store, target, rate, placement, SEED + seed, number);
                    }
                }
            }
        }
        assertThat(digests.values()).allSatisfy(all -> assertThat(all).hasSize(1));
        System.out.printf(
                "DuplicateMatrixIT: seed %d, %d cells, %d pairs of input and policy, one digest"
                        + " each%n",
                SEED, cells, digests.size());
    }

    private int runAll(
            Penstock store,
            LoadTarget target,
            double rate,
            Placement placement,
            long seed,
            int firstNumber)
            throws IOException {
        int rows = rate == 1e-4 ? MANY_ROWS : ROWS;
        DuplicateInput input = DuplicateInput.random(rows, rate, placement, seed);
        String name = "seed %d, rate %s, %s".formatted(seed, rate, placement);
        List<Path> files = write(input);
        int number = firstNumber;
        for (DuplicatePolicy policy : DuplicatePolicy.values()) {
            Outcome outcome = input.outcome(policy);
            for (int regions : REGIONS) {
                for (int threads : THREADS) {
                    Cell cell = new Cell(name, policy, threads, 0, regions, number);
                    if (number++ % EVERY == 0) {
                        check(cell, store, target, input, files, outcome);
                    }
                }
            }
            // Worker processes cost seconds, so only few cells have them.
            boolean word = !policy.word().contains(",") && placement == Placement.MIXED;
            boolean chosen =
                    EVERY == 1 ? rate >= 0.01 : rate == 0.5 && policy == DuplicatePolicy.REJECT;
            for (int i = 0; word && chosen && i < (EVERY == 1 ? WORKERS.length : 1); i++) {
                int pair = number / (REGIONS.length * THREADS.length) + i;
                int regions = REGIONS[pair % REGIONS.length];
                Cell cell = new Cell(name, policy, WORKERS[i], WORKERS[i], regions, pair);
                check(cell, store, target, input, files, outcome);
            }
        }
        return number;
    }

    private void check(
            Cell cell,
            Penstock store,
            LoadTarget target,
            DuplicateInput input,
            List<Path> files,
            Outcome expected)
            throws IOException {
        String name = "t" + tables++;
        TableSchema schema =
                Ddl.parseCreateTable(
                        "CREATE TABLE "
                                + name
                                + " (k INTEGER NOT NULL, v VARCHAR(20), PRIMARY KEY (k))");
        store.createTable(schema);
        if (!input.stored().isEmpty()) {
            LoadSpecBuilder before = spec(name, List.of(folder.resolve("stored.csv")));
            BulkLoad.into(target, name).spec(before.regions(cell.regions()).build()).run();
        }
        LoadSpecBuilder spec =
                spec(name, files)
                        .duplicates(cell.policy())
                        .threads(cell.threads())
                        .workers(cell.workers())
                        .regions(cell.regions())
                        .offload(cell.offload())
                        .cut(cell.cut())
                        .chunkBytes(input.count() > ROWS ? 8192 : 1024)
                        .maxRejects(RejectLimit.ofPercent(100));
        BulkLoad load = BulkLoad.into(target, name).spec(spec.build()).build();
        if (expected.failed()) {
            PenstockException failure = catchThrowableOfType(PenstockException.class, load::run);
            assertThat(failure).as("%s", cell).isNotNull().hasMessageContaining("key ");
        } else {
            LoadReport report = load.run();
            assertThat(
                            new Outcome(
                                    expected.rows(),
                                    false,
                                    report.rowsLoaded(),
                                    report.rowsRejected(),
                                    report.rowsDuplicate(),
                                    report.rowsReplaced()))
                    .as("%s", cell)
                    .isEqualTo(expected);
        }
        Map<Integer, String> rows = rows(store.table(name));
        assertThat(rows).as("%s", cell).isEqualTo(expected.rows());
        digests.computeIfAbsent(cell.input() + cell.policy(), pair -> new HashSet<>())
                .add(digest(rows));
        cells++;
        store.dropTable(name);
    }

    private static LoadSpecBuilder spec(String table, List<Path> files) {
        return LoadSpec.builder(table)
                .from(files.stream().map(Path::toString).toList())
                .dialect(DialectOptions.DEFAULT.withHeader(false));
    }

    private List<Path> write(DuplicateInput input) throws IOException {
        StringBuilder stored = new StringBuilder();
        input.stored().forEach((key, value) -> stored.append(line(key, value)));
        Files.writeString(folder.resolve("stored.csv"), stored);
        List<Path> files = new ArrayList<>();
        for (List<Row> rows : input.files()) {
            StringBuilder text = new StringBuilder();
            rows.forEach(row -> text.append(line(row.key(), row.value())));
            files.add(Files.writeString(folder.resolve("in" + files.size() + ".csv"), text));
        }
        return files;
    }

    private static String line(int key, String value) {
        return key + "," + value + "\n";
    }

    private static Map<Integer, String> rows(Table table) {
        Map<Integer, String> rows = new TreeMap<>();
        try (Scan scan = table.scan(ScanSpec.all(table.schema()))) {
            scan.forEachBatch(batch -> {
                for (int row = 0; row < batch.rowCount(); row++) {
                    String value = new String(batch.bytes(1).get(row), StandardCharsets.UTF_8);
                    String before = rows.put((int) batch.longs(0).values()[row], value);
                    assertThat(before).isNull();
                }
            });
        }
        return rows;
    }

    private static String digest(Map<Integer, String> rows) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            rows.forEach((key, value) ->
                    digest.update(line(key, value).getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
