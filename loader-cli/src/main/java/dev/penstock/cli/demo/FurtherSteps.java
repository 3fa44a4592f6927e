package dev.penstock.cli.demo;

import dev.penstock.loader.LoadReport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the demonstration leaves out unless it is asked for more: labels, rejected records, plans,
 * what is known of a store, and help, on a small file, whose second half begins with a record that
 * is none, and one whose key is no number; and a file of other kinds of columns.
 */
public final class FurtherSteps {
    private static final int SMALL_LINES = 2_000;
    private static final String TABLE = "lineitem_small";
    private static final String BAD_RECORD = "no record";

    /** Regions are complete before the load ends, and fragments go to a file. */
    private static final List<String> SMALL_PARTS =
            List.of("--regions", "4", "--chunk-size", "8KiB", "--staging-memory", "64KiB");

    private final Path folder;
    private final KindsFile kinds;

    public FurtherSteps(Path folder) {
        this.folder = folder;
        this.kinds = new KindsFile(folder);
    }

    /**
     * Writes the small file, of the first lines of the large one, and the one of other kinds.
     *
     * @throws IOException if there is no large one, or no room
     */
    public void prepare() throws IOException {
        kinds.write();
        try (Stream<String> all = Files.lines(folder.resolve("lineitem.tbl"))) {
            List<String> lines = new ArrayList<>(all.limit(SMALL_LINES).toList());
            int half = lines.size() / 2;
            lines.addAll(half, List.of(BAD_RECORD, BAD_RECORD + lines.get(half)));
            Files.write(small(), lines);
        }
    }

    private Path small() {
        return folder.resolve("small.tbl");
    }

    private List<String> store() {
        return List.of("--store=" + folder.resolve("store"));
    }

    /** With an embedded store. */
    public List<DemoStep> embedded() {
        List<String> store = store();
        List<DemoStep> steps = new ArrayList<>();
        steps.addAll(loads(store));
        steps.add(loadKinds("by_name", "By a key of text", kinds.byName()));
        steps.add(loadKinds("by_id", "By a key of UUIDs", kinds.byId()));
        steps.add(
                DemoStep.of(
                        "plan",
                        "What a load would do",
                        store,
                        "plan",
                        small().toString(),
                        "--table",
                        TABLE));
        steps.add(
                DemoStep.of(
                        "count_condition",
                        "Count some rows",
                        store,
                        "count",
                        TABLE,
                        "--where",
                        "l_quantity > 49"));
        steps.add(DemoStep.of("verify", "Check what is stored", store, "verify", TABLE));
        steps.add(DemoStep.of("status", "What there is", store, "status"));
        steps.add(DemoStep.of("tables", "The tables", store, "table", "list"));
        steps.add(DemoStep.of("table", "One of them", store, "table", "describe", TABLE));
        steps.add(DemoStep.of("loads", "Loads that have not ended", store, "loads", TABLE));
        return steps;
    }

    /** Loads of the small file, which leave its bad records out. */
    private List<DemoStep> loads(List<String> place) {
        return List.of(
                load(
                        "load_rejects",
                        "A file with mistakes",
                        TABLE,
                        place,
                        List.of(
                                "--delimiter",
                                "|",
                                "--regions",
                                "2",
                                "--rejects",
                                folder.resolve("rejected.tbl").toString())),
                load(
                        "load_label",
                        "Once more, by a name",
                        TABLE,
                        place,
                        List.of("--label", "again", "--resume", "--on-duplicate", "replace")),
                load("load_parts", "In small parts", TABLE + "_parts", place, SMALL_PARTS));
    }

    private DemoStep load(
            String name, String says, String table, List<String> place, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("load", small().toString()));
        arguments.addAll(List.of("--table", table));
        arguments.addAll(List.of("--ddl", folder.resolve("lineitem.sql").toString()));
        arguments.addAll(place);
        arguments.addAll(List.of("--max-rejects", "2"));
        arguments.addAll(options);
        return new DemoStep(name, says, arguments, LoadReport.REJECTS_STATUS);
    }

    private DemoStep loadKinds(String name, String says, Path ddl) {
        return DemoStep.of(
                "load_kinds_" + name,
                says,
                store(),
                "load",
                kinds.file().toString(),
                "--table",
                "kinds_" + name,
                "--ddl",
                ddl.toString(),
                "--no-header");
    }

    /** With a server, or other processes. */
    public List<DemoStep> connected(String address) {
        List<String> server = List.of("--connect", address);
        return List.of(
                load(
                        "load_workers",
                        "By two other processes",
                        TABLE + "_workers",
                        store(),
                        List.of("--workers", "2", "--chunk-size", "64KiB")),
                load(
                        "load_text",
                        "By the server alone, as far as there are no mistakes",
                        TABLE + "_text",
                        server,
                        List.of("--offload", "text", "--regions", "2", "--chunk-size", "8KiB")),
                DemoStep.of(
                        "get_connected", "One row from there", server, "get", "lineitem", "7", "2"),
                DemoStep.of("scan_connected", "Some", server, "scan", "lineitem", "--limit", "3"),
                DemoStep.of("status_connected", "What there is", server, "status"),
                DemoStep.of("drop_connected", "Away with it", server, "table", "drop", "lineitem"));
    }

    /** Not to be had as JSON. */
    public static List<DemoStep> help() {
        List<String> nowhere = List.of();
        return List.of(
                DemoStep.of("help", "All commands", nowhere, "--help"),
                DemoStep.of("help_load", "All options of one", nowhere, "load", "--help"));
    }
}
