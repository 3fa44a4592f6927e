package dev.penstock.loader.file;

/** A chunk was cut in the middle of a record, or nobody can say that none was. */
public final class WrongGuess extends RuntimeException {
    private static final long serialVersionUID = 1;

    public WrongGuess(String message) {
        super(message);
    }

    /**
     * @param cause a failure that may come from it
     */
    public WrongGuess(String message, Throwable cause) {
        super(message, cause);
    }
}
