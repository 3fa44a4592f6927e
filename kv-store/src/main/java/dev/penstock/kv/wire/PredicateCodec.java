package dev.penstock.kv.wire;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;

/** Row conditions on the wire: a tag byte a node, children after their parent. */
final class PredicateCodec {
    /** Deepest tree taken; building it recurses. */
    static final int MAX_DEPTH = 256;

    private static final int AND = 1;
    private static final int OR = 2;
    private static final int COMPARE = 3;
    private static final int IN = 4;
    private static final int IS_NULL = 5;
    private static final int STARTS_WITH = 6;

    private static final int LONG = 1;
    private static final int BYTES = 2;

    private PredicateCodec() {}

    static void put(Predicate predicate, ByteBuilder out) {
        switch (predicate) {
            case Predicate.And(var terms) ->
                    Fields.putList(terms, out.putByte(AND), PredicateCodec::put);
            case Predicate.Or(var terms) ->
                    Fields.putList(terms, out.putByte(OR), PredicateCodec::put);
            case Predicate.Compare(int column, Predicate.Operator operator, Literal literal) -> {
                out.putByte(COMPARE).putInt(column);
                Fields.putConstant(operator, out);
                putLiteral(literal, out);
            }
            case Predicate.In(int column, var literals, boolean negated) -> {
                out.putByte(IN).putInt(column);
                Fields.putBoolean(negated, out);
                Fields.putList(literals, out, PredicateCodec::putLiteral);
            }
            case Predicate.IsNull(int column, boolean negated) -> {
                out.putByte(IS_NULL).putInt(column);
                Fields.putBoolean(negated, out);
            }
            case Predicate.StartsWith(int column, byte[] prefix, boolean negated) -> {
                out.putByte(STARTS_WITH).putInt(column);
                Fields.putBoolean(negated, out);
                out.putBytes(prefix);
            }
        }
    }

    static Predicate get(ByteParser in) {
        return get(in, 0);
    }

    private static Predicate get(ByteParser in, int depth) {
        if (depth > MAX_DEPTH) {
            throw PenstockException.corrupt(
                    "a condition is nested deeper than " + MAX_DEPTH + " levels");
        }
        int tag = in.getByte();
        return switch (tag) {
            case AND -> new Predicate.And(Fields.getList(in, 5, p -> get(p, depth + 1)));
            case OR -> new Predicate.Or(Fields.getList(in, 5, p -> get(p, depth + 1)));
            case COMPARE ->
                    new Predicate.Compare(
                            in.getInt(),
                            Fields.getConstant(Predicate.Operator.values(), in),
                            getLiteral(in));
            case IN -> {
                int column = in.getInt();
                boolean negated = Fields.getBoolean(in);
                yield new Predicate.In(
                        column, Fields.getList(in, 5, PredicateCodec::getLiteral), negated);
            }
            case IS_NULL -> new Predicate.IsNull(in.getInt(), Fields.getBoolean(in));
            case STARTS_WITH -> {
                int column = in.getInt();
                boolean negated = Fields.getBoolean(in);
                yield new Predicate.StartsWith(column, in.getBytes(), negated);
            }
            default -> throw PenstockException.corrupt("a condition has a node " + tag);
        };
    }

    private static void putLiteral(Literal literal, ByteBuilder out) {
        switch (literal) {
            case Literal.LongLiteral(long value) -> out.putByte(LONG).putLong(value);
            case Literal.BytesLiteral(byte[] value) -> out.putByte(BYTES).putBytes(value);
        }
    }

    private static Literal getLiteral(ByteParser in) {
        int tag = in.getByte();
        return switch (tag) {
            case LONG -> new Literal.LongLiteral(in.getLong());
            case BYTES -> new Literal.BytesLiteral(in.getBytes());
            default -> throw PenstockException.corrupt("a condition has a literal " + tag);
        };
    }
}
