package dev.penstock.bench.endtoend;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.cli.render.Quantities;
import dev.penstock.cli.render.TextTable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Loads a lineitem file with Penstock and with DuckDB, in turn, several times, and says how long
 * each took. In turn, because a machine's speed drifts: each round meets every contender under
 * nearly the same conditions. The file is read once before, so that all find it in the page cache.
 * Every contender must count the same rows, or the comparison fails.
 *
 * <p>{@code EndToEnd FILE [--runs N] [--threads N] [--folder DIR] [--json FILE] [--contenders
 * a,b]}; benchmarks/README.md has the whole command.
 */
public final class EndToEnd {
    private final Workload workload;
    private final Path folder;
    private final int runs;

    private EndToEnd(Workload workload, Path folder, int runs) {
        this.workload = workload;
        this.folder = folder;
        this.runs = runs;
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = options(args);
        String file = options.get("");
        if (file == null) {
            System.err.println(
                    "usage: EndToEnd FILE [--runs N] [--threads N] [--folder DIR] [--json FILE]"
                            + " [--contenders a,b]");
            System.exit(2);
            return;
        }
        int cores = Runtime.getRuntime().availableProcessors();
        int threads = Integer.parseInt(options.getOrDefault("threads", Integer.toString(cores)));
        int runs = Integer.parseInt(options.getOrDefault("runs", "5"));
        Path parent = Path.of(options.getOrDefault("folder", System.getProperty("java.io.tmpdir")));
        Path folder =
                Files.createTempDirectory(Files.createDirectories(parent), "penstock-end-to-end-");
        Workload workload = Workload.lineitem(Path.of(file), threads);
        EndToEnd comparison = new EndToEnd(workload, folder, runs);
        List<String> names =
                Arrays.asList(
                        options.getOrDefault(
                                        "contenders",
                                        "penstock,duckdb,penstock-process,duckdb-process")
                                .split(","));
        JsonObject json = comparison.run(names);
        if (options.containsKey("json")) {
            Files.writeString(Path.of(options.get("json")), json + "\n");
        }
        Files.delete(folder);
    }

    private static Map<String, String> options(String... args) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i < args.length; i++) {
            if (args[i].startsWith("--") && i + 1 < args.length) {
                options.put(args[i].substring(2), args[++i]);
            } else {
                options.put("", args[i]);
            }
        }
        return options;
    }

    private List<Contender> contenders(List<String> names) {
        List<Contender> all =
                List.of(
                        new PenstockInProcess(workload),
                        new DuckDb(workload, false),
                        new DuckDb(workload, true),
                        new PenstockProcess(workload),
                        new DuckDbProcess(workload));
        return names.stream()
                .map(name ->
                        all.stream()
                                .filter(contender -> contender.name().equals(name))
                                .findFirst()
                                .orElseThrow(
                                        () -> new IllegalArgumentException("no contender " + name)))
                .toList();
    }

    private JsonObject run(List<String> names) throws Exception {
        Machine machine = Machine.measure(folder);
        long textBytes = readOnce(workload.file());
        List<Contender> contenders = contenders(names);
        Map<Contender, double[]> seconds = new LinkedHashMap<>();
        Map<Contender, long[]> rowsAndBytes = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            seconds.put(contender, new double[runs]);
            // One run that does not count: it warms the JVM up.
            rowsAndBytes.put(contender, once(contender, new double[1], 0));
        }
        for (int run = 0; run < runs; run++) {
            for (Contender contender : contenders) {
                long[] measured =
                        once(contender, seconds.getOrDefault(contender, new double[0]), run);
                rowsAndBytes.put(contender, measured);
            }
        }
        List<Result> results = new ArrayList<>();
        seconds.forEach((contender, times) -> {
            long[] measured = rowsAndBytes.getOrDefault(contender, new long[2]);
            results.add(
                    new Result(
                            contender.name(),
                            contender.description(),
                            times,
                            measured[1],
                            measured[0]));
        });
        checkRows(results);
        print(machine, textBytes, results);
        return json(machine, textBytes, results);
    }

    /** One run; answers rows and stored bytes. */
    private long[] once(Contender contender, double[] seconds, int run) throws Exception {
        Path own = Files.createDirectory(folder.resolve(contender.name()));
        long start = System.nanoTime();
        Contender.Loaded loaded = contender.load(own);
        seconds[run] = (System.nanoTime() - start) / 1e9;
        long stored = Folders.bytes(own);
        Folders.delete(own);
        System.err.printf(
                Locale.ROOT,
                "%-18s run %d: %.3f s, %d rows%n",
                contender.name(),
                run + 1,
                seconds[run],
                loaded.rows());
        return new long[] {loaded.rows(), stored};
    }

    private static void checkRows(List<Result> results) {
        for (Result result : results) {
            if (result.rows() != results.getFirst().rows()) {
                throw new IllegalStateException(
                        result.name()
                                + " counts "
                                + result.rows()
                                + " rows, "
                                + results.getFirst().name()
                                + " "
                                + results.getFirst().rows());
            }
        }
    }

    private static long readOnce(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private void print(Machine machine, long textBytes, List<Result> results) {
        System.out.println(
                machine.cpu()
                        + ", "
                        + machine.cores()
                        + " cores, "
                        + Quantities.bytes(machine.memoryBytes())
                        + ", "
                        + machine.system()
                        + ", "
                        + machine.java()
                        + ", disk writes "
                        + Quantities.decimal(machine.diskMegabytesPerSecond(), 0)
                        + " MB/s");
        System.out.println(
                workload.file()
                        + ": "
                        + Quantities.bytes(textBytes)
                        + ", "
                        + Quantities.count(results.getFirst().rows())
                        + " rows; "
                        + workload.threads()
                        + " threads; "
                        + runs
                        + " runs each");
        TextTable table =
                new TextTable("lrrrrrr", "", "median", "min", "max", "MB/s", "stored", "speed");
        double first = results.getFirst().median();
        for (Result result : results) {
            table.row(
                    result.name(),
                    Quantities.seconds(result.median()),
                    Quantities.seconds(result.min()),
                    Quantities.seconds(result.max()),
                    Quantities.decimal(result.megabytesPerSecond(textBytes), 0),
                    Quantities.bytes(result.storedBytes()),
                    Quantities.decimal(first / result.median(), 2));
        }
        table.lines("").forEach(System.out::println);
        System.out.println("MB/s: 10^6 bytes of text; speed: relative to the first line");
        results.forEach(result -> System.out.println(result.name() + ": " + result.description()));
    }

    private JsonObject json(Machine machine, long textBytes, List<Result> results) {
        List<JsonObject> list = new ArrayList<>();
        for (Result result : results) {
            list.add(
                    new JsonObject()
                            .put("name", result.name())
                            .put("description", result.description())
                            .put("seconds", Arrays.stream(result.seconds()).boxed().toList())
                            .put("median_seconds", result.median(), 4)
                            .put("min_seconds", result.min(), 4)
                            .put("max_seconds", result.max(), 4)
                            .put("mb_per_second", result.megabytesPerSecond(textBytes), 1)
                            .put("bytes_stored", result.storedBytes())
                            .put("rows", result.rows()));
        }
        return new JsonObject()
                .put(
                        "machine",
                        new JsonObject()
                                .put("cpu", machine.cpu())
                                .put("cores", machine.cores())
                                .put("memory_bytes", machine.memoryBytes())
                                .put("system", machine.system())
                                .put("java", machine.java())
                                .put("disk_mb_per_second", machine.diskMegabytesPerSecond(), 0))
                .put("file_bytes", textBytes)
                .put("threads", workload.threads())
                .put("runs", runs)
                .put("contenders", list);
    }
}
