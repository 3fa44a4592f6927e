package dev.penstock.reject;

/** Why a record did not become a row. */
public enum RejectReason {
    /** Fewer fields than columns. */
    MISSING_FIELDS,
    /** More fields than columns. */
    EXTRA_FIELDS,
    /** A quoted field that does not end. */
    UNCLOSED_QUOTE,
    /** Text between a closing quote and the next delimiter. */
    TEXT_AFTER_QUOTE,
    /** A field or record longer than the bound. */
    TOO_LARGE,
    /** Not a value of the column's type. */
    BAD_VALUE,
    /** A value of the type's form that is out of its range or does not exist, as 2023-02-29. */
    OUT_OF_RANGE,
    /** Longer than the column allows. */
    TOO_LONG,
    /** NULL in a NOT NULL column. */
    NULL_VALUE,
    /** Bytes that are not UTF-8. */
    INVALID_UTF8,
    /** A key that exists already. */
    DUPLICATE_KEY
}
