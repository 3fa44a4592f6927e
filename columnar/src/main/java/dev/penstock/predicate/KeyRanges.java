package dev.penstock.predicate;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate.Operator;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The part of a table that a condition can be true in: equalities of the first key columns and
 * bounds of the next one make a range of encoded keys. Rows outside of it need not be looked at;
 * rows in it still must be checked.
 */
public final class KeyRanges {
    private KeyRanges() {}

    /**
     * The smallest range found that holds all keys whose rows meet the condition; possibly {@link
     * KeyRange#ALL}.
     */
    public static KeyRange of(TableSchema schema, Predicate condition) {
        List<Predicate.Compare> bounds = new ArrayList<>();
        collect(condition, bounds);
        KeyCodec codec = new KeyCodec(schema);
        ByteBuilder prefix = new ByteBuilder(32);
        KeyRange range = KeyRange.ALL;
        for (int part = 0; part < schema.key().size(); part++) {
            KeyColumn key = schema.key().get(part);
            boolean fixed = false;
            for (Predicate.Compare bound : bounds) {
                if (bound.columnIndex() == key.columnIndex()
                        && bound.operator() != Operator.NOT_EQUAL
                        && fits(bound.literal(), schema.column(key.columnIndex()).type())) {
                    byte[] start = with(prefix, codec, part, bound.literal());
                    range =
                            narrowed(
                                    range,
                                    start,
                                    bound.operator(),
                                    key.descending(),
                                    prefix.toByteArray());
                    fixed |= bound.operator() == Operator.EQUAL;
                }
            }
            if (!fixed) {
                return range;
            }
            append(prefix, codec, part, firstEqual(bounds, schema, key.columnIndex()));
        }
        return range;
    }

    /** Comparisons that must all be true. */
    private static void collect(Predicate condition, List<Predicate.Compare> bounds) {
        switch (condition) {
            case Predicate.And(List<Predicate> terms) ->
                    terms.forEach(term -> collect(term, bounds));
            case Predicate.Compare compare -> bounds.add(compare);
            case Predicate.In(int column, List<Literal> literals, boolean negated) -> {
                if (!negated && literals.size() == 1) {
                    bounds.add(new Predicate.Compare(column, Operator.EQUAL, literals.getFirst()));
                }
            }
            case Predicate.Or _, Predicate.IsNull _, Predicate.StartsWith _ -> {}
        }
    }

    private static Literal firstEqual(
            List<Predicate.Compare> bounds, TableSchema schema, int column) {
        return bounds.stream()
                .filter(bound ->
                        bound.columnIndex() == column && bound.operator() == Operator.EQUAL)
                .map(Predicate.Compare::literal)
                .filter(literal -> fits(literal, schema.column(column).type()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * {@code start} begins the keys whose parts so far equal the bound; they end before its
     * successor.
     */
    private static KeyRange narrowed(
            KeyRange range, byte[] start, Operator operator, boolean descending, byte[] prefix) {
        byte[] after = successor(start);
        byte[] first = prefix;
        byte[] last = successor(prefix);
        KeyRange bounded =
                switch (operator) {
                    case EQUAL -> new KeyRange(start, after);
                    case LESS ->
                            descending ? new KeyRange(after, last) : new KeyRange(first, start);
                    case LESS_OR_EQUAL ->
                            descending ? new KeyRange(start, last) : new KeyRange(first, after);
                    case GREATER ->
                            descending ? new KeyRange(first, start) : new KeyRange(after, last);
                    case GREATER_OR_EQUAL ->
                            descending ? new KeyRange(first, after) : new KeyRange(start, last);
                    case NOT_EQUAL -> KeyRange.ALL;
                };
        // Conditions that exclude each other leave a range without keys, which no KeyRange can say
        // if it is unbounded.
        return range.overlaps(bounded) ? range.intersect(bounded) : bounded;
    }

    /**
     * Whether a key part can hold the literal: 5,000,000,000 is a fine bound of an INTEGER, but no
     * key.
     */
    private static boolean fits(Literal literal, ColumnType type) {
        return switch (literal) {
            case Literal.LongLiteral(long value) -> {
                int spare = Long.SIZE - Byte.SIZE * type.plainBytes();
                yield value << spare >> spare == value;
            }
            case Literal.BytesLiteral(byte[] value) ->
                    type.plainBytes() < 0 || type.plainBytes() == value.length;
        };
    }

    private static byte[] with(ByteBuilder prefix, KeyCodec codec, int part, Literal literal) {
        int length = prefix.length();
        append(prefix, codec, part, literal);
        byte[] bytes = prefix.toByteArray();
        prefix.setLength(length);
        return bytes;
    }

    private static void append(ByteBuilder prefix, KeyCodec codec, int part, Literal literal) {
        switch (literal) {
            case Literal.LongLiteral(long value) -> codec.putLong(part, value, prefix);
            case Literal.BytesLiteral(byte[] value) ->
                    codec.putBytes(part, value, 0, value.length, prefix);
        }
    }

    /**
     * The smallest bytes after all that begin with these; empty, which is unbounded, if there are
     * none.
     */
    private static byte[] successor(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == (byte) 0xFF) {
            length--;
        }
        byte[] next = Arrays.copyOf(bytes, length);
        if (length > 0) {
            next[length - 1]++;
        }
        return next;
    }
}
