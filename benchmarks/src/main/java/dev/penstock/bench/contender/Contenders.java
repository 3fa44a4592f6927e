package dev.penstock.bench.contender;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** All contenders by name. */
public final class Contenders {
    /** Those that need nothing installed. */
    public static final String DEFAULT = "penstock,duckdb,penstock-process,duckdb-process";

    private Contenders() {}

    /**
     * @param names with commas between, or {@code all}
     * @param script the command {@code penstock}, or null for this JVM's class path
     * @param python the interpreter that knows the package chdb
     * @throws IllegalArgumentException for an unknown name
     */
    public static List<Contender> named(
            String names, Workload workload, @Nullable Path script, String python) {
        PenstockCommand penstock = new PenstockCommand(script);
        List<Contender> all =
                List.of(
                        new PenstockInProcess(workload),
                        new PenstockProcess(workload, penstock),
                        new PenstockCluster(
                                "penstock-cluster-process",
                                workload,
                                script,
                                PenstockCluster.Link.PLAIN),
                        PenstockCluster.used("penstock-used-cluster-process", workload, script),
                        new DuckDb(workload, DuckDb.Variant.PLAIN),
                        new DuckDb(workload, DuckDb.Variant.ORDERED),
                        new DuckDb(workload, DuckDb.Variant.KEY),
                        new DuckDbProcess(workload),
                        new ClickHouse(workload, python),
                        new PostgreSql(workload),
                        new MariaDb(workload));
        if (names.equals("all")) {
            return all;
        }
        return Arrays.stream(names.split(",")).map(name -> find(all, name)).toList();
    }

    /**
     * The command {@code penstock load} from start to exit, with options of one's own.
     *
     * @param script as for {@link #named}
     */
    public static Contender penstock(
            String name, Workload workload, @Nullable Path script, List<String> options) {
        return new PenstockProcess(name, workload, new PenstockCommand(script), options);
    }

    private static Contender find(List<Contender> all, String name) {
        for (Contender contender : all) {
            if (contender.name().equals(name)) {
                return contender;
            }
        }
        throw new IllegalArgumentException(
                "no contender "
                        + name
                        + "; there are all, "
                        + all.stream().map(Contender::name).collect(Collectors.joining(", ")));
    }
}
