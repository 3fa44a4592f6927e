package dev.penstock.bench.read;

import com.sun.management.OperatingSystemMXBean;

import dev.penstock.bench.contender.WorkFolder;
import dev.penstock.cli.render.JsonObject;
import dev.penstock.loader.report.Quantities;
import dev.penstock.loader.report.TextTable;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Loads a lineitem file once into Penstock and once into DuckDB, checks that both answer every
 * query alike, and then asks them in turn, several times. Everything runs within one JVM that is
 * warm, and the tables are in the page cache or DuckDB's buffers. Besides the time on the clock it
 * tells the processor time of the process, which other work on the machine disturbs less.
 *
 * <p>{@code QueryBench FILE [--runs N] [--threads N] [--query NAME] [--folder DIR] [--json FILE]};
 * what the folder holds already is not loaded again, and of the queries those run whose names begin
 * with NAME.
 */
public final class QueryBench {
    /** The file that says of which text the others are. */
    private static final String SOURCE = "source";

    /** Runs that do not count: they warm the JVM and the caches up. */
    private static final int WARM_UP = 20;

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Medians of one query in milliseconds. */
    private record Timed(String query, double[] wall, double[] processor) {}

    private QueryBench() {}

    public static void main(String[] args) throws Exception {
        Map<String, String> options = options(args);
        String file = options.get("");
        if (file == null) {
            System.err.println(
                    "usage: QueryBench FILE [--runs N] [--threads N] [--query NAME] [--folder DIR]"
                            + " [--json FILE]");
            System.exit(2);
            return;
        }
        int cores = Runtime.getRuntime().availableProcessors();
        int threads = Integer.parseInt(options.getOrDefault("threads", Integer.toString(cores)));
        int runs = Integer.parseInt(options.getOrDefault("runs", "15"));
        String named = options.get("folder");
        List<Timed> results;
        if (named == null) {
            try (WorkFolder work = WorkFolder.create("penstock-queries-")) {
                results = run(work.path(), Path.of(file), threads, runs, options);
            }
        } else {
            Path folder = Files.createDirectories(Path.of(named));
            results = run(folder, Path.of(file), threads, runs, options);
        }
        print(results, threads);
        if (options.containsKey("json")) {
            Files.writeString(Path.of(options.get("json")), json(results, threads, runs) + "\n");
        }
    }

    private static List<Timed> run(
            Path folder, Path file, int threads, int runs, Map<String, String> options)
            throws Exception {
        List<Timed> results = new ArrayList<>();
        checkSource(folder, file);
        try (Reader penstock = PenstockReader.open(folder.resolve("store"), file, threads);
                Reader duckDb =
                        DuckDbReader.open(folder.resolve("lineitem.duckdb"), file, threads)) {
            noteSource(folder, file);
            warmUp(List.of(penstock, duckDb));
            String wanted = options.getOrDefault("query", "");
            for (Query query : Query.ALL) {
                if (!query.name().startsWith(wanted)) {
                    continue;
                }
                results.add(compare(query, List.of(penstock, duckDb), runs));
            }
        }
        return results;
    }

    /**
     * What was loaded has to be of this file, and whole.
     *
     * @throws IllegalArgumentException if it is not
     */
    static void checkSource(Path folder, Path file) throws IOException {
        Path note = folder.resolve(SOURCE);
        String known = Files.exists(note) ? Files.readString(note) : "";
        try (Stream<Path> loaded = Files.list(folder)) {
            if (!known.equals(source(file)) && loaded.findAny().isPresent()) {
                throw new IllegalArgumentException(
                        folder
                                + " holds what was loaded of "
                                + (known.isEmpty() ? "who knows what" : known.strip())
                                + ", not of "
                                + source(file).strip()
                                + "; name another folder, or remove this one");
            }
        }
    }

    /** Of which file all has been loaded. */
    static void noteSource(Path folder, Path file) throws IOException {
        Files.writeString(folder.resolve(SOURCE), source(file));
    }

    private static String source(Path file) throws IOException {
        return file.toRealPath() + ", " + Files.size(file) + " bytes\n";
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

    /**
     * Asks all of every reader for some seconds: only after some hundred million values vector
     * kernels take over in the first.
     */
    private static void warmUp(List<Reader> readers) throws Exception {
        for (int round = 0; round < WARM_UP; round++) {
            for (Query query : Query.ALL) {
                measure(query, readers, 0, 1);
            }
        }
    }

    /** Asks the readers in turn. */
    static double[][] measure(Query query, List<Reader> readers, int warmUp, int runs)
            throws Exception {
        String expected = readers.getFirst().run(query);
        double[][] times = new double[2 * readers.size()][runs];
        for (int run = -warmUp; run < runs; run++) {
            for (int i = 0; i < readers.size(); i++) {
                long processor = PROCESS.getProcessCpuTime();
                long start = System.nanoTime();
                String answer = readers.get(i).run(query);
                long wall = System.nanoTime() - start;
                processor = PROCESS.getProcessCpuTime() - processor;
                if (!answer.equals(expected)) {
                    throw new IllegalStateException(
                            query.name()
                                    + ": "
                                    + readers.get(i).name()
                                    + " answers "
                                    + answer
                                    + " and "
                                    + readers.getFirst().name()
                                    + " "
                                    + expected);
                }
                if (run >= 0) {
                    times[2 * i][run] = wall / 1e6;
                    times[2 * i + 1][run] = processor / 1e6;
                }
            }
        }
        return times;
    }

    private static Timed compare(Query query, List<Reader> readers, int runs) throws Exception {
        double[][] times = measure(query, readers, WARM_UP, runs);
        return new Timed(
                query.name(),
                new double[] {median(times[0]), median(times[2])},
                new double[] {median(times[1]), median(times[3])});
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static void print(List<Timed> results, int threads) {
        TextTable table =
                new TextTable(
                        "lrrrrr", "query", "penstock", "duckdb", "ratio", "CPU penstock", "duckdb");
        for (Timed result : results) {
            table.row(
                    result.query(),
                    milliseconds(result.wall()[0]),
                    milliseconds(result.wall()[1]),
                    Quantities.decimal(result.wall()[0] / result.wall()[1], 2),
                    milliseconds(result.processor()[0]),
                    milliseconds(result.processor()[1]));
        }
        System.out.println("medians, " + threads + " threads, within one warm JVM");
        table.lines("").forEach(System.out::println);
    }

    private static String milliseconds(double value) {
        return String.format(Locale.ROOT, "%.2f ms", value);
    }

    private static JsonObject json(List<Timed> results, int threads, int runs) {
        List<JsonObject> queries = new ArrayList<>();
        for (Timed result : results) {
            queries.add(
                    new JsonObject()
                            .put("query", result.query())
                            .put("penstock_ms", result.wall()[0], 3)
                            .put("duckdb_ms", result.wall()[1], 3)
                            .put("ratio", result.wall()[0] / result.wall()[1], 3)
                            .put("penstock_cpu_ms", result.processor()[0], 3)
                            .put("duckdb_cpu_ms", result.processor()[1], 3));
        }
        return new JsonObject()
                .put("threads", threads)
                .put("runs", runs)
                .put("jvm", "one, warm")
                .put("queries", queries);
    }
}
