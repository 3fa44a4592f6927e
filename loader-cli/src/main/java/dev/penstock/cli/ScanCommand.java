package dev.penstock.cli;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.cli.render.BatchSource;
import dev.penstock.cli.render.RowSink;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Scan;
import dev.penstock.kv.ScanSpec;
import dev.penstock.kv.Table;
import dev.penstock.loader.Words;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.concurrent.Callable;

/** Prints rows in key order. */
@Command(
        name = "scan",
        abbreviateSynopsis = true,
        header = "Prints rows of a table in key order.",
        footerHeading = "%n",
        footer = {
            "  penstock scan lineitem --limit 10",
            "  penstock scan lineitem --columns l_orderkey,l_comment --from 100 --to 200",
            "  penstock scan lineitem --where \"l_shipdate >= DATE '1998-11-01'\" --format jsonl",
            ""
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class ScanCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "T", description = "The table.")
    private String table = "";

    @Mixin private Projection projection = new Projection();

    @Mixin private RowSelection selection = new RowSelection();

    @Option(names = "--limit", paramLabel = "N", description = "Most rows to print. Default: all")
    private @Nullable Long limit;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "csv (with a header), jsonl (one object a line) or arrow (IPC stream).")
    private String format = "csv";

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    ScanCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        RowFormat rowFormat = Words.parse("--format", format, RowFormat.class);
        try (Penstock penstock = store.open()) {
            Table rows = penstock.table(table);
            TableSchema schema = rows.schema();
            int[] columns = projection.indexes(schema);
            ScanSpec spec =
                    ScanSpec.all(schema)
                            .withRange(selection.range(schema))
                            .withProjection(columns)
                            .withPredicate(selection.predicate(schema))
                            .withLimit(limit == null ? ScanSpec.NO_LIMIT : limit);
            try (Scan scan = rows.scan(spec);
                    RowSink sink = output.rows(rowFormat, schema, columns, console.out())) {
                sink.all(new ScanRows(scan));
                sink.finish();
            } catch (IOException e) {
                throw Console.failedToWrite(e);
            }
        }
        return ExitCode.DONE;
    }

    private record ScanRows(Scan scan) implements BatchSource {
        @Override
        public ColumnBatch newBatch() {
            return scan.newBatch();
        }

        @Override
        public boolean next(ColumnBatch out) {
            return scan.next(out);
        }
    }
}
