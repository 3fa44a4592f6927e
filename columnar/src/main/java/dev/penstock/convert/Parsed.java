package dev.penstock.convert;

import dev.penstock.reject.RejectReason;

/** What one text value turned out to be. */
public sealed interface Parsed {
    record LongValue(long value) implements Parsed {}

    record BytesValue(byte[] value) implements Parsed {}

    /** Not a value of the type; {@code expected} says what would be, and how to fix it. */
    record Invalid(RejectReason reason, String expected) implements Parsed {}
}
