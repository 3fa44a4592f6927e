package dev.penstock.bench.contender;

import dev.penstock.bench.machine.CpuTime;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * MariaDB on a Unix socket: a fresh InnoDB data folder per run, {@code LOAD DATA INFILE} into an
 * empty table with the primary key. Durability is on; {@code unique_checks} and {@code
 * foreign_key_checks} are off, as MariaDB asks for to build the index in bulk.
 */
final class MariaDb implements Contender {
    private static final List<Path> FOLDERS =
            List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"), Path.of("/usr/local/bin"));

    private final Workload workload;

    MariaDb(Workload workload) {
        this.workload = workload;
    }

    @Override
    public String name() {
        return "mariadb";
    }

    @Override
    public String description() {
        return "MariaDB: LOAD DATA INFILE into an empty InnoDB table with the PRIMARY KEY;"
                + " innodb_flush_log_at_trx_commit 1, doublewrite on, buffer pool a quarter of"
                + " memory, log 4G, no binary log, unique_checks 0 (bulk insert); server started"
                + " before the clock; CPU of server and client";
    }

    @Override
    public String version() throws IOException, InterruptedException {
        String said = ChildProcess.run(List.of(program("mariadbd"), "--no-defaults", "--version"));
        return said.substring(said.indexOf("Ver") + 3).strip();
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public Optional<String> obstacle() {
        return missing();
    }

    /** What of MariaDB is not installed. */
    static Optional<String> missing() {
        for (String program : List.of("mariadb-install-db", "mariadbd", "mariadb")) {
            if (ChildProcess.find(program, FOLDERS).isEmpty()) {
                return Optional.of(program + " is not on the PATH");
            }
        }
        return Optional.empty();
    }

    @Override
    public Loaded load(Path folder) throws IOException, InterruptedException {
        Path data = install(folder);
        Path socket = folder.resolve("socket");
        List<String> command = command(data, socket);
        command.add("--skip-networking");
        try (Server server = Server.start(command)) {
            server.await("ready for connections");
            Path sql = Files.writeString(folder.resolve("load.sql"), sql());
            Stopwatch watch = Stopwatch.start(CpuTime.endedChildren(), CpuTime.tree(server.pid()));
            ChildProcess.run(client(socket), sql);
            Stopwatch.Span span = watch.stop();
            Path count =
                    Files.writeString(
                            folder.resolve("count.sql"),
                            "SELECT count(*) FROM bench." + workload.table() + ";");
            long rows = Long.parseLong(ChildProcess.run(client(socket), count));
            return new Loaded(span, rows, Folders.bytes(data.resolve("bench")));
        }
    }

    /** Makes an empty data folder within a folder. */
    static Path install(Path folder) throws IOException, InterruptedException {
        Path data = folder.resolve("data");
        ChildProcess.run(
                List.of(
                        program("mariadb-install-db"),
                        "--no-defaults",
                        "--datadir=" + data,
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db",
                        user()));
        return data;
    }

    /** How a server is started that loses nothing, but for how it is reached. */
    static List<String> command(Path data, Path socket) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(program("mariadbd"), "--no-defaults", user()));
        command.addAll(settings(data, socket));
        return command;
    }

    private static String user() {
        return "--user=" + System.getProperty("user.name");
    }

    private static List<String> settings(Path data, Path socket) throws IOException {
        return List.of(
                "--datadir=" + data,
                "--socket=" + socket,
                "--pid-file=" + data.resolve("pid"),
                "--skip-log-bin",
                "--character-set-server=utf8mb4",
                "--innodb-flush-log-at-trx-commit=1",
                "--innodb-doublewrite=1",
                "--innodb-buffer-pool-size=" + Memory.quarterInMegabytes() + "M",
                "--innodb-log-file-size=4G",
                "--secure-file-priv=");
    }

    private static List<String> client(Path socket) {
        return List.of(
                program("mariadb"),
                "--no-defaults",
                "--user=root",
                "--socket=" + socket,
                "--batch",
                "--skip-column-names");
    }

    private String sql() {
        TextFormat format = workload.format();
        return "CREATE DATABASE bench;\n"
                + "USE bench;\n"
                + "SET unique_checks = 0, foreign_key_checks = 0;\n"
                + "CREATE TABLE "
                + workload.table()
                + " ("
                + workload.columns(MariaDb::declared)
                + ", PRIMARY KEY ("
                + workload.key()
                + ")) ENGINE = InnoDB;\nLOAD DATA INFILE "
                + workload.quotedFile()
                + " INTO TABLE "
                + workload.table()
                + " CHARACTER SET utf8mb4 FIELDS TERMINATED BY '"
                + format.delimiter()
                + (format.quoted() ? "' OPTIONALLY ENCLOSED BY '\"'" : "'")
                + " ESCAPED BY '' LINES TERMINATED BY '"
                + (format.trailing() ? format.delimiter() : "")
                + "\\n' IGNORE "
                + (format.header() ? 1 : 0)
                + " LINES ("
                + workload.columns(MariaDb::target)
                + ")"
                + conversions()
                + ";\n";
    }

    /** The column itself, or a variable where the text is not the value as it stands. */
    private static String target(Column column) {
        return converted(column) ? "@" + column.name() : column.name();
    }

    private static boolean converted(Column column) {
        return column.nullable() || column.type() instanceof ColumnType.BooleanType;
    }

    private String conversions() {
        List<String> conversions = new ArrayList<>();
        for (Column column : workload.schema().columns()) {
            if (converted(column)) {
                String text = "NULLIF(@" + column.name() + ", '')";
                boolean truth = column.type() instanceof ColumnType.BooleanType;
                conversions.add(column.name() + " = " + (truth ? text + " = 'true'" : text));
            }
        }
        return conversions.isEmpty() ? "" : " SET " + String.join(", ", conversions);
    }

    private static String declared(Column column) {
        String type =
                switch (column.type()) {
                    case ColumnType.TimestampType _ -> "DATETIME(6)";
                    case ColumnType.TimeType _ -> "TIME(6)";
                    case ColumnType.RealType _ -> "FLOAT";
                    default -> column.type().sql();
                };
        return column.name() + " " + type + (column.nullable() ? " NULL" : " NOT NULL");
    }

    private static String program(String name) {
        return ChildProcess.find(name, FOLDERS).orElseThrow().toString();
    }
}
