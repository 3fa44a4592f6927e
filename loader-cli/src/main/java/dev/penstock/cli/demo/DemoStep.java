package dev.penstock.cli.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One command of the demonstration.
 *
 * @param name what the step is called in JSON
 * @param says what it shows, for the reader
 * @param arguments the command line
 * @param exitCode what the command ends with
 */
public record DemoStep(String name, String says, List<String> arguments, int exitCode) {
    public DemoStep {
        arguments = List.copyOf(arguments);
    }

    private DemoStep(String name, String says, List<String> arguments) {
        this(name, says, arguments, 0);
    }

    /**
     * A command that has nothing to complain of.
     *
     * @param place options that say which store
     */
    static DemoStep of(String name, String says, List<String> place, String... words) {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(place);
        return new DemoStep(name, says, arguments);
    }

    /** The whole demonstration: every step is a command that the reader can repeat. */
    public static List<DemoStep> all(Path folder, double scale, int threads) {
        String file = folder.resolve("lineitem.tbl").toString();
        String ddl = folder.resolve("lineitem.sql").toString();
        String store = folder.resolve("store").toString();
        List<String> place = List.of("--store", store);
        List<DemoStep> steps = new ArrayList<>();
        steps.add(
                new DemoStep(
                        "generate",
                        "The table lineitem of TPC-H as text",
                        List.of(
                                "generate",
                                "lineitem",
                                "--scale",
                                String.format(Locale.ROOT, "%s", scale),
                                "--threads",
                                Integer.toString(threads),
                                "--out",
                                file)));
        steps.add(
                new DemoStep(
                        "load",
                        "Sample it, choose split points, pre-split the table, load, publish",
                        List.of(
                                "load",
                                file,
                                "--table",
                                "lineitem",
                                "--ddl",
                                ddl,
                                "--store",
                                store,
                                "--regions",
                                "4",
                                "--label",
                                "demo")));
        steps.add(of("count", "Count the rows", place, "count", "lineitem"));
        steps.add(
                of(
                        "aggregate",
                        "Sums by groups, computed on the stored codes",
                        place,
                        "aggregate",
                        "lineitem",
                        "--by",
                        "l_returnflag,l_linestatus",
                        "--select",
                        "sum(l_extendedprice), avg(l_discount), count(*)"));
        steps.add(of("get", "One row by its key", place, "get", "lineitem", "7", "2"));
        steps.add(
                of(
                        "query_range",
                        "A range of keys, some columns",
                        place,
                        "scan",
                        "lineitem",
                        "--from",
                        "64",
                        "--to",
                        "69",
                        "--columns",
                        "l_orderkey,l_linenumber,l_quantity,l_shipmode"));
        steps.add(
                of(
                        "query_condition",
                        "A condition, decided on dictionary codes",
                        place,
                        "scan",
                        "lineitem",
                        "--where",
                        "l_shipmode = 'AIR' AND l_returnflag = 'R' AND l_quantity = 50"
                                + " AND l_discount >= 0.10",
                        "--columns",
                        "l_orderkey,l_linenumber,l_shipdate,l_extendedprice",
                        "--limit",
                        "5"));
        return steps;
    }

    /** A table of many columns: quotes, NULLs and all types of columns. */
    public static List<DemoStep> wide(Path folder, double scale, int threads) {
        String file = folder.resolve("wide.csv").toString();
        return List.of(
                new DemoStep(
                        "generate_wide",
                        "A table of 155 columns as text",
                        List.of(
                                "generate",
                                "wide",
                                "--scale",
                                String.format(Locale.ROOT, "%s", scale / 2),
                                "--threads",
                                Integer.toString(threads),
                                "--out",
                                file)),
                new DemoStep(
                        "load_wide",
                        "Load it",
                        List.of(
                                "load",
                                file,
                                "--table",
                                "wide",
                                "--ddl",
                                folder.resolve("wide.sql").toString(),
                                "--store",
                                folder.resolve("store").toString(),
                                "--regions",
                                "4")));
    }

    /**
     * The rows by another key, in the order of which they do not come.
     *
     * @param name of the step
     * @param place options that say which store
     */
    public static List<DemoStep> unordered(String name, Path folder, String... place) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "load",
                                folder.resolve("lineitem.tbl").toString(),
                                "--table",
                                "lineitem_by_part",
                                "--ddl",
                                folder.resolve("lineitem_by_part.sql").toString()));
        arguments.addAll(List.of(place));
        return List.of(
                new DemoStep(
                        name,
                        "The same rows by part: they come in no order of this key",
                        arguments));
    }

    /** The same load over a connection to a region server. */
    public static List<DemoStep> connected(Path folder, String address) {
        return List.of(
                new DemoStep(
                        "load_connected",
                        "The same load over a connection, as to a region server elsewhere",
                        List.of(
                                "load",
                                folder.resolve("lineitem.tbl").toString(),
                                "--table",
                                "lineitem",
                                "--ddl",
                                folder.resolve("lineitem.sql").toString(),
                                "--connect",
                                address)),
                new DemoStep(
                        "count_connected",
                        "Count the rows there",
                        List.of("count", "lineitem", "--connect", address)));
    }

    /** The command line as a shell would read it. */
    public String shown() {
        StringBuilder text = new StringBuilder("penstock");
        for (String argument : arguments) {
            boolean plain = argument.chars().allMatch(DemoStep::isPlain);
            text.append(' ').append(plain ? argument : '"' + argument + '"');
        }
        return text.toString();
    }

    private static boolean isPlain(int c) {
        return Character.isLetterOrDigit(c) || "-_./,:=".indexOf(c) >= 0;
    }
}
