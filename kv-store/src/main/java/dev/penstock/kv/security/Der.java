package dev.penstock.kv.security;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * The few forms of DER (X.690) that a certificate is written in. Nothing is read here, the JDK does
 * that; a library that writes it would add 10 MB to the 24 of a distribution, and to the driver's
 * jar.
 */
final class Der {
    static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OID = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;

    private static final int FIRST_GENERALIZED_YEAR = 2050;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return of(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return of(SET, parts);
    }

    static byte[] integer(BigInteger value) {
        return of(INTEGER, value.toByteArray());
    }

    static byte[] yes() {
        return of(BOOLEAN, new byte[] {(byte) 0xFF});
    }

    static byte[] octets(byte[] bytes) {
        return of(OCTET_STRING, bytes);
    }

    /**
     * @param unused bits of the last byte that do not count
     */
    static byte[] bits(int unused, byte[] bytes) {
        return of(BIT_STRING, new byte[] {(byte) unused}, bytes);
    }

    static byte[] utf8(String text) {
        return of(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Of dotted numbers. */
    static byte[] oid(String dotted) {
        String[] parts = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(Integer.parseInt(parts[0]) * 40 + Integer.parseInt(parts[1]));
        for (int i = 2; i < parts.length; i++) {
            int value = Integer.parseInt(parts[i]);
            int groups = Math.max(1, (38 - Integer.numberOfLeadingZeros(value)) / 7);
            for (int group = groups - 1; group >= 0; group--) {
                out.write(value >>> (7 * group) & 0x7F | (group > 0 ? 0x80 : 0));
            }
        }
        return of(OID, out.toByteArray());
    }

    static byte[] time(Instant instant) {
        var utc = instant.atOffset(ZoneOffset.UTC);
        boolean generalized = utc.getYear() >= FIRST_GENERALIZED_YEAR;
        String pattern = generalized ? "yyyyMMddHHmmss'Z'" : "yyMMddHHmmss'Z'";
        return of(
                generalized ? GENERALIZED_TIME : UTC_TIME,
                DateTimeFormatter.ofPattern(pattern)
                        .format(utc)
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** A tag that means what its place says, around whole values. */
    static byte[] explicit(int tag, byte[] value) {
        return of(CONTEXT | CONSTRUCTED | tag, value);
    }

    /** The same in the place of the value's own tag. */
    static byte[] implicit(int tag, byte[] bytes) {
        return of(CONTEXT | tag, bytes);
    }

    private static byte[] of(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length = Math.addExact(length, part.length);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        putLength(length, out);
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static void putLength(int length, ByteArrayOutputStream out) {
        if (length < 0x80) {
            out.write(length);
            return;
        }
        int bytes = (39 - Integer.numberOfLeadingZeros(length)) / 8;
        out.write(0x80 | bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            out.write(length >>> (8 * i));
        }
    }
}
