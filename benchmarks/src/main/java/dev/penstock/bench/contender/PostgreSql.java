package dev.penstock.bench.contender;

import dev.penstock.bench.machine.CpuTime;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * PostgreSQL on a Unix socket: a fresh cluster per run, one transaction of CREATE TABLE, COPY and
 * ADD PRIMARY KEY, fsync and full durability on. As {@code wal_level} is minimal and the table is
 * new, PostgreSQL writes the table itself to disk at the commit instead of logging it.
 */
final class PostgreSql implements Contender {
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final String ROOT = "root";

    private final Workload workload;

    PostgreSql(Workload workload) {
        this.workload = workload;
    }

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public String description() {
        return "PostgreSQL: one transaction of CREATE TABLE, COPY, ADD PRIMARY KEY; fsync on,"
                + " wal_level minimal, max_wal_size 16GB, shared_buffers a quarter of memory,"
                + " maintenance_work_mem 1GB; server started before the clock; CPU of server and"
                + " client";
    }

    @Override
    public String version() throws IOException, InterruptedException {
        String said = ChildProcess.run(List.of(program("psql").orElseThrow().toString(), "-V"));
        return said.substring(said.indexOf(')') + 1).strip();
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public Optional<String> obstacle() {
        for (String program : List.of("initdb", "pg_ctl", "psql")) {
            if (program(program).isEmpty()) {
                return Optional.of(
                        program + " is neither on the PATH nor in /usr/lib/postgresql/*/bin");
            }
        }
        return isRoot() && ChildProcess.find("setpriv", List.of()).isEmpty()
                ? Optional.of("PostgreSQL refuses to run as root, and there is no setpriv")
                : Optional.empty();
    }

    @Override
    public Loaded load(Path folder) throws IOException, InterruptedException {
        openFor(folder);
        Path data = folder.resolve("data");
        ChildProcess.run(
                asUser(
                        "initdb",
                        List.of(
                                "--pgdata=" + data,
                                "--username=bench",
                                "--auth=trust",
                                "--encoding=UTF8",
                                "--no-locale",
                                "--no-sync")));
        Files.writeString(
                data.resolve("postgresql.conf"), String.join("\n", settings(folder)) + "\n");
        Path log = folder.resolve("server.log");
        List<String> stop = control(data, log, "stop", "--mode=fast");
        try (AtExit.Task _ = AtExit.run(() -> stopAtExit(stop))) {
            ChildProcess.run(control(data, log, "start"));
            try {
                return load(folder, pid(data));
            } finally {
                ChildProcess.run(stop);
            }
        }
    }

    private Loaded load(Path folder, long serverPid) throws IOException, InterruptedException {
        Path sql = Files.writeString(folder.resolve("load.sql"), sql());
        Stopwatch watch = Stopwatch.start(CpuTime.endedChildren(), CpuTime.tree(serverPid));
        ChildProcess.run(client(folder, "--file=" + sql));
        Stopwatch.Span span = watch.stop();
        String table = workload.table();
        return new Loaded(
                span,
                number(folder, "SELECT count(*) FROM " + table),
                number(folder, "SELECT pg_total_relation_size('" + table + "')"));
    }

    private String sql() {
        TextFormat format = workload.format();
        // COPY wants a column for the empty text after the last delimiter. It is all NULL, which
        // takes one bit a row, and goes at the end, which is a matter of the catalog.
        String spare = format.trailing() ? ", after_last TEXT" : "";
        String copy =
                "COPY "
                        + workload.table()
                        + " FROM "
                        + workload.quotedFile()
                        + " WITH (FORMAT csv, DELIMITER '"
                        + format.delimiter()
                        + "', HEADER "
                        + format.header()
                        // No text has a byte 1: nothing is quoted.
                        + (format.quoted() ? "" : ", QUOTE E'\\x01'")
                        + ")";
        return "BEGIN;\nCREATE TABLE "
                + workload.table()
                + " ("
                + workload.columns(PostgreSql::declared)
                + spare
                + ");\n"
                + (everybodyMayRead(workload.file()) ? copy : "\\copy" + copy.substring(4))
                + ";\nALTER TABLE "
                + workload.table()
                + " ADD PRIMARY KEY ("
                + workload.key()
                + ");\n"
                + (format.trailing()
                        ? "ALTER TABLE " + workload.table() + " DROP COLUMN after_last;\n"
                        : "")
                + "COMMIT;\n";
    }

    private static boolean everybodyMayRead(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static List<String> settings(Path folder) throws IOException {
        return List.of(
                "listen_addresses = ''",
                "unix_socket_directories = '" + folder + "'",
                "fsync = on",
                "synchronous_commit = on",
                "wal_level = minimal",
                "max_wal_senders = 0",
                "max_wal_size = 16GB",
                "checkpoint_timeout = 30min",
                "shared_buffers = " + Memory.quarterInMegabytes() + "MB",
                "maintenance_work_mem = 1GB",
                "log_min_messages = warning");
    }

    private static String declared(Column column) {
        String type =
                switch (column.type()) {
                    case ColumnType.DoubleType _ -> "DOUBLE PRECISION";
                    case ColumnType.VarbinaryType _ -> "BYTEA";
                    default -> column.type().sql();
                };
        return column.name() + " " + type + (column.nullable() ? "" : " NOT NULL");
    }

    private long number(Path folder, String query) throws IOException, InterruptedException {
        return Long.parseLong(ChildProcess.run(client(folder, "--command=" + query)));
    }

    private static List<String> client(Path folder, String what) {
        return List.of(
                program("psql").orElseThrow().toString(),
                "--no-psqlrc",
                "--quiet",
                "--tuples-only",
                "--no-align",
                "--set=ON_ERROR_STOP=1",
                "--host=" + folder,
                "--username=bench",
                "--dbname=postgres",
                what);
    }

    private static List<String> control(Path data, Path log, String... words) {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of("--pgdata=" + data, "--wait", "--timeout=600", "--silent"));
        if (words[0].equals("start")) {
            arguments.add("--log=" + log);
        }
        return asUser("pg_ctl", arguments);
    }

    private static void stopAtExit(List<String> stop) {
        try {
            ChildProcess.run(stop);
        } catch (IOException e) {
            System.err.println(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static long pid(Path data) throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
    }

    /** PostgreSQL refuses to run as root: then another user runs it and owns the folder. */
    private static void openFor(Path folder) throws IOException {
        if (!isRoot()) {
            return;
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setOwner(
                folder,
                folder.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(user()));
    }

    private static List<String> asUser(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=" + user(), "--clear-groups", "--"));
        }
        command.add(program(program).orElseThrow().toString());
        command.addAll(arguments);
        return command;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals(ROOT);
    }

    private static String user() {
        try {
            Path.of("/")
                    .getFileSystem()
                    .getUserPrincipalLookupService()
                    .lookupPrincipalByName("postgres");
            return "postgres";
        } catch (IOException e) {
            return "nobody";
        }
    }

    private static Optional<Path> program(String name) {
        try (Stream<Path> versions =
                Files.isDirectory(DEBIAN) ? Files.list(DEBIAN) : Stream.empty()) {
            // The server's programs, newest version first, then what is on the path.
            Optional<Path> installed =
                    versions.sorted((a, b) -> version(b) - version(a))
                            .map(version -> version.resolve("bin").resolve(name))
                            .filter(Files::isExecutable)
                            .findFirst();
            return installed.or(() -> ChildProcess.find(name, List.of()));
        } catch (IOException e) {
            return ChildProcess.find(name, List.of());
        }
    }

    private static int version(Path folder) {
        String digits = folder.getFileName().toString().replaceAll("[^0-9]", "");
        return digits.isEmpty() || digits.length() > 4 ? 0 : Integer.parseInt(digits);
    }
}
