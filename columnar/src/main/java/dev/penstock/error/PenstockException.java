package dev.penstock.error;

import org.jspecify.annotations.Nullable;

/**
 * The one exception that crosses module borders. Its message is a full sentence for a user; the
 * category says what a caller may do.
 */
public final class PenstockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCategory category;

    public PenstockException(ErrorCategory category, String message) {
        this(category, message, null);
    }

    public PenstockException(ErrorCategory category, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.category = category;
    }

    public ErrorCategory category() {
        return category;
    }

    public static PenstockException usage(String message) {
        return new PenstockException(ErrorCategory.USAGE, message);
    }

    public static PenstockException data(String message) {
        return new PenstockException(ErrorCategory.DATA, message);
    }

    public static PenstockException corrupt(String message) {
        return new PenstockException(ErrorCategory.CORRUPT, message);
    }

    public static PenstockException conflict(String message) {
        return new PenstockException(ErrorCategory.CONFLICT, message);
    }

    public static PenstockException io(String message, Throwable cause) {
        return new PenstockException(ErrorCategory.IO, message, cause);
    }

    public static PenstockException denied(String message) {
        return new PenstockException(ErrorCategory.DENIED, message);
    }

    public static PenstockException internal(String message) {
        return new PenstockException(ErrorCategory.INTERNAL, message);
    }
}
