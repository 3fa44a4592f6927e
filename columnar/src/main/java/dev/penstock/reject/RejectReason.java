package dev.penstock.reject;

import java.util.Locale;

/** Why a record did not become a row, and what helps. */
public enum RejectReason {
    /** Fewer fields than columns. */
    MISSING_FIELDS(
            RejectClass.PARSE, "add the missing fields, or name those there are with --columns"),
    /** More fields than columns. */
    EXTRA_FIELDS(
            RejectClass.PARSE,
            "quote the fields that hold the delimiter, or take out those that are too many"),
    /** A quoted field that does not end. */
    UNCLOSED_QUOTE(RejectClass.PARSE, "close the quoted field, or double the quote within it"),
    /** Text between a closing quote and the next delimiter. */
    TEXT_AFTER_QUOTE(RejectClass.PARSE, "double the quote within the field"),
    /** A field or record longer than the bound. */
    TOO_LARGE(RejectClass.PARSE, "shorten the record; look for a quote that never closes"),
    /** Not a value of the column's type. */
    BAD_VALUE(RejectClass.TYPE, "write the value as expected, or give the column another type"),
    /** A value of the type's form that is out of its range or does not exist, as 2023-02-29. */
    OUT_OF_RANGE(RejectClass.TYPE, "correct the value, or give the column a wider type"),
    /** Longer than the column allows. */
    TOO_LONG(RejectClass.CONSTRAINT, "shorten the value, or make the column longer"),
    /** NULL in a NOT NULL column. */
    NULL_VALUE(RejectClass.CONSTRAINT, "fill in a value, or let the column be NULL"),
    /** Bytes that are not UTF-8. */
    INVALID_UTF8(RejectClass.PARSE, "convert the text, for example with: iconv -t UTF-8"),
    /** A key that exists already. */
    DUPLICATE_KEY(RejectClass.DUPLICATE, "give the row another key, or leave it out");

    private final RejectClass kind;
    private final String fix;

    RejectReason(RejectClass kind, String fix) {
        this.kind = kind;
        this.fix = fix;
    }

    /** What limits of its own it counts against. */
    public RejectClass kind() {
        return kind;
    }

    /** What a user may do about it. */
    public String fix() {
        return fix;
    }

    /** The reason as reports and files have it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
