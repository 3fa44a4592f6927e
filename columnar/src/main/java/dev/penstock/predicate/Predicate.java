package dev.penstock.predicate;

import java.util.List;

/**
 * A condition on rows with SQL's meaning of NULL: a comparison with NULL is never true. There is no
 * NOT: builders push it down to the leaves. Column indexes are indexes into the table's columns.
 */
public sealed interface Predicate {
    /** True for every row. */
    Predicate ALWAYS = new And(List.of());

    /** Whether a predicate has no condition, so that it is true for every row. */
    static boolean isAlways(Predicate predicate) {
        return predicate instanceof And and && and.terms().isEmpty();
    }

    /** Comparison operators. */
    enum Operator {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL
    }

    /** All of the terms; an empty list is true. */
    record And(List<Predicate> terms) implements Predicate {}

    /** Any of the terms; an empty list is false. */
    record Or(List<Predicate> terms) implements Predicate {}

    /** Column against a literal in the column's physical form. */
    record Compare(int columnIndex, Operator operator, Literal literal) implements Predicate {}

    /** Column equal to any (or, negated, to none) of the literals, none of which is NULL. */
    record In(int columnIndex, List<Literal> literals, boolean negated) implements Predicate {}

    record IsNull(int columnIndex, boolean negated) implements Predicate {}

    /** Byte strings that start (or, negated, do not start) with the prefix. */
    record StartsWith(int columnIndex, byte[] prefix, boolean negated) implements Predicate {}
}
