package dev.penstock.kv.security;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * SHA-256 of a token. Tokens are random and long, so that nothing slower is needed. Compared in
 * constant time.
 */
public final class TokenHash {
    static final String PREFIX = "sha256:";
    private static final int BYTES = 32;

    private final byte[] digest;

    private TokenHash(byte[] digest) {
        this.digest = digest;
    }

    static TokenHash of(byte[] token) {
        try {
            return new TokenHash(MessageDigest.getInstance("SHA-256").digest(token));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of {@code sha256:} and 64 hexadecimal digits; refuses everything else. */
    static TokenHash parse(String text) {
        if (!text.startsWith(PREFIX) || text.length() != PREFIX.length() + 2 * BYTES) {
            throw new IllegalArgumentException("no hash of a token");
        }
        return new TokenHash(HexFormat.of().parseHex(text.substring(PREFIX.length())));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenHash hash && MessageDigest.isEqual(digest, hash.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    /** {@code sha256:…}, as an access file has it. */
    @Override
    public String toString() {
        return PREFIX + HexFormat.of().formatHex(digest);
    }
}
