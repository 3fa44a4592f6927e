package dev.penstock.error;

import org.jspecify.annotations.Nullable;

/**
 * The one exception that crosses module borders. Its message is a full sentence for a user; the
 * category says what a caller may do.
 */
public final class PenstockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Longest key that an exception carries: it goes into a message of a server. */
    private static final int MAX_KEY_BYTES = 64 << 10;

    private static final int MAX_CAUSES = 16;

    private final ErrorCategory category;

    /** Of a row that was refused, encoded; empty if none. */
    private final byte[] key;

    public PenstockException(ErrorCategory category, String message) {
        this(category, message, null);
    }

    public PenstockException(ErrorCategory category, String message, @Nullable Throwable cause) {
        this(category, message, cause, new byte[0]);
    }

    private PenstockException(
            ErrorCategory category, String message, @Nullable Throwable cause, byte[] key) {
        super(message, cause);
        this.category = category;
        this.key = key;
    }

    /**
     * The same failure, caused by rows with that key; by it a loader can find their records.
     *
     * @param encoded empty if no key is known
     */
    public PenstockException withKey(byte[] encoded) {
        return encoded.length == 0 || encoded.length > MAX_KEY_BYTES
                ? this
                : new PenstockException(
                        category, String.valueOf(getMessage()), getCause(), encoded.clone());
    }

    /**
     * The key, encoded, of the rows that this or a cause of it is about; empty if none is known.
     */
    public byte[] key() {
        Throwable cause = this;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof PenstockException known && known.key.length > 0) {
                return known.key.clone();
            }
            cause = cause.getCause();
        }
        return new byte[0];
    }

    /** The same failure, saying one sentence more. */
    public PenstockException and(String sentence) {
        String message = String.valueOf(getMessage());
        boolean ended =
                !message.isEmpty() && ".!?".indexOf(message.charAt(message.length() - 1)) >= 0;
        return new PenstockException(category, message + (ended ? " " : ". ") + sentence, this);
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
