package dev.penstock.kv.wire;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.GroupKey;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.aggregate.PartialValue;
import dev.penstock.aggregate.Product;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.SchemaCodec;
import dev.penstock.predicate.Literal;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Aggregate queries and their partial results on the wire. */
final class AggregateCodec {
    private static final int NONE = 0;
    private static final int COUNT = 1;
    private static final int EXACT_SUM = 2;
    private static final int FLOAT_SUM = 3;
    private static final int LONG_VALUE = 4;
    private static final int BYTES_VALUE = 5;

    /** Most bytes of an exact sum: more than any table's rows can reach. */
    private static final int MAX_SUM_BYTES = 32;

    private AggregateCodec() {}

    static void putQuery(AggregateQuery query, ByteBuilder out) {
        SchemaCodec.putRange(query.range(), out);
        PredicateCodec.put(query.predicate(), out);
        Fields.putList(query.groupBy(), out, (column, to) -> to.putInt(column));
        putAggregates(query.aggregates(), out);
        Fields.putList(query.products(), out, AggregateCodec::putProduct);
    }

    static AggregateQuery getQuery(ByteParser in) {
        return new AggregateQuery(
                SchemaCodec.getRange(in),
                PredicateCodec.get(in),
                bounded(
                        Fields.getList(in, 4, ByteParser::getInt),
                        AggregateQuery.MAX_GROUP_COLUMNS),
                getAggregates(in),
                bounded(
                        Fields.getList(in, 4, AggregateCodec::getProduct),
                        AggregateQuery.MAX_AGGREGATES));
    }

    private static void putProduct(Product product, ByteBuilder out) {
        Fields.putList(
                product.terms(),
                out,
                (term, to) ->
                        to.putInt(term.column())
                                .putLong(term.constant())
                                .putByte(term.negated() ? 1 : 0));
    }

    private static Product getProduct(ByteParser in) {
        List<Product.Term> terms =
                bounded(Fields.getList(in, 13, AggregateCodec::getTerm), Product.MAX_TERMS);
        if (terms.isEmpty()) {
            throw PenstockException.corrupt("a message has a product of nothing");
        }
        return new Product(terms);
    }

    private static Product.Term getTerm(ByteParser in) {
        int column = in.getInt();
        long constant = in.getLong();
        try {
            return new Product.Term(column, constant, in.getByte() != 0);
        } catch (IllegalArgumentException e) {
            throw PenstockException.corrupt("a message has a product with " + e.getMessage());
        }
    }

    private static void putAggregates(List<Aggregate> aggregates, ByteBuilder out) {
        Fields.putList(
                aggregates,
                out,
                (aggregate, to) -> {
                    Fields.putConstant(aggregate.function(), to);
                    to.putInt(aggregate.column());
                });
    }

    private static List<Aggregate> getAggregates(ByteParser in) {
        return bounded(
                Fields.getList(in, 5, AggregateCodec::getAggregate), AggregateQuery.MAX_AGGREGATES);
    }

    private static Aggregate getAggregate(ByteParser in) {
        Aggregate.Function function = Fields.getConstant(Aggregate.Function.values(), in);
        int column = in.getInt();
        if (function == Aggregate.Function.COUNT_ROWS != (column == Aggregate.NO_COLUMN)) {
            throw PenstockException.corrupt("a message asks for " + function + " of " + column);
        }
        return new Aggregate(function, column);
    }

    private static <T> List<T> bounded(List<T> list, int most) {
        if (list.size() > most) {
            throw PenstockException.corrupt(
                    "a message lists " + list.size() + " where " + most + " may be");
        }
        return list;
    }

    static void putResult(PartialResult result, ByteBuilder out) {
        putAggregates(result.aggregates(), out);
        out.putInt(result.size());
        result.groups()
                .forEach((key, values) -> {
                    Fields.putList(key.values(), out, AggregateCodec::putKeyPart);
                    values.forEach(value -> putValue(value, out));
                });
    }

    /** Refuses values that do not fit their aggregates, and more groups than there may be. */
    static PartialResult getResult(ByteParser in) {
        List<Aggregate> aggregates = getAggregates(in);
        PartialResult result = new PartialResult(aggregates);
        int count = in.getCount(4 + aggregates.size());
        if (count > AggregateQuery.MAX_GROUPS) {
            throw PenstockException.corrupt("a result has " + count + " groups");
        }
        for (int i = 0; i < count; i++) {
            GroupKey key = new GroupKey(Fields.getList(in, 1, AggregateCodec::getKeyPart));
            List<PartialValue> values = new ArrayList<>();
            for (Aggregate aggregate : aggregates) {
                PartialValue value = getValue(in);
                if (!value.fits(aggregate.function())) {
                    throw PenstockException.corrupt(
                            "a result has " + value + " as " + aggregate.function());
                }
                values.add(value);
            }
            if (result.has(key)) {
                throw PenstockException.corrupt("a result has the group " + key + " twice");
            }
            result.add(key, values);
        }
        return result;
    }

    private static void putKeyPart(Optional<Literal> part, ByteBuilder out) {
        switch (part.orElse(null)) {
            case null -> out.putByte(NONE);
            case Literal.LongLiteral(long value) -> out.putByte(LONG_VALUE).putLong(value);
            case Literal.BytesLiteral(byte[] value) -> out.putByte(BYTES_VALUE).putBytes(value);
        }
    }

    private static Optional<Literal> getKeyPart(ByteParser in) {
        int tag = in.getByte();
        return switch (tag) {
            case NONE -> Optional.empty();
            case LONG_VALUE -> Optional.of(new Literal.LongLiteral(in.getLong()));
            case BYTES_VALUE -> Optional.of(new Literal.BytesLiteral(in.getBytes()));
            default -> throw PenstockException.corrupt("a group has a value of kind " + tag);
        };
    }

    private static void putValue(PartialValue value, ByteBuilder out) {
        switch (value) {
            case PartialValue.None _ -> out.putByte(NONE);
            case PartialValue.Count(long rows) -> out.putByte(COUNT).putLong(rows);
            case PartialValue.ExactSum(BigInteger sum) ->
                    out.putByte(EXACT_SUM).putBytes(sum.toByteArray());
            case PartialValue.FloatSum(double sum, double lost) ->
                    out.putByte(FLOAT_SUM)
                            .putLong(Double.doubleToRawLongBits(sum))
                            .putLong(Double.doubleToRawLongBits(lost));
            case PartialValue.LongValue(long number) -> out.putByte(LONG_VALUE).putLong(number);
            case PartialValue.BytesValue(byte[] bytes) -> out.putByte(BYTES_VALUE).putBytes(bytes);
        }
    }

    private static PartialValue getValue(ByteParser in) {
        int tag = in.getByte();
        return switch (tag) {
            case NONE -> new PartialValue.None();
            case COUNT -> new PartialValue.Count(in.getLong());
            case EXACT_SUM -> {
                byte[] sum = in.getBytes();
                if (sum.length == 0 || sum.length > MAX_SUM_BYTES) {
                    throw PenstockException.corrupt("a sum has " + sum.length + " bytes");
                }
                yield new PartialValue.ExactSum(new BigInteger(sum));
            }
            case FLOAT_SUM ->
                    new PartialValue.FloatSum(
                            Double.longBitsToDouble(in.getLong()),
                            Double.longBitsToDouble(in.getLong()));
            case LONG_VALUE -> new PartialValue.LongValue(in.getLong());
            case BYTES_VALUE -> new PartialValue.BytesValue(in.getBytes());
            default -> throw PenstockException.corrupt("a result has a value of kind " + tag);
        };
    }
}
