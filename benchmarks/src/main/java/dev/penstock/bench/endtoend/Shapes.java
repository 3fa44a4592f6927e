package dev.penstock.bench.endtoend;

import dev.penstock.bench.contender.Contenders;
import dev.penstock.bench.contender.WorkFolder;
import dev.penstock.bench.contender.Workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Loads one table of each {@link Shape} by Penstock's command, into a server that has loaded before
 * and embedded, and by DuckDB's, each a process from start to exit, in turn: to find kinds of data
 * that take much longer than others. Times are medians in seconds and CPU seconds of all processes,
 * speeds DuckDB's time by either of ours. Arguments: rows, runs, a folder for the files, the script
 * {@code penstock}, and names of shapes, or none for all.
 */
public final class Shapes {
    private static final String CONTENDERS =
            "penstock-used-cluster-process,penstock-process,duckdb-process";

    private Shapes() {}

    public static void main(String[] args) throws IOException {
        if (args.length < 4) {
            System.err.println("usage: Shapes ROWS RUNS FOLDER PENSTOCK [SHAPE...]");
            System.exit(2);
        }
        List<String> names = Arrays.asList(args).subList(4, args.length);
        for (String name : names) {
            if (Arrays.stream(Shape.values()).noneMatch(shape -> shape.word().equals(name))) {
                System.err.println("there is no shape " + name);
                System.exit(2);
            }
        }
        Path folder = Files.createDirectories(Path.of(args[2]));
        System.out.println(
                "| | text | used server | embedded | stored | DuckDB | speed, server | speed,"
                        + " embedded |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (Shape shape : Shape.values()) {
            if (names.isEmpty() || names.contains(shape.word())) {
                long rows = Long.parseLong(args[0]);
                int runs = Integer.parseInt(args[1]);
                System.out.println(line(shape, rows, runs, folder, Path.of(args[3])));
            }
        }
    }

    /** What one shape gave, as a line of a table. */
    static String line(Shape shape, long rows, int runs, Path parent, Path script)
            throws IOException {
        try (WorkFolder work = WorkFolder.in(parent, "shape-")) {
            Path folder = work.path();
            Path file = folder.resolve("shape.csv");
            shape.write(file, rows);
            int threads = Runtime.getRuntime().availableProcessors();
            Workload workload = Workload.of(file, shape.ddl(), threads);
            Comparison comparison = new Comparison(folder, runs);
            comparison.run(Contenders.named(CONTENDERS, workload, script, "python3"));
            List<Result> results = comparison.results();
            Result server = results.get(0);
            Result own = results.get(1);
            String line =
                    String.format(
                            Locale.ROOT,
                            "| `%s` | %.0f MB | %s | %s | %.2f |",
                            shape.word(),
                            workload.bytes() / 1e6,
                            times(server),
                            times(own),
                            (double) own.storedBytes() / workload.bytes());
            if (results.size() == 2) {
                return line + " " + comparison.skipped() + " | | |";
            }
            Result other = results.get(2);
            return line
                    + String.format(
                            Locale.ROOT,
                            " %s | %.2f | %.2f |",
                            times(other),
                            other.median() / server.median(),
                            other.median() / own.median());
        }
    }

    private static String times(Result result) {
        return String.format(Locale.ROOT, "%.2f s, %.1f", result.median(), result.cpuSeconds());
    }
}
