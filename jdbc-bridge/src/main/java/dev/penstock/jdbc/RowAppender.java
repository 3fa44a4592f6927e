package dev.penstock.jdbc;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.loader.BytePipe;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadReport;
import dev.penstock.sql.SqlErrors;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/**
 * Rows of Java values for a bulk load: {@code append} a value for each column, then {@link
 * #endRow}; at last {@link #finish}, which waits until all rows are loaded and visible. Whatever
 * fails before, a {@link #cancel}, or a {@link #close} without it leaves nothing: so an exception
 * that ends a {@code try} block early stores no half of what was meant.
 *
 * <p>Of one thread, but for {@link #cancel}. The load runs in a thread of its own, a few blocks of
 * rows behind; a value that its column cannot take is found there, and said by a later call.
 */
public final class RowAppender implements AutoCloseable {
    /** How rows travel: text is quoted, other values are not, so that NULL cannot be mistaken. */
    static final DialectOptions DIALECT =
            DialectOptions.DEFAULT
                    .withDelimiter(',')
                    .withQuote('"')
                    .withHeader(false)
                    .withTrailingDelimiter(false)
                    .withNullText("\\N");

    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");

    private final LoadJob job;
    private final BytePipe pipe;
    private final int columns;

    /** Which values are for DECIMAL columns: these take no exponent. */
    private final BitSet decimals;

    private final ByteBuilder block = new ByteBuilder(BytePipe.BLOCK_BYTES + 4096);
    private final CountDownLatch ended = new CountDownLatch(1);
    private int values;
    private boolean failed;
    private boolean closed;
    private volatile @Nullable LoadReport report;
    private volatile @Nullable SQLException failure;

    private RowAppender(LoadJob job, BytePipe pipe, int columns, BitSet decimals) {
        this.job = job;
        this.pipe = pipe;
        this.columns = columns;
        this.decimals = decimals;
    }

    /**
     * Of a load that is not running yet.
     *
     * @param columns how many values a row has
     * @param decimals which of them are for DECIMAL columns
     */
    static RowAppender start(
            PenstockConnection connection,
            LoadJob job,
            BytePipe pipe,
            int columns,
            BitSet decimals) {
        RowAppender appender = new RowAppender(job, pipe, columns, decimals);
        Thread.ofPlatform()
                .daemon()
                .name("penstock-appender")
                .start(() -> appender.load(connection));
        return appender;
    }

    private void load(PenstockConnection connection) {
        try {
            report = connection.run(job);
        } catch (SQLException e) {
            failure = e;
        } catch (RuntimeException e) {
            failure = SqlErrors.of(e, false);
        } finally {
            pipe.giveUp();
            ended.countDown();
        }
    }

    public RowAppender append(long value) throws SQLException {
        return plain(Long.toString(value));
    }

    public RowAppender append(double value) throws SQLException {
        return floating(Double.toString(value), Double.isFinite(value));
    }

    public RowAppender append(float value) throws SQLException {
        return floating(Float.toString(value), Float.isFinite(value));
    }

    private RowAppender floating(String text, boolean finite) throws SQLException {
        return plain(finite && decimals.get(values) ? new BigDecimal(text).toPlainString() : text);
    }

    public RowAppender append(boolean value) throws SQLException {
        return plain(value ? "true" : "false");
    }

    /** Text; null is NULL. */
    public RowAppender append(@Nullable String value) throws SQLException {
        if (value == null) {
            return appendNull();
        }
        begin();
        block.putByte('"');
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        int from = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '"') {
                block.write(text, from, i + 1 - from);
                from = i;
            }
        }
        block.write(text, from, text.length - from);
        block.putByte('"');
        return this;
    }

    public RowAppender appendNull() throws SQLException {
        return plain("\\N");
    }

    /**
     * A number, text, truth, date, time, timestamp, UUID or {@code byte[]}; null is NULL. Types of
     * {@code java.sql} are stored as they print themselves, an instant, {@code java.util.Date} or
     * moment with a zone as it reads: an instant where this process is, a moment in its own zone.
     */
    public RowAppender append(@Nullable Object value) throws SQLException {
        return switch (value) {
            case null -> appendNull();
            case String text -> append(text);
            case Character character -> append(character.toString());
            case BigDecimal number -> plain(number.toPlainString());
            case Float number -> append(number.floatValue());
            case Double number -> append(number.doubleValue());
            case Long number -> append(number.longValue());
            case Integer number -> append(number.longValue());
            case Short number -> append(number.longValue());
            case Byte number -> append(number.longValue());
            case BigInteger number -> plain(number.toString());
            case Boolean truth -> append(truth.booleanValue());
            case UUID uuid -> plain(uuid.toString());
            case byte[] bytes -> plain(HexFormat.of().formatHex(bytes));
            case Temporal temporal -> append(temporal);
            case Timestamp timestamp -> append((Temporal) timestamp.toLocalDateTime());
            case java.sql.Date date -> plain(date.toString());
            case java.sql.Time time -> plain(time.toString());
            case java.util.Date date -> append((Temporal) date.toInstant());
            default ->
                    throw poisoned(
                            new SQLException(
                                    "a value of " + value.getClass().getName() + " has no text",
                                    "22000"));
        };
    }

    private RowAppender append(Temporal value) throws SQLException {
        return switch (value) {
            case LocalDate date -> plain(date.toString());
            case LocalTime time -> plain(TIME.format(time));
            case LocalDateTime time -> plain(TIMESTAMP.format(time));
            case java.time.Instant time ->
                    plain(TIMESTAMP.format(LocalDateTime.ofInstant(time, ZoneId.systemDefault())));
            case OffsetDateTime time -> plain(TIMESTAMP.format(time));
            case ZonedDateTime time -> plain(TIMESTAMP.format(time));
            default -> append(value.toString());
        };
    }

    private RowAppender plain(String ascii) throws SQLException {
        begin();
        byte[] text = ascii.getBytes(StandardCharsets.US_ASCII);
        block.write(text, 0, text.length);
        return this;
    }

    private void begin() throws SQLException {
        check();
        if (values == columns) {
            throw poisoned(wrongCount("more"));
        }
        if (values++ > 0) {
            block.putByte(',');
        }
    }

    private SQLException wrongCount(String word) {
        return new SQLException(
                "a row has " + word + " values than the " + columns + " columns of the load",
                "21S01");
    }

    /** Ends the row. */
    public RowAppender endRow() throws SQLException {
        check();
        if (values < columns) {
            throw poisoned(wrongCount("fewer"));
        }
        values = 0;
        block.putByte('\n');
        if (block.length() >= BytePipe.BLOCK_BYTES) {
            send();
        }
        return this;
    }

    private void send() throws SQLException {
        byte[] bytes = Arrays.copyOf(block.array(), block.length());
        block.setLength(0);
        try {
            if (!pipe.put(bytes)) {
                LoadJob.await(ended);
                throw poisoned(why());
            }
        } catch (IOException e) {
            cancel();
            throw poisoned(new SQLException(e.getMessage(), "57014", e));
        }
    }

    private void check() throws SQLException {
        if (closed) {
            throw new SQLException("the appender is closed", "55000");
        }
        if (failure != null) {
            throw poisoned(why());
        }
    }

    private SQLException why() {
        SQLException cause = failure;
        return cause == null
                ? new SQLException("The load ended before its rows did.", "57014")
                : new SQLException(cause.getMessage(), cause.getSQLState(), cause);
    }

    private SQLException poisoned(SQLException cause) {
        failed = true;
        return cause;
    }

    /** Stops the load; nothing of it becomes visible. By any thread. */
    public void cancel() {
        job.cancel();
    }

    /**
     * Loads what was appended and waits until it is visible.
     *
     * @throws SQLException if the last row was not ended, or whatever failed before; then nothing
     *     of the load is visible, but for SQLSTATE 40003: publishing failed in such a way that all
     *     of it may be
     */
    public LoadReport finish() throws SQLException {
        check();
        if (values > 0 || failed) {
            SQLException refused =
                    failed
                            ? new SQLException("a call before failed; no row is kept", "55000")
                            : wrongCount("fewer");
            close();
            throw refused;
        }
        send();
        pipe.end(null);
        closed = true;
        LoadJob.await(ended);
        LoadReport done = report;
        if (done == null) {
            throw why();
        }
        return done;
    }

    /** Ends the appender; without {@link #finish} before, nothing of its rows is kept. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            cancel();
            LoadJob.await(ended);
        }
    }

    /** The report, once the appender has finished and all went well. */
    public Optional<LoadReport> report() {
        return Optional.ofNullable(report);
    }
}
