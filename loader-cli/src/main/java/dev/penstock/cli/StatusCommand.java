package dev.penstock.cli;

import dev.penstock.cli.render.StatusText;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.ClusterStatus;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** Shows servers, regions, sizes and running loads. */
@Command(
        name = "status",
        abbreviateSynopsis = true,
        header = "Shows servers, tables, regions, sizes and running loads.",
        footerHeading = "%n",
        footer = {"  penstock status", "  penstock status --connect 127.0.0.1:7070 --json", ""},
        optionListHeading = "%n")
final class StatusCommand implements Callable<Integer> {
    private final Console console;

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    StatusCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        ClusterStatus status;
        try (Penstock penstock = store.open()) {
            status = penstock.status();
        }
        if (output.json()) {
            console.print(StatusText.json(status).toString());
        } else {
            StatusText.of(status).forEach(console::print);
        }
        return ExitCode.DONE;
    }
}
