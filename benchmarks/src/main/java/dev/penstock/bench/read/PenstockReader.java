package dev.penstock.bench.read;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.ResultColumn;
import dev.penstock.aggregate.ResultRows;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.cli.generate.TpchTable;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.ddl.Conditions;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.LoadSpec;
import dev.penstock.parse.CsvWriter;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Penstock in this process: an embedded store in a folder. */
final class PenstockReader implements Reader {
    private final Penstock store;
    private final Table table;

    private PenstockReader(Penstock store) {
        this.store = store;
        this.table = store.table("lineitem");
    }

    /** Opens the store, loading the file first if there is none. */
    static PenstockReader open(Path folder, Path file, int threads) {
        boolean known = Files.exists(folder);
        Penstock store = Penstock.open(folder);
        if (!known) {
            TableSchema schema = Ddl.parseCreateTable(TpchTable.LINEITEM.ddl());
            LoadSpec spec =
                    LoadSpec.builder("lineitem")
                            .from(file.toString())
                            .schema(schema)
                            .threads(threads)
                            .build();
            BulkLoad.into(store.loadTarget(), "lineitem").spec(spec).run();
        }
        return new PenstockReader(store);
    }

    @Override
    public String name() {
        return "penstock";
    }

    @Override
    public String run(Query query) {
        TableSchema schema = table.schema();
        List<Integer> by = new ArrayList<>();
        List<ResultColumn> columns = new ArrayList<>();
        for (String name : query.by()) {
            columns.add(new ResultColumn(name, new ResultColumn.Content.Group(by.size())));
            by.add(schema.indexOf(name));
        }
        List<Aggregate> aggregates = new ArrayList<>();
        for (String call : query.select().split(",", -1)) {
            columns.add(
                    new ResultColumn(
                            call.strip(), new ResultColumn.Content.Value(aggregates.size())));
            aggregates.add(aggregate(schema, call.strip()));
        }
        Predicate predicate =
                query.where().isEmpty()
                        ? Predicate.ALWAYS
                        : Conditions.parse(query.where(), schema);
        AggregateQuery asked = new AggregateQuery(KeyRange.ALL, predicate, by, aggregates);
        ResultRows rows = new ResultRows(schema, asked, columns);
        ByteBuilder text = new ByteBuilder(256);
        new CsvWriter(rows.schema(), IntStream.range(0, columns.size()).toArray(), text)
                .rows(rows.rows(table.aggregate(asked)));
        return new String(text.array(), 0, text.length(), StandardCharsets.UTF_8);
    }

    private static Aggregate aggregate(TableSchema schema, String call) {
        int bracket = call.indexOf('(');
        String argument = call.substring(bracket + 1, call.length() - 1);
        int column = schema.indexOf(argument);
        return switch (call.substring(0, bracket)) {
            case "sum" -> Aggregate.sum(column);
            case "min" -> Aggregate.min(column);
            case "max" -> Aggregate.max(column);
            default -> column < 0 ? Aggregate.countRows() : Aggregate.count(column);
        };
    }

    @Override
    public void close() {
        store.close();
    }
}
