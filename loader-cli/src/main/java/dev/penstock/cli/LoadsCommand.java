package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.MetadataService;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.List;
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
            defaultValue = "",
            description =
                    "Removes all that has been loaded of it; its label, or its id as listed here.")
    private String abort = "";

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    LoadsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (Penstock penstock = store.open()) {
            penstock.table(table); // Says so if there is none.
            MetadataService metadata = penstock.cluster().metadata();
            List<LoadDescriptor> loads = metadata.runningLoads(table);
            if (abort.isEmpty()) {
                loads.forEach(load -> console.print(output.json() ? json(load) : text(load)));
            } else {
                metadata.abort(chosen(loads).loadId());
            }
        }
        return ExitCode.DONE;
    }

    private LoadDescriptor chosen(List<LoadDescriptor> loads) {
        return loads.stream()
                .filter(load -> load.loadId().equals(abort) || load.request().label().equals(abort))
                .findFirst()
                .orElseThrow(() ->
                        PenstockException.usage(
                                "table " + table + " has no unfinished load " + abort));
    }

    private static String text(LoadDescriptor load) {
        return load.loadId()
                + (load.request().label().isEmpty() ? "" : " '" + load.request().label() + "'")
                + (load.request().resumable() ? ", can be resumed" : "");
    }

    private static String json(LoadDescriptor load) {
        return new JsonObject()
                .put("load_id", load.loadId())
                .put("label", load.request().label())
                .put("resumable", load.request().resumable())
                .toString();
    }
}
