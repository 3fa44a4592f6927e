package dev.penstock.jdbc;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.BytePipe;
import dev.penstock.loader.LoadOption;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.PumpedInput;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.List;

/**
 * A bulk load into one table, from files, a stream, a reader or typed rows: sampled, split and
 * loaded by many threads as the command {@code load} does it. All of it becomes visible at once, or
 * nothing does; a closed connection stops it.
 *
 * <pre>
 * PenstockConnection penstock = connection.unwrap(PenstockConnection.class);
 * LoadReport report = penstock.bulkLoad("sales").delimiter('|').from(path).run();
 *
 * try (RowAppender rows = penstock.bulkLoad("sales").appender()) {
 *     rows.append(1).append("text").append(LocalDate.now()).endRow();
 *     rows.finish();
 * }
 * </pre>
 *
 * One object is one load; {@link #cancel} may be called by any thread.
 */
public final class TableLoad {
    private final PenstockConnection connection;
    private final TableSchema schema;
    private final LoadSpecBuilder spec;

    /** Names of the columns that are filled, in the order of the fields. */
    private List<String> fields;

    private @Nullable InputStream stream;
    private @Nullable LoadJob job;
    private boolean cancelled;

    TableLoad(PenstockConnection connection, TableSchema schema) {
        this.connection = connection;
        this.schema = schema;
        this.spec = LoadSpec.builder(schema.name());
        this.fields = columnNames(schema);
    }

    /** The columns that the fields fill, in field order; {@code -} skips a field. */
    public TableLoad columns(String... names) {
        spec.columns(List.of(names));
        fields = names.length > 0 ? List.of(names) : columnNames(schema);
        return this;
    }

    private static List<String> columnNames(TableSchema schema) {
        return schema.columns().stream()
                .limit(schema.visibleColumnCount())
                .map(Column::name)
                .toList();
    }

    public TableLoad delimiter(char value) {
        spec.dialect(spec.dialect().withDelimiter(value));
        return this;
    }

    /** Around fields; null if nothing is. */
    public TableLoad quote(@Nullable Character value) {
        spec.dialect(spec.dialect().withQuote(value == null ? Dialect.NONE : value));
        return this;
    }

    /** Whether the first record of each input names the fields. */
    public TableLoad header(boolean value) {
        spec.dialect(spec.dialect().withHeader(value));
        return this;
    }

    /** The unquoted text that means NULL. */
    public TableLoad nullText(String value) {
        spec.dialect(spec.dialect().withNullText(value));
        return this;
    }

    /** The user's name for the load. */
    public TableLoad label(String value) {
        spec.label(value);
        return this;
    }

    /**
     * Whether the load, which needs a label, goes on where an interrupted one of it has stopped.
     */
    public TableLoad resume(boolean value) {
        spec.resume(value);
        return this;
    }

    public TableLoad threads(int value) {
        spec.threads(value);
        return this;
    }

    /** How many records may be rejected. */
    public TableLoad maxRejects(long value) throws SQLException {
        return option("MAX_REJECTS", Long.toString(value));
    }

    /** Where rejected records are written, as they were read. */
    public TableLoad rejectsFile(Path value) {
        spec.rejectsFile(value);
        return this;
    }

    /** Any option of {@code COPY} by its name. */
    public TableLoad option(String name, String value) throws SQLException {
        try {
            return option(LoadOption.of(name), value);
        } catch (PenstockException e) {
            throw SqlErrors.of(e);
        }
    }

    TableLoad option(LoadOption option, String value) {
        option.set(spec, value);
        return this;
    }

    /** Adds files and folders. */
    public TableLoad from(Path... inputs) {
        for (Path input : inputs) {
            spec.from(input.toString());
        }
        return this;
    }

    /** Adds files, folders and globs. */
    public TableLoad from(List<String> inputs) {
        spec.from(inputs);
        return this;
    }

    /** Adds a stream, which may be compressed, is read once, and stays open. */
    public TableLoad from(InputStream input) {
        spec.from(LoadSpec.STANDARD_INPUT);
        stream = input;
        return this;
    }

    /** Adds characters, read once; the reader stays open. */
    public TableLoad from(Reader input) {
        return from(new ReaderStream(input));
    }

    /**
     * Runs the load to its end.
     *
     * @throws SQLException if it failed or was cancelled (57014); then nothing of it is visible,
     *     but for SQLSTATE 40003: publishing failed in such a way that all of it may be
     */
    public LoadReport run() throws SQLException {
        InputStream source = stream;
        PumpedInput input =
                new PumpedInput(source == null ? InputStream.nullInputStream() : source);
        LoadJob made = job(input, input::giveUp);
        return connection.run(made);
    }

    /**
     * Begins the load with rows of Java values; it runs in a thread of its own until the appender
     * has finished. Closed before, it leaves nothing.
     */
    public RowAppender appender() throws SQLException {
        if (stream != null) {
            throw new SQLException("a load has either a stream or an appender", "42000");
        }
        spec.from(LoadSpec.STANDARD_INPUT).dialect(RowAppender.DIALECT);
        BytePipe pipe = new BytePipe();
        LoadJob made = job(pipe, pipe::giveUp);
        return RowAppender.start(connection, made, pipe, fields.size(), decimals());
    }

    /** Which fields fill DECIMAL columns. */
    private BitSet decimals() {
        BitSet decimals = new BitSet();
        for (int i = 0; i < fields.size(); i++) {
            int column = schema.indexOf(fields.get(i));
            decimals.set(
                    i,
                    column >= 0 && schema.column(column).type() instanceof ColumnType.DecimalType);
        }
        return decimals;
    }

    private synchronized LoadJob job(InputStream input, Runnable giveUp) throws SQLException {
        if (job != null) {
            throw new SQLException("one object is one load; this one has run", "55000");
        }
        try {
            LoadJob made =
                    new LoadJob(connection.store().loadTarget(), spec.build(), input, giveUp);
            job = made;
            if (cancelled) {
                made.cancel();
            }
            return made;
        } catch (PenstockException e) {
            throw SqlErrors.of(e);
        }
    }

    /**
     * What {@link #run} has left out of the inputs that may have been meant, folders in a folder
     * say, one sentence each.
     */
    public synchronized List<String> notes() {
        return job == null ? List.of() : job.notes();
    }

    /** Stops the load, running or to come; without effect once publishing has begun. */
    public synchronized void cancel() {
        cancelled = true;
        if (job != null) {
            job.cancel();
        }
    }
}
