package dev.penstock.reject;

import java.util.Locale;

/** Kinds of rejects that a user may limit one by one. */
public enum RejectClass {
    /** The record cannot be cut into the table's fields, or is not text. */
    PARSE,
    /** A field is no value of its column's type. */
    TYPE,
    /** A value of the type that its column does not allow. */
    CONSTRAINT,
    /** Another row has the key. */
    DUPLICATE;

    /** The class as users write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
