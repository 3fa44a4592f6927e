package dev.penstock.kv.api;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

/**
 * What a thread that works in turns does about a failure that nobody expects. It goes on with its
 * next turn, and whoever ends the process when memory is used up must hear of it all the same: an
 * executor keeps what a task throws to itself.
 */
public final class UncaughtError {
    private UncaughtError() {}

    /**
     * A sentence about a failure that is no {@link PenstockException}. An error that is not a
     * request's alone, such as the end of memory, goes to the thread's uncaught exception handler
     * first.
     */
    public static PenstockException handOn(Throwable failure) {
        if (failure instanceof Error error && !isOfOneTurn(error)) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        }
        return new PenstockException(
                ErrorCategory.INTERNAL, "unexpected failure: " + failure, failure);
    }

    /** An internal error is what Java throws if a mapped file cannot be read. */
    private static boolean isOfOneTurn(Error error) {
        return error instanceof InternalError || error instanceof StackOverflowError;
    }
}
