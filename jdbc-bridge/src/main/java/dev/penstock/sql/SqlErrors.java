package dev.penstock.sql;

import dev.penstock.bytes.Printable;
import dev.penstock.error.PenstockException;

import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Failures of the store and of statements in JDBC's words. */
public final class SqlErrors {
    private static final String CANCELLED = "57014";

    /** What the standard calls "statement completion unknown": look before it is run again. */
    private static final String HALF_DONE = "40003";

    /** Of category IO, which is what waits end with. */
    private static final String IO_FAILURE = "58030";

    /** Of those that decide what a failure is; what was suppressed in favour of them comes too. */
    private static final int MAX_CAUSES = 16;

    /** Of those that a call within a call within a call wraps one by one. */
    private static final int MAX_NESTED_CAUSES = 100_000;

    private static final String TOO_COMPLEX = "54001";

    private static final Pattern QUOTED =
            Pattern.compile("(?:For input string: |Value:)\"(.*)\"", Pattern.DOTALL);
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

    private SqlErrors() {}

    /** With the SQLSTATE class that fits the category. */
    public static SQLException of(PenstockException failure) {
        String message = Printable.lines(String.valueOf(failure.getMessage()));
        return switch (failure.category()) {
            case USAGE -> new SQLException(message, "42000", failure);
            case DATA -> new SQLException(message, "22000", failure);
            case CORRUPT, INTERNAL -> new SQLException(message, "XX000", failure);
            case IO -> new SQLException(message, IO_FAILURE, failure);
            case RETRY -> new SQLTransientException(message, "08006", failure);
            case REROUTE -> new SQLTransientException(message, "08004", failure);
            case CONFLICT -> new SQLException(message, "55006", failure);
            case LIMIT -> new SQLException(message, "54000", failure);
            case DENIED -> new SQLInvalidAuthorizationSpecException(message, "28000", failure);
        };
    }

    /** Of anything that a statement ended with; the cause that says most decides. */
    public static SQLException of(Throwable failure, boolean timedOut) {
        if (isTooComplex(failure)) {
            return new SQLException(
                    "The statement is too complex: it nests too deeply, or has too many"
                            + " expressions. Long chains of OR can be lists after IN, or rows after"
                            + " VALUES to join with.",
                    TOO_COMPLEX,
                    failure);
        }
        for (Throwable cause : causes(failure)) {
            SQLException known = known(cause, failure, timedOut);
            if (known != null) {
                return known;
            }
        }
        if (timedOut || "Statement canceled".equals(failure.getMessage())) {
            return cancelled(failure, timedOut);
        }
        return failure instanceof SQLException sql && isState(sql.getSQLState())
                ? sql
                : new SQLException(firstSentence(told(failure)), "HY000", failure);
    }

    /** The first of the causes that says more than which statement has failed. */
    private static Throwable told(Throwable failure) {
        return chain(failure, MAX_CAUSES).stream()
                .filter(cause -> cause.getCause() == null || !saysNothing(cause.getMessage()))
                .findFirst()
                .orElse(failure);
    }

    private static boolean saysNothing(@Nullable String message) {
        return message == null
                || message.startsWith("Error while executing SQL")
                || message.startsWith("Error while preparing statement");
    }

    private static @Nullable SQLException known(
            Throwable cause, Throwable failure, boolean timedOut) {
        return switch (cause) {
            case StatementCancelled cancelled -> cancelled(cancelled, timedOut);
            case DuplicateKey duplicate ->
                    new SQLIntegrityConstraintViolationException(
                            firstSentence(duplicate), "23505", failure);
            case HalfMoved half -> new SQLException(firstSentence(half), HALF_DONE, failure);
            case InDoubt doubt -> new SQLException(firstSentence(doubt), HALF_DONE, failure);
            case NullValue missing ->
                    new SQLIntegrityConstraintViolationException(
                            missing.getMessage(), "23502", failure);
            case PenstockException own -> of(own);
            case SqlParseException syntax ->
                    new SQLSyntaxErrorException(firstSentence(syntax), "42601", failure);
            case CalciteContextException invalid ->
                    new SQLSyntaxErrorException(words(invalid), state(words(invalid)), failure);
            case SQLFeatureNotSupportedException unsupported -> unsupported;
            case NumberFormatException text -> ofNumber(text, failure);
            case IllegalArgumentException text when isNoTime(text) ->
                    new SQLDataException(firstSentence(text), "22007", failure);
            case ArithmeticException arithmetic ->
                    new SQLDataException(firstSentence(arithmetic), state(arithmetic), failure);
            case IllegalArgumentException number when isNoLogarithm(number) ->
                    new SQLDataException(firstSentence(number), "2201E", failure);
            case CalciteException data ->
                    new SQLDataException(firstSentence(data), "22000", failure);
            default -> null;
        };
    }

    /**
     * The same, if the statement's thread may have been interrupted, see {@link ServerWaits}.
     *
     * @param timedOut whether the statement took longer than it may
     * @param waitEnded whether it was: then it is that what it waited for has failed with
     */
    public static SQLException of(Throwable failure, boolean timedOut, boolean waitEnded) {
        SQLException known = of(failure, timedOut);
        return waitEnded && IO_FAILURE.equals(known.getSQLState())
                ? cancelled(failure, timedOut)
                : known;
    }

    /** Of a text that was to be a number, which is in most of Java's messages. */
    private static SQLDataException ofNumber(NumberFormatException failure, Throwable whole) {
        Matcher quoted = QUOTED.matcher(String.valueOf(failure.getMessage()));
        if (!quoted.find()) {
            return new SQLDataException(
                    "a text is no number: " + firstSentence(failure), "22018", whole);
        }
        String text = quoted.group(1);
        String shown = "'" + Printable.line(text) + "'";
        if (WHOLE_NUMBER.matcher(text).matches()) {
            return new SQLDataException(shown + " is too large for its type", "22003", whole);
        }
        String problem =
                NUMBER.matcher(text).matches()
                        ? " is not written as a whole number"
                        : " is no number";
        return new SQLDataException(shown + problem, "22018", whole);
    }

    private static boolean isNoLogarithm(IllegalArgumentException failure) {
        return String.valueOf(failure.getMessage()).startsWith("Cannot take logarithm");
    }

    /** Whether it is what reading a text as a date or time ends with. */
    private static boolean isNoTime(IllegalArgumentException failure) {
        String problem = String.valueOf(failure.getMessage());
        return problem.matches("(?s)Invalid (DATE|TIME|TIMESTAMP) value.*")
                || problem.contains(" field is out of range in ");
    }

    /** Whether it took more stack, or more code than Java has in one method. */
    private static boolean isTooComplex(Throwable failure) {
        return chain(failure, MAX_NESTED_CAUSES).stream()
                .anyMatch(cause ->
                        cause instanceof StackOverflowError
                                || String.valueOf(cause.getMessage())
                                        .contains("grows beyond 64 KB"));
    }

    /** The failure and so many of its causes at most, each of which is the next one's. */
    private static List<Throwable> chain(Throwable failure, int most) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(most).toList();
    }

    /** The failure, its causes, and what was suppressed in favour of each. */
    private static List<Throwable> causes(Throwable failure) {
        return chain(failure, MAX_CAUSES).stream()
                .flatMap(cause ->
                        Stream.concat(Stream.of(cause), Arrays.stream(cause.getSuppressed())))
                .toList();
    }

    /** Of a statement that ends before it does the next of what it has to do. */
    public static SQLException cancelled(boolean timedOut) {
        return cancelled(new StatementCancelled(), timedOut);
    }

    private static SQLException cancelled(Throwable failure, boolean timedOut) {
        return timedOut
                ? new SQLTimeoutException(
                        "The statement took longer than its query timeout.", CANCELLED, failure)
                : new SQLException("The statement was cancelled.", CANCELLED, failure);
    }

    /** Java's own division by zero has no class of its own. */
    private static String state(ArithmeticException arithmetic) {
        String problem = String.valueOf(arithmetic.getMessage());
        boolean byZero = problem.endsWith("by zero") || problem.equals("Division undefined");
        return byZero ? "22012" : "22003";
    }

    /** The problem and where it is. */
    private static String words(CalciteContextException invalid) {
        String problem =
                invalid.getCause() == null ? invalid.getMessage() : invalid.getCause().getMessage();
        return Printable.line(SqlEngine.withoutOwnSchemas(String.valueOf(problem)))
                + " (line "
                + invalid.getPosLine()
                + ", column "
                + invalid.getPosColumn()
                + ")";
    }

    private static String state(String problem) {
        String text = problem.toLowerCase(Locale.ROOT);
        if (text.contains("does not allow nulls")) {
            return "23502";
        }
        if (!text.contains("' not found")) {
            return "42000";
        }
        return text.startsWith("column '") ? "42703" : "42P01";
    }

    private static boolean isState(@Nullable String state) {
        return state != null && state.length() == 5 && !state.equals("00000");
    }

    private static String firstSentence(Throwable failure) {
        String message = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
        int end = message.indexOf('\n');
        return Printable.line(end < 0 ? message : message.substring(0, end));
    }
}
