package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.loader.plan.SavedPlan;
import dev.penstock.loader.report.Quantities;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Loads that run or wait to be resumed. */
@Command(
        name = "loads",
        abbreviateSynopsis = true,
        header = "Lists the unfinished loads of a table, or ends one of them.",
        footerHeading = "%n",
        footer = {"  penstock loads sales", "  penstock loads sales --abort monday", ""},
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class LoadsCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "T", description = "The table.")
    private String table = "";

    @Option(
            names = "--abort",
            paramLabel = "LOAD",
            description =
                    "Removes all that has been loaded of it; its label, or its id as listed here.")
    private @Nullable String abort;

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    LoadsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (abort != null && abort.isEmpty()) {
            throw PenstockException.usage("--abort is empty; name a load by its label or its id");
        }
        try (Penstock penstock = store.open()) {
            penstock.table(table); // Says so if there is none.
            MetadataService metadata = penstock.cluster().metadata();
            List<RunningLoad> loads = metadata.runningLoads(table);
            if (abort == null) {
                print(loads, loads.isEmpty() ? Map.of() : stagedBytes(penstock));
            } else {
                RunningLoad chosen = chosen(loads, abort);
                metadata.abort(chosen.loadId());
                if (output.json()) {
                    console.print(
                            new JsonObject()
                                    .put("table", table)
                                    .put("aborted", chosen.loadId())
                                    .toString());
                }
            }
        }
        return ExitCode.DONE;
    }

    private void print(List<RunningLoad> loads, Map<String, Long> bytes) {
        if (output.json()) {
            console.print(
                    new JsonObject()
                            .put("table", table)
                            .put(
                                    "loads",
                                    loads.stream()
                                            .map(load -> json(load, bytes.get(load.loadId())))
                                            .toList())
                            .toString());
        } else if (loads.isEmpty()) {
            if (!output.quiet()) {
                console.say("No unfinished loads of " + table + ".");
            }
        } else {
            loads.forEach(load -> console.print(text(load, bytes.get(load.loadId()))));
        }
    }

    private RunningLoad chosen(List<RunningLoad> loads, String wanted) {
        return loads.stream()
                .filter(load ->
                        load.loadId().equals(wanted)
                                || load.load().request().label().equals(wanted))
                .findFirst()
                .orElseThrow(() ->
                        PenstockException.usage(
                                "table " + table + " has no unfinished load " + wanted));
    }

    /** What servers keep of each load; nothing if one may not ask for the status of all. */
    private static Map<String, Long> stagedBytes(Penstock penstock) {
        Map<String, Long> bytes = new HashMap<>();
        for (ServerStatus server :
                penstock.statusIfAllowed().map(ClusterStatus::servers).orElse(List.of())) {
            server.loads()
                    .forEach(part -> bytes.merge(part.loadId(), part.stagedBytes(), Long::sum));
        }
        return bytes;
    }

    private static String text(RunningLoad running, @Nullable Long bytes) {
        LoadDescriptor load = running.load();
        String label = load.request().label();
        return load.loadId()
                + (label.isEmpty() ? "" : " '" + label + "'")
                + (running.waiting() ? ", waits to be resumed" : ", is running")
                + begun(load).map(when -> ", begun " + ago(when) + " (" + when + ")").orElse("")
                + heard(running)
                        .map(when -> ", last heard of " + ago(when) + " (" + when + ")")
                        .orElse("")
                + (bytes == null ? "" : ", " + Quantities.bytes(bytes) + " on the servers");
    }

    private static Optional<Instant> begun(LoadDescriptor load) {
        return load.request().resumable()
                ? SavedPlan.begun(load.request().plan())
                        .map(when -> when.truncatedTo(ChronoUnit.SECONDS))
                : Optional.empty();
    }

    private static Optional<Instant> heard(RunningLoad load) {
        return load.heard().map(when -> when.truncatedTo(ChronoUnit.SECONDS));
    }

    /** In the largest unit of which there are two. */
    private static String ago(Instant when) {
        Duration time = Duration.between(when, Instant.now());
        if (time.toDays() > 1) {
            return time.toDays() + " days ago";
        }
        if (time.toHours() > 1) {
            return time.toHours() + " hours ago";
        }
        return time.toMinutes() > 1
                ? time.toMinutes() + " minutes ago"
                : Math.max(0, time.toSeconds()) + " s ago";
    }

    private static JsonObject json(RunningLoad running, @Nullable Long bytes) {
        LoadDescriptor load = running.load();
        JsonObject json =
                new JsonObject()
                        .put("load_id", load.loadId())
                        .put("label", load.request().label())
                        .put("resumable", load.request().resumable())
                        .put("waiting", running.waiting());
        begun(load).ifPresent(when -> json.put("begun", when.toString()));
        heard(running).ifPresent(when -> json.put("last_heard", when.toString()));
        if (bytes != null) {
            json.put("staged_bytes", bytes);
        }
        return json;
    }
}
