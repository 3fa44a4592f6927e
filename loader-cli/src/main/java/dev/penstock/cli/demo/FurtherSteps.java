package dev.penstock.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the demonstration leaves out unless it is asked for more: labels, rejected records, plans,
 * what is known of a store, and help. On a small file, whose second half begins with a record that
 * is none, and one whose key is no number.
 */
public final class FurtherSteps {
    private static final int SMALL_LINES = 2_000;
    private static final String TABLE = "lineitem_small";
    private static final String BAD_RECORD = "no record";

    /** The exit code of a load that has left out records, as it was allowed to. */
    private static final int REJECTS = 3;

    private final Path folder;

    public FurtherSteps(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes the small file, of the first lines of the large one.
     *
     * @throws IOException if there is none, or no room
     */
    public void prepare() throws IOException {
        List<String> lines = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(folder.resolve("lineitem.tbl"))) {
            for (int i = 0; i < SMALL_LINES; i++) {
                String line = in.readLine();
                if (i == SMALL_LINES / 2) {
                    lines.add(BAD_RECORD);
                    lines.add(BAD_RECORD + line);
                }
                lines.add(line);
            }
        }
        Files.write(small(), lines);
    }

    private Path small() {
        return folder.resolve("small.tbl");
    }

    /** With an embedded store. */
    public List<DemoStep> embedded() {
        String[] store = {"--store=" + folder.resolve("store")};
        List<DemoStep> steps = new ArrayList<>();
        steps.addAll(loads(store));
        steps.add(
                step(
                        "plan",
                        "What a load would do",
                        store,
                        "plan",
                        small().toString(),
                        "--table",
                        TABLE));
        steps.add(
                step(
                        "count_condition",
                        "Count some rows",
                        store,
                        "count",
                        TABLE,
                        "--where",
                        "l_quantity > 49"));
        steps.add(step("verify", "Check what is stored", store, "verify", TABLE));
        steps.add(step("status", "What there is", store, "status"));
        steps.add(step("tables", "The tables", store, "table", "list"));
        steps.add(step("table", "One of them", store, "table", "describe", TABLE));
        steps.add(step("loads", "Loads that have not ended", store, "loads", TABLE));
        return steps;
    }

    /** Loads of the small file, which leave its bad record out. */
    private List<DemoStep> loads(String... place) {
        List<String> arguments = new ArrayList<>(List.of("load", small().toString()));
        arguments.addAll(List.of("--table", TABLE));
        arguments.addAll(List.of("--ddl", folder.resolve("lineitem.sql").toString()));
        arguments.addAll(List.of(place));
        arguments.addAll(List.of("--max-rejects", "2"));
        List<String> first = new ArrayList<>(arguments);
        first.addAll(List.of("--delimiter", "|", "--regions", "2"));
        first.addAll(List.of("--rejects", folder.resolve("rejected.tbl").toString()));
        List<String> second = new ArrayList<>(arguments);
        second.addAll(List.of("--label", "again", "--resume", "--on-duplicate", "replace"));
        return List.of(
                new DemoStep("load_rejects", "A file with a mistake", first, REJECTS),
                new DemoStep("load_label", "Once more, by a name", second, REJECTS));
    }

    /** With a server. */
    public List<DemoStep> connected(String address) {
        String[] server = {"--connect", address};
        return List.of(
                step("get_connected", "One row from there", server, "get", "lineitem", "7", "2"),
                step("scan_connected", "Some", server, "scan", "lineitem", "--limit", "3"),
                step("status_connected", "What there is", server, "status"),
                step("drop_connected", "Away with it", server, "table", "drop", "lineitem"));
    }

    /** Not to be had as JSON. */
    public static List<DemoStep> help() {
        String[] nowhere = {};
        return List.of(
                step("help", "All commands", nowhere, "--help"),
                step("help_load", "All options of one", nowhere, "load", "--help"));
    }

    private static DemoStep step(String name, String says, String[] place, String... words) {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of(place));
        return new DemoStep(name, says, arguments);
    }
}
