package dev.penstock.cli;

import dev.penstock.kernel.KernelSelection;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.node.NodeOptions;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Reaches, beside the parsing of a command line, what the command will reach first afterwards: Java
 * initializes classes where they are first used, and a tenth of a second of that would otherwise
 * come one after the other while a processor idles. It also reads the declaration of a load's
 * table. Without it everything happens all the same, later.
 *
 * <p>A load awaits the end before it uses anything of what is reached here: two threads that
 * initialize classes of one library in different orders could wait for each other for ever.
 */
final class HeadStart implements Runnable {
    /** Read where no statement can be, to have read one. */
    private static final String ANY = "CREATE TABLE t (k INTEGER NOT NULL, PRIMARY KEY (k))";

    /** A longer file is no statement, and nobody waits for it here. */
    private static final long MAX_STATEMENT_BYTES = 1 << 20;

    private static final Set<String> LOADING = Set.of("load", "demo");

    /** Commands that open a store, unless it is a server's. */
    private static final Set<String> OPENING =
            Set.of("aggregate", "count", "get", "loads", "plan", "rejects", "scan", "table");

    /** Null if the command has none. */
    private static volatile @Nullable HeadStart running;

    private final List<String> args;
    private final Thread thread = new Thread(this, "penstock-head-start");

    /** Written by the thread. */
    private @Nullable Declared declared;

    /** A CREATE TABLE statement and its table. */
    private record Declared(String sql, TableSchema table) {}

    private HeadStart(String... args) {
        this.args = List.of(args);
    }

    /** Begins, in a thread of its own, if the command is one that loads or opens a store. */
    static void begin(String... args) {
        if (args.length < 2) {
            return;
        }
        HeadStart start = new HeadStart(args);
        if (start.loads() || start.opensStore()) {
            start.thread.setDaemon(true);
            running = start;
            start.thread.start();
        }
    }

    private boolean loads() {
        return LOADING.contains(args.getFirst());
    }

    private boolean opensStore() {
        return OPENING.contains(args.getFirst()) && !args.contains("--connect");
    }

    /** Waits until what {@link #begin} began is over; an interrupt ends the waiting. */
    static void await() {
        HeadStart start = running;
        if (start == null) {
            return;
        }
        try {
            start.thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        if (loads()) {
            declared = declared();
            NodeOptions.defaults();
            // It may bring the vector module in.
            KernelSelection.chosen();
        } else {
            // Logs have one, and its class begins with making tables.
            new CRC32C().reset();
        }
    }

    /** What {@code --ddl} names, read. Whatever is wrong with it the command will meet and tell. */
    private @Nullable Declared declared() {
        try {
            String sql = statement();
            return new Declared(sql, Ddl.parseCreateTable(sql));
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /** A file only: what comes through a pipe comes once. */
    private String statement() throws IOException {
        int at = args.indexOf("--ddl") + 1;
        if (at == 0 || at == args.size()) {
            return ANY;
        }
        Path file = Path.of(args.get(at));
        boolean read = Files.isRegularFile(file) && Files.size(file) <= MAX_STATEMENT_BYTES;
        return read ? SchemaOptions.statement(file) : ANY;
    }

    /** The table of a statement, if it is the one that has been read; after {@link #await}. */
    static Optional<TableSchema> table(String sql) {
        HeadStart start = running;
        Declared known = start == null || start.thread.isAlive() ? null : start.declared;
        return known != null && known.sql().equals(sql)
                ? Optional.of(known.table())
                : Optional.empty();
    }
}
