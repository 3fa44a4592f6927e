package dev.penstock.cli;

import dev.penstock.kv.Penstock;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadPlan;
import dev.penstock.loader.LoadSpec;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LoadTarget;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** Reads a sample and says what a load would do. */
@Command(
        name = "plan",
        abbreviateSynopsis = true,
        header = "Reads a sample of the input and says what a load would do; changes nothing.",
        footerHeading = "%n",
        footer = {
            "  penstock plan lineitem.tbl --ddl lineitem.sql --regions 12",
            "  penstock plan 'part-*.csv' --table sales --connect 127.0.0.1:7070",
            ""
        },
        description = {
            "",
            "With --ddl no store is needed; else the table of that name must exist."
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class PlanCommand implements Callable<Integer> {
    private final Console console;

    @Mixin private LoadArguments load = new LoadArguments();

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    PlanCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        LoadPlan plan = plan(load.spec().dryRun(true).build());
        if (output.json()) {
            console.print(plan.json());
        } else {
            console.print(plan.text().stripTrailing());
        }
        return ExitCode.DONE;
    }

    private LoadPlan plan(LoadSpec spec) {
        TableSchema schema = spec.schema();
        store.checkChoice();
        if (schema != null && !store.named()) {
            return BulkLoad.planFor(schema).spec(spec).standardInput(console.in()).plan();
        }
        try (Penstock penstock = store.open();
                LoadTarget target = penstock.loadTarget()) {
            return BulkLoad.into(target, spec.table())
                    .spec(spec)
                    .standardInput(console.in())
                    .plan();
        }
    }
}
