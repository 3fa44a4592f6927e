package dev.penstock.jdbc;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadReport;
import dev.penstock.sql.SqlEngine;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Optional;

/**
 * Runs the {@link Command}s of one statement and keeps what the last one gave. Of the statement's
 * thread, but for {@link #cancel}.
 */
final class CommandRunner {
    private static final long NONE = -1;
    private static final String WARNING = "01000";

    private final PenstockConnection connection;
    private volatile @Nullable TableLoad running;
    private volatile boolean cancelled;
    private boolean current;
    private long updateCount = NONE;
    private @Nullable LoadReport report;
    private @Nullable SQLWarning warnings;

    CommandRunner(PenstockConnection connection) {
        this.connection = connection;
    }

    /** Whether the statement's last execution was a command. */
    boolean isCurrent() {
        return current;
    }

    /** The statement runs something else now. */
    void forget() {
        current = false;
        report = null;
        warnings = null;
        updateCount = NONE;
    }

    /** What the last command changed, or -1 once {@link #noMore} was asked. */
    long updateCount() {
        return updateCount;
    }

    /** The driver ran something else itself that changed so many rows. */
    void counted(long rows) {
        current = true;
        updateCount = rows;
    }

    void noMore() {
        updateCount = NONE;
    }

    Optional<LoadReport> report() {
        return Optional.ofNullable(report);
    }

    /** What the last command would have its user know. */
    @Nullable SQLWarning warnings() {
        return warnings;
    }

    void clearWarnings() {
        warnings = null;
    }

    private void warn(String sentence) {
        SQLWarning warning = new SQLWarning(sentence, WARNING);
        if (warnings == null) {
            warnings = warning;
        } else {
            warnings.setNextWarning(warning);
        }
    }

    /** The statement begins to run, perhaps several commands: none of them was cancelled yet. */
    void begin() {
        cancelled = false;
    }

    /** Whether the statement was cancelled since it began. By any thread. */
    boolean isCancelled() {
        return cancelled;
    }

    /** Stops a COPY, and those to come before the next {@link #begin}. By any thread. */
    void cancel() {
        cancelled = true;
        TableLoad load = running;
        if (load != null) {
            load.cancel();
        }
    }

    /** Runs a command and returns how many rows it changed. */
    long run(Command command) throws SQLException {
        forget();
        current = true;
        updateCount =
                switch (command) {
                    case Command.CreateTable create -> create(create);
                    case Command.DropTable drop -> drop(drop);
                    case Command.Copy copy -> copy(copy);
                };
        return updateCount;
    }

    private long create(Command.CreateTable create) throws SQLException {
        String name = create.schema().name();
        if (name.equalsIgnoreCase(SqlEngine.LOADS)) {
            throw exists(name, null);
        }
        try {
            connection.store().createTable(create.schema());
        } catch (PenstockException e) {
            if (e.category() != ErrorCategory.CONFLICT) {
                throw SqlErrors.of(e);
            }
            if (!create.ifNotExists()) {
                throw exists(name, e);
            }
        }
        return 0;
    }

    private static SQLException exists(String name, @Nullable PenstockException cause) {
        return new SQLException("there is a table " + name + " already", "42P07", cause);
    }

    private long drop(Command.DropTable drop) throws SQLException {
        try {
            if (!connection.store().dropTable(drop.table()) && !drop.ifExists()) {
                throw new SQLException("there is no table " + drop.table(), "42P01");
            }
            return 0;
        } catch (PenstockException e) {
            throw SqlErrors.of(e);
        }
    }

    private long copy(Command.Copy copy) throws SQLException {
        if (copy.inputs().isEmpty()) {
            throw new SQLException(
                    "COPY ... FROM STDIN needs a stream:"
                            + " connection.unwrap(PenstockConnection.class).copyIn(sql, stream)",
                    "0A000");
        }
        TableLoad load = connection.load(copy);
        running = load;
        if (cancelled) {
            load.cancel();
        }
        try {
            LoadReport done = load.run();
            report = done;
            return done.rowsLoaded();
        } finally {
            running = null;
            load.notes().forEach(this::warn);
        }
    }
}
