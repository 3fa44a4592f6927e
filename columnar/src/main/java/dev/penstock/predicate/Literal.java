package dev.penstock.predicate;

/** A value in its column's physical form. */
public sealed interface Literal {
    record LongLiteral(long value) implements Literal {}

    record BytesLiteral(byte[] value) implements Literal {}
}
