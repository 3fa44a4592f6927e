package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/** Counts rows. */
@Command(
        name = "count",
        abbreviateSynopsis = true,
        header = "Prints the number of rows of a table.",
        footerHeading = "%n",
        footer = {
            "  penstock count lineitem",
            "  penstock count lineitem --where \"l_shipmode = 'AIR' AND l_quantity < 10\"",
            ""
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class CountCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "T", description = "The table.")
    private String table = "";

    @Mixin private RowSelection selection = new RowSelection();

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    CountCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (Penstock penstock = store.open()) {
            Table rows = penstock.table(table);
            long count =
                    rows.count(selection.range(rows.schema()), selection.predicate(rows.schema()));
            console.print(
                    output.json()
                            ? new JsonObject()
                                    .put("table", rows.schema().name())
                                    .put("count", count)
                                    .toString()
                            : Long.toString(count));
        }
        return ExitCode.DONE;
    }
}
