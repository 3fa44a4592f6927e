package dev.penstock.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Unaligned access to byte arrays; every position is an index into the array. */
public final class ByteAccess {
    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT_LE =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT_LE =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_BE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Bytes that {@link #compare} looks at by itself. */
    private static final int MAX_INLINE = 32;

    private ByteAccess() {}

    public static long getLong(byte[] bytes, int index) {
        return (long) LONG_LE.get(bytes, index);
    }

    public static void putLong(byte[] bytes, int index, long value) {
        LONG_LE.set(bytes, index, value);
    }

    public static int getInt(byte[] bytes, int index) {
        return (int) INT_LE.get(bytes, index);
    }

    public static void putInt(byte[] bytes, int index, int value) {
        INT_LE.set(bytes, index, value);
    }

    public static int getShort(byte[] bytes, int index) {
        return (short) SHORT_LE.get(bytes, index);
    }

    public static void putShort(byte[] bytes, int index, int value) {
        SHORT_LE.set(bytes, index, (short) value);
    }

    public static long getLongBigEndian(byte[] bytes, int index) {
        return (long) LONG_BE.get(bytes, index);
    }

    public static void putLongBigEndian(byte[] bytes, int index, long value) {
        LONG_BE.set(bytes, index, value);
    }

    /** Compares two ranges, which must be such, as unsigned bytes; a prefix sorts first. */
    public static int compare(
            byte[] left, int leftFrom, int leftTo, byte[] right, int rightFrom, int rightTo) {
        int common = Math.min(leftTo - leftFrom, rightTo - rightFrom);
        int at = 0;
        // Most differ within few words, which are compared sooner than the JDK's loop is called.
        for (int words = Math.min(common, MAX_INLINE) & -8; at < words; at += 8) {
            long leftWord = getLongBigEndian(left, leftFrom + at);
            long rightWord = getLongBigEndian(right, rightFrom + at);
            if (leftWord != rightWord) {
                return Long.compareUnsigned(leftWord, rightWord);
            }
        }
        if (common > MAX_INLINE) {
            return Arrays.compareUnsigned(
                    left, leftFrom + at, leftTo, right, rightFrom + at, rightTo);
        }
        for (; at < common; at++) {
            int difference = (left[leftFrom + at] & 0xFF) - (right[rightFrom + at] & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(leftTo - leftFrom, rightTo - rightFrom);
    }
}
