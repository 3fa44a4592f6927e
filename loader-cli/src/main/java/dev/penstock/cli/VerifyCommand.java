package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.Counted;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.TableChecksum;
import dev.penstock.loader.report.Quantities;
import dev.penstock.loader.report.TextTable;
import dev.penstock.schema.TableSchema;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;

/** Reads all that is stored of a table, checks it and sums it up. */
@Command(
        name = "verify",
        abbreviateSynopsis = true,
        header = "Reads all stored data of a table, checks every checksum and sums up the values.",
        footerHeading = "%n",
        footer = {"  penstock verify lineitem", "  penstock verify lineitem --json", ""},
        description = {
            "",
            "Where nothing has been compacted since, the values are compared with what the load"
                    + " said that brought them. What is damaged is named: file, region, column.",
            "",
            "The checksum of a column depends on its values only, not on their order, their"
                + " encoding or the regions: two tables with equal checksums hold the same values."
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class VerifyCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "T", description = "The table.")
    private String table = "";

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    VerifyCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (Penstock penstock = store.open()) {
            Table rows = penstock.table(table);
            TableChecksum sums = rows.checksum();
            if (output.json()) {
                console.print(json(rows.schema(), sums).toString());
            } else {
                print(rows.schema(), sums);
            }
        }
        return ExitCode.DONE;
    }

    private void print(TableSchema schema, TableChecksum sums) {
        TextTable text = new TextTable("ll", "column", "checksum");
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            text.row(schema.column(i).name(), hex(sums, i));
        }
        text.lines("").forEach(console::print);
        console.print("");
        console.print(
                "Verified "
                        + Quantities.count(sums.rowCount(), "row")
                        + " of "
                        + schema.name()
                        + " at epoch "
                        + sums.epoch()
                        + ": all stored checksums are right"
                        + (sums.provenRows() == 0
                                ? "."
                                : ", and "
                                        + Quantities.count(sums.provenRows(), "stored row")
                                        + Counted.verb(sums.provenRows(), " is", " are")
                                        + " what their loads read."));
    }

    private static JsonObject json(TableSchema schema, TableChecksum sums) {
        List<JsonObject> columns = new ArrayList<>();
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            columns.add(
                    new JsonObject()
                            .put("name", schema.column(i).name())
                            .put("checksum", hex(sums, i)));
        }
        return new JsonObject()
                .put("table", schema.name())
                .put("epoch", sums.epoch())
                .put("rows", sums.rowCount())
                .put("proven_rows", sums.provenRows())
                .put("columns", columns);
    }

    private static String hex(TableChecksum sums, int column) {
        return HexFormat.of().toHexDigits(sums.columnSums()[column]);
    }
}
