package dev.penstock.jdbc;

import dev.penstock.sql.BatchInsert;

import org.jspecify.annotations.Nullable;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The batch of one statement: texts, or rows of parameters. Rows of an INSERT or UPSERT are stored
 * in blocks, others run one after the other; either way the batch ends at the first failure, what
 * was before it stays. Of the statement's thread.
 */
final class StatementBatch {
    /** Most statements of a batch: they are kept in memory, more are a job for a bulk load. */
    private static final int MAX_SIZE = 1_000_000;

    private final List<String> texts = new ArrayList<>();
    private final List<@Nullable Object[]> rows = new ArrayList<>();
    private @Nullable Object[] parameters = new @Nullable Object[0];

    /** Stands for a parameter that was not set. */
    private enum Unset {
        PARAMETER
    }

    /** Runs a statement of the batch and counts the rows that it changed. */
    @FunctionalInterface
    interface Step<T> {
        long run(T statement) throws SQLException;
    }

    /** Remembers a parameter; {@code arguments} are those of any method that sets one. */
    void set(@Nullable Object @Nullable [] arguments, boolean isNull) {
        if (arguments == null || !(arguments[0] instanceof Integer index) || index < 1) {
            return;
        }
        int known = parameters.length;
        if (known < index) {
            parameters = Arrays.copyOf(parameters, index);
            Arrays.fill(parameters, known, index, Unset.PARAMETER);
        }
        Object value = isNull ? null : arguments[1];
        if (value instanceof java.util.Date date
                && arguments.length == 3
                && arguments[2] instanceof Calendar calendar) {
            value = read(date, calendar.getTimeZone().toZoneId());
        }
        parameters[index - 1] = asItIsNow(value);
    }

    /** Callers may change what they handed over, and use it for the next row. */
    @SuppressWarnings("JavaUtilDate") // what JDBC hands over
    private static @Nullable Object asItIsNow(@Nullable Object value) {
        return switch (value) {
            case java.util.Date date -> date.clone();
            case byte[] bytes -> bytes.clone();
            case null, default -> value;
        };
    }

    /** What a moment reads as in a zone, of which a date has no time and a time no date. */
    @SuppressWarnings("JavaUtilDate") // what JDBC hands over
    private static Object read(java.util.Date date, ZoneId zone) {
        // A date and a time refuse to be asked for an instant; only a timestamp has microseconds.
        Instant instant =
                date instanceof Timestamp timestamp
                        ? timestamp.toInstant()
                        : Instant.ofEpochMilli(date.getTime());
        LocalDateTime moment = LocalDateTime.ofInstant(instant, zone);
        return switch (date) {
            case java.sql.Date _ -> moment.toLocalDate();
            case Time _ -> moment.toLocalTime();
            default -> moment;
        };
    }

    void clearParameters() {
        Arrays.fill(parameters, Unset.PARAMETER);
    }

    void add(@Nullable String text, int parameterCount) throws SQLException {
        if (size() == MAX_SIZE) {
            throw new SQLException(
                    "a batch has " + MAX_SIZE + " statements at most; use COPY for more", "54000");
        }
        if (text != null) {
            texts.add(text);
        } else {
            rows.add(row(parameterCount));
        }
    }

    private @Nullable Object[] row(int parameterCount) throws SQLException {
        checkSet(parameterCount);
        return Arrays.copyOf(parameters, parameterCount);
    }

    /** Fails unless each parameter has a value. */
    void checkSet(int parameterCount) throws SQLException {
        for (int i = 0; i < parameterCount; i++) {
            if (i >= parameters.length || parameters[i] instanceof Unset) {
                throw new SQLException("parameter " + (i + 1) + " has no value", "07001");
            }
        }
    }

    /** Stores one row of the parameters as they are, beside the batch. */
    BatchInsert.Outcome insertOne(BatchInsert insert, InsertRun run) throws SQLException {
        return run.run(insert, Collections.singletonList(row(insert.parameterCount())));
    }

    private int size() {
        return texts.size() + rows.size();
    }

    void clear() {
        texts.clear();
        rows.clear();
    }

    /** Runs and empties the batch of texts. */
    long[] runTexts(Step<String> step) throws SQLException {
        return run(texts, step);
    }

    /** Runs and empties the batch of rows one after the other. */
    long[] runRows(Step<@Nullable Object[]> step) throws SQLException {
        return run(rows, step);
    }

    private <T> long[] run(List<T> kept, Step<T> step) throws SQLException {
        List<T> statements = List.copyOf(kept);
        clear();
        long[] counts = new long[statements.size()];
        for (int i = 0; i < counts.length; i++) {
            try {
                counts[i] = step.run(statements.get(i));
            } catch (SQLException e) {
                throw failed(i, Arrays.copyOf(counts, i), e);
            }
        }
        return counts;
    }

    /** Stores and empties the batch of rows in blocks. */
    long[] insert(BatchInsert insert, InsertRun run, BooleanSupplier timedOut) throws SQLException {
        List<@Nullable Object[]> batch = new ArrayList<>(rows);
        clear();
        BatchInsert.Outcome outcome = run.run(insert, batch);
        long[] counts = new long[outcome.stored()];
        Arrays.fill(counts, 1);
        RuntimeException failure = outcome.failure();
        if (failure != null) {
            throw failed(outcome.stored(), counts, run.failed(failure, timedOut.getAsBoolean()));
        }
        return counts;
    }

    private static BatchUpdateException failed(int index, long[] counts, SQLException cause) {
        return new BatchUpdateException(
                "statement " + (index + 1) + " of the batch: " + cause.getMessage(),
                cause.getSQLState(),
                cause.getErrorCode(),
                counts,
                cause);
    }
}
