package dev.penstock.bench.contender;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * ClickHouse embedded in Python (the package chdb): a MergeTree table ordered by the key, one
 * INSERT from the file, parts fsynced. Merging parts further is left to later, as it is in use.
 */
final class ClickHouse implements Contender {
    private final Workload workload;
    private final String python;

    ClickHouse(Workload workload, String python) {
        this.workload = workload;
        this.python = python;
    }

    @Override
    public String name() {
        return "clickhouse";
    }

    @Override
    public String description() {
        return "ClickHouse (chdb): CREATE TABLE with MergeTree ORDER BY the key,"
                + " fsync_after_insert, fsync_part_directory; INSERT SELECT from file(), types"
                + " given; started before the clock";
    }

    @Override
    public String version() throws IOException, InterruptedException {
        String ask =
                "import chdb; print(chdb.query('SELECT version()').data().strip().strip('\"') + ',"
                        + " chdb ' + chdb.__version__)";
        return ChildProcess.run(List.of(python, "-c", ask));
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public Optional<String> obstacle() {
        try {
            String test = "import chdb; chdb.query('SELECT 1')";
            ChildProcess.run(List.of(python, "-c", test));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    python + " cannot import chdb (pip install chdb): " + lastLine(e.toString()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    private static String lastLine(String text) {
        return text.substring(text.lastIndexOf('\n') + 1).strip();
    }

    @Override
    public Loaded load(Path folder) throws IOException, InterruptedException {
        Path script = folder.resolve("load.py");
        try (InputStream in = ClickHouse.class.getResourceAsStream("clickhouse_load.py")) {
            if (in == null) {
                throw new IllegalStateException("resource clickhouse_load.py is missing");
            }
            Files.copy(in, script);
        }
        Path data = Files.createDirectory(folder.resolve("data"));
        Path job = Files.writeString(folder.resolve("job.json"), job(data).toString());
        JsonNode said =
                new ObjectMapper()
                        .readTree(ChildProcess.run(List.of(python, script.toString()), job));
        return new Loaded(
                new Stopwatch.Span(
                        said.get("seconds").asDouble(), said.get("cpu_seconds").asDouble()),
                said.get("rows").asLong(),
                Folders.bytes(data));
    }

    private JsonObject job(Path data) {
        TextFormat format = workload.format();
        String structure =
                workload.columns(column -> column.name() + " " + type(column))
                        + (format.trailing() ? ", after_last String" : "");
        return new JsonObject()
                .put("path", data.toString())
                .put(
                        "create",
                        "CREATE TABLE "
                                + workload.table()
                                + " ("
                                + workload.columns(column -> column.name() + " " + type(column))
                                + ") ENGINE = MergeTree ORDER BY ("
                                + workload.key()
                                + ") SETTINGS fsync_after_insert = 1, fsync_part_directory = 1")
                .put(
                        "insert",
                        "INSERT INTO "
                                + workload.table()
                                + " SELECT "
                                + workload.columns(Column::name)
                                + " FROM file("
                                + workload.quotedFile()
                                + (format.header() ? ", CSVWithNames, '" : ", CSV, '")
                                + structure
                                + "') SETTINGS "
                                + settings())
                .put("count", "SELECT count() FROM " + workload.table());
    }

    private String settings() {
        TextFormat format = workload.format();
        return "max_threads = "
                + workload.threads()
                + ", max_insert_threads = "
                + workload.threads()
                + ", format_csv_delimiter = '"
                + format.delimiter()
                + "', format_csv_allow_single_quotes = 0, format_csv_allow_double_quotes = "
                + (format.quoted() ? 1 : 0);
    }

    private static String type(Column column) {
        String type =
                switch (column.type()) {
                    case ColumnType.BooleanType _ -> "Bool";
                    case ColumnType.SmallIntType _ -> "Int16";
                    case ColumnType.IntegerType _ -> "Int32";
                    case ColumnType.BigIntType _ -> "Int64";
                    case ColumnType.RealType _ -> "Float32";
                    case ColumnType.DoubleType _ -> "Float64";
                    case ColumnType.DecimalType decimal ->
                            "Decimal(" + decimal.precision() + ", " + decimal.scale() + ")";
                    case ColumnType.DateType _ -> "Date32";
                    case ColumnType.TimestampType _ -> "DateTime64(6)";
                    case ColumnType.UuidType _ -> "UUID";
                    case ColumnType.TimeType _,
                            ColumnType.CharType _,
                            ColumnType.VarcharType _,
                            ColumnType.VarbinaryType _ ->
                            "String";
                };
        return column.nullable() ? "Nullable(" + type + ")" : type;
    }
}
