package dev.penstock.sql;

/** A number is too large, or has too many digits before the point, for where it shall go. */
final class NumberOutOfRange extends ArithmeticException {
    private static final long serialVersionUID = 1;

    NumberOutOfRange(String message) {
        super(message);
    }
}
