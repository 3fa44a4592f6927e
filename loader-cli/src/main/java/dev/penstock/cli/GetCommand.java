package dev.penstock.cli;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.cli.render.CsvRows;
import dev.penstock.cli.render.JsonRows;
import dev.penstock.cli.render.RowSink;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Keys;
import dev.penstock.schema.TableSchema;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Prints the one row with a key. */
@Command(
        name = "get",
        abbreviateSynopsis = true,
        header = "Prints the row with a key.",
        footerHeading = "%n",
        footer = {
            "  penstock get lineitem 1 3",
            "  penstock get orders 7 --json --columns o_orderstatus,o_totalprice",
            ""
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class GetCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(index = "0", paramLabel = "T", description = "The table.")
    private String table = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEY",
            description = "One value per key column, in key order.")
    private List<String> key = List.of();

    @Mixin private Projection projection = new Projection();

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    GetCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        try (Penstock penstock = store.open()) {
            Table rows = penstock.table(table);
            TableSchema schema = rows.schema();
            int[] columns = projection.indexes(schema);
            Optional<ColumnBatch> row = rows.get(Keys.encode(schema, key));
            if (row.isEmpty()) {
                throw new PenstockException(
                        ErrorCategory.DATA,
                        "table "
                                + schema.name()
                                + " has no row with key "
                                + String.join(", ", key));
            }
            print(schema, columns, project(row.get(), columns));
        }
        return ExitCode.DONE;
    }

    private void print(TableSchema schema, int[] columns, ColumnBatch row) {
        try (RowSink sink =
                output.json()
                        ? new JsonRows(schema, columns, JsonRows.Layout.SINGLE, console.out())
                        : new CsvRows(schema, columns, console.out())) {
            sink.rows(row);
            sink.finish();
        } catch (IOException e) {
            throw Console.failedToWrite(e);
        }
    }

    private static ColumnBatch project(ColumnBatch row, int[] columns) {
        List<ColumnData> projected = new ArrayList<>();
        for (int column : columns) {
            projected.add(row.column(column));
        }
        ColumnBatch batch = new ColumnBatch(projected);
        batch.setRowCount(row.rowCount());
        return batch;
    }
}
