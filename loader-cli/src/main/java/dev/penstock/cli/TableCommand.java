package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.Counted;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.Table;
import dev.penstock.kv.api.NoSuchTable;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.report.Quantities;
import dev.penstock.loader.report.TextTable;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.Column;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Creates, lists, describes and drops tables; each in a command of its own. */
@Command(
        name = "table",
        header = "Creates, lists, describes and drops tables.",
        footerHeading = "%n",
        footer = {
            "  penstock table create --ddl lineitem.sql",
            "  penstock table list",
            "  penstock table describe lineitem",
            "  penstock table drop lineitem",
            ""
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%n",
        optionListHeading = "%n")
final class TableCommand implements Callable<Integer> {
    private final Console console;

    @Spec private CommandSpec spec = CommandSpec.create();

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Mixin
    private HelpOption help = new HelpOption();

    TableCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: create, list, describe or drop");
    }

    @Command(
            name = "create",
            abbreviateSynopsis = true,
            header = "Creates a table.",
            footerHeading = "%n",
            footer = {
                "  penstock table create --ddl lineitem.sql",
                "",
                "The file holds one statement as",
                "  CREATE TABLE t (a BIGINT NOT NULL, b VARCHAR(20), PRIMARY KEY (a))",
                "With IF NOT EXISTS a table that has the same columns and key already is no error.",
                ""
            })
    int create(
            @Option(
                            names = "--ddl",
                            required = true,
                            paramLabel = "FILE",
                            description = "The CREATE TABLE statement.")
                    Path ddl,
            @Mixin StoreOptions store,
            @Mixin OutputOptions output) {
        String sql = SchemaOptions.text(ddl);
        TableSchema schema = SchemaOptions.parse(ddl, sql);
        boolean created;
        try (Penstock penstock = store.openOrCreate()) {
            created = createUnlessThere(penstock, schema, sql);
        }
        if (output.json()) {
            console.print(json(schema).put("created", created).toString());
        } else if (!output.quiet()) {
            console.say(
                    created
                            ? "Created table " + schema.name() + "."
                            : "There is a table " + schema.name() + " with these columns already.");
        }
        return ExitCode.DONE;
    }

    /** Whether it was this that has created the table; one that is there has to be the same. */
    private static boolean createUnlessThere(Penstock penstock, TableSchema schema, String sql) {
        try {
            penstock.createTable(schema);
            return true;
        } catch (PenstockException e) {
            if (e.category() != ErrorCategory.CONFLICT || !Ddl.ifNotExists(sql)) {
                throw e;
            }
            TableSchema present =
                    penstock.findTable(schema.name()).map(Table::schema).orElseThrow(() -> e);
            if (!present.columns().equals(schema.columns())
                    || !present.key().equals(schema.key())) {
                throw PenstockException.conflict(
                        "table "
                                + schema.name()
                                + " exists already, with other columns or another key than the"
                                + " statement declares");
            }
            return false;
        }
    }

    @Command(
            name = "list",
            abbreviateSynopsis = true,
            header = "Lists the tables.",
            footerHeading = "%n",
            footer = {
                "  penstock table list",
                "  penstock table list --connect 127.0.0.1:7070 --json",
                ""
            })
    int list(@Mixin StoreOptions store, @Mixin OutputOptions output) {
        List<TableSchema> tables;
        try (Penstock penstock = store.open()) {
            tables = penstock.tables();
        }
        if (output.json()) {
            console.print(
                    new JsonObject()
                            .put("tables", tables.stream().map(TableCommand::json).toList())
                            .toString());
        } else {
            tables.forEach(table -> console.print(table.name()));
        }
        return ExitCode.DONE;
    }

    @Command(
            name = "describe",
            abbreviateSynopsis = true,
            header = "Shows a table's columns, key, rows and regions.",
            footerHeading = "%n",
            footer = {
                "  penstock table describe lineitem",
                "  penstock table describe lineitem --json",
                ""
            })
    int describe(
            @Parameters(paramLabel = "T", description = "The table.") String name,
            @Mixin StoreOptions store,
            @Mixin OutputOptions output) {
        try (Penstock penstock = store.open()) {
            Table table = penstock.table(name);
            long rows = table.count(KeyRange.ALL, Predicate.ALWAYS);
            int regions = table.regions().size();
            if (output.json()) {
                console.print(
                        json(table.schema()).put("rows", rows).put("regions", regions).toString());
            } else {
                print(table.schema());
                console.print("");
                console.print(
                        Quantities.count(rows, "row") + " in " + Counted.of(regions, "region"));
            }
        }
        return ExitCode.DONE;
    }

    @Command(
            name = "drop",
            abbreviateSynopsis = true,
            header = "Drops a table with all its rows.",
            footerHeading = "%n",
            footer = {
                "  penstock table drop lineitem",
                "  penstock table drop lineitem --if-exists --connect 127.0.0.1:7070",
                ""
            })
    int drop(
            @Parameters(paramLabel = "T", description = "The table.") String name,
            @Option(names = "--if-exists", description = "No error if there is no such table.")
                    boolean ifExists,
            @Mixin StoreOptions store,
            @Mixin OutputOptions output) {
        boolean dropped;
        try (Penstock penstock = store.open()) {
            dropped = penstock.dropTable(name);
            if (!dropped && !ifExists) {
                throw NoSuchTable.failure(name, penstock.tables());
            }
        }
        if (output.json()) {
            console.print(new JsonObject().put("table", name).put("dropped", dropped).toString());
        } else if (!output.quiet()) {
            console.say(
                    dropped ? "Dropped table " + name + "." : "There was no table " + name + ".");
        }
        return ExitCode.DONE;
    }

    private void print(TableSchema schema) {
        TextTable text = new TextTable("llll", "column", "type", "null", "key");
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            Column column = schema.column(i);
            text.row(
                    column.name(),
                    column.type().sql(),
                    column.nullable() ? "yes" : "no",
                    keyPart(schema, i));
        }
        text.lines("").forEach(console::print);
    }

    private static String keyPart(TableSchema schema, int column) {
        for (int i = 0; i < schema.key().size(); i++) {
            KeyColumn part = schema.key().get(i);
            if (part.columnIndex() == column) {
                return (i + 1) + (part.descending() ? " descending" : "");
            }
        }
        return "";
    }

    private static JsonObject json(TableSchema schema) {
        List<JsonObject> columns = new ArrayList<>();
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            Column column = schema.column(i);
            columns.add(
                    new JsonObject()
                            .put("name", column.name())
                            .put("type", column.type().sql())
                            .put("nullable", column.nullable()));
        }
        List<String> key =
                schema.hiddenRowId()
                        ? List.of()
                        : schema.key().stream()
                                .map(part -> schema.column(part.columnIndex()).name())
                                .toList();
        return new JsonObject()
                .put("table", schema.name())
                .put("columns", columns)
                .put("primary_key", key)
                .put("ddl", schema.sql());
    }
}
