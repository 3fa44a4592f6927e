package dev.penstock.cli;

import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.ResultRows;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.cli.render.RowSink;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.loader.Words;
import dev.penstock.schema.TableSchema;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** Prints sums, counts, minima and maxima. */
@Command(
        name = "aggregate",
        abbreviateSynopsis = true,
        header = "Prints counts, sums, minima, maxima and averages of a table's rows, by groups.",
        footerHeading = "%n",
        footer = {
            "  penstock aggregate lineitem --select \"sum(l_quantity), max(l_shipdate)\"",
            "  penstock aggregate lineitem --by l_returnflag,l_linestatus --select \"count(*)\"",
            "  penstock aggregate lineitem --select \"avg(l_tax)\" --where \"l_discount > 0.05\"",
            ""
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class AggregateCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "T", description = "The table.")
    private String table = "";

    @Option(
            names = "--select",
            paramLabel = "LIST",
            required = true,
            description =
                    "What to compute: count(*), count(c), sum(c), min(c), max(c), avg(c),"
                            + " separated by commas.")
    private String select = "";

    @Option(
            names = "--by",
            paramLabel = "a,b,…",
            hideParamSyntax = true,
            description =
                    "Columns whose values make the groups; one line for each group, in the"
                            + " order of these values. Default: all rows are one group")
    private List<String> by = List.of();

    @Mixin private RowSelection selection = new RowSelection();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "csv (with a header), jsonl (one object a line) or arrow (IPC stream).")
    private String format = "csv";

    @Mixin private StoreOptions store = new StoreOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    AggregateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        RowFormat rowFormat = Words.parse("--format", format, RowFormat.class);
        try (Penstock penstock = store.open()) {
            Table rows = penstock.table(table);
            TableSchema schema = rows.schema();
            SelectList list = SelectList.parse(schema, select, ColumnNames.of(by));
            AggregateQuery query =
                    new AggregateQuery(
                            selection.range(schema),
                            selection.predicate(schema),
                            list.groupBy(),
                            list.aggregates());
            ResultRows result = new ResultRows(schema, query, list.columns());
            ColumnBatch groups = result.rows(rows.aggregate(query));
            int[] columns = IntStream.range(0, list.columns().size()).toArray();
            try (RowSink sink = output.rows(rowFormat, result.schema(), columns, console.out())) {
                sink.rows(groups);
                sink.finish();
            } catch (IOException e) {
                throw Console.failedToWrite(e);
            }
        }
        return ExitCode.DONE;
    }
}
