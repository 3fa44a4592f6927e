package dev.penstock.kv.wire;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Fields that several messages have in common. */
final class Fields {
    private Fields() {}

    static <T> void putList(
            List<T> list, ByteBuilder out, BiConsumer<? super T, ByteBuilder> element) {
        out.putInt(list.size());
        for (T item : list) {
            element.accept(item, out);
        }
    }

    /**
     * @param minBytes least bytes that one element takes, at least 1
     */
    static <T> List<T> getList(ByteParser in, int minBytes, Function<ByteParser, T> element) {
        int count = in.getCount(minBytes);
        List<T> list = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            list.add(element.apply(in));
        }
        return list;
    }

    static void putBytes(byte[] bytes, ByteBuilder out) {
        out.putBytes(bytes);
    }

    static void putString(String text, ByteBuilder out) {
        out.putString(text);
    }

    static void putBoolean(boolean value, ByteBuilder out) {
        out.putByte(value ? 1 : 0);
    }

    static boolean getBoolean(ByteParser in) {
        int value = in.getByte();
        if (value > 1) {
            throw PenstockException.corrupt("a message holds the truth value " + value);
        }
        return value == 1;
    }

    static void putConstant(Enum<?> value, ByteBuilder out) {
        out.putByte(value.ordinal());
    }

    static <T> T getConstant(T[] values, ByteParser in) {
        int ordinal = in.getByte();
        if (ordinal >= values.length) {
            throw PenstockException.corrupt(
                    "a message names constant " + ordinal + " of " + values.length);
        }
        return values[ordinal];
    }

    static void putBits(BitSet bits, ByteBuilder out) {
        out.putBytes(bits.toByteArray());
    }

    static BitSet getBits(ByteParser in) {
        return BitSet.valueOf(in.getBytes());
    }
}
