package dev.penstock.sql;

/** Ends a statement that was cancelled or ran longer than it may. */
public final class StatementCancelled extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StatementCancelled() {
        super("the statement was cancelled");
    }
}
