package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

/** A token that a client proves itself with. It shows in no text but the one that is sent. */
public final class Secret {
    /** Shorter ones could be guessed; made ones have 43 characters. */
    static final int MIN_LENGTH = 20;

    static final int MAX_LENGTH = 512;

    private static final int RANDOM_BYTES = 32;

    private final String text;

    private Secret(String text) {
        this.text = text;
    }

    /**
     * @param where what held it, for messages
     * @throws PenstockException of category USAGE, without the text, if it can be no token
     */
    public static Secret of(String text, String where) {
        if (text.length() < MIN_LENGTH || text.length() > MAX_LENGTH) {
            throw PenstockException.usage(
                    where
                            + " holds no token: a token has "
                            + MIN_LENGTH
                            + " to "
                            + MAX_LENGTH
                            + " characters; 'penstock certificates token NAME' makes one");
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw PenstockException.usage(
                    where + " holds no token: a token is one line of ASCII without spaces");
        }
        return new Secret(text);
    }

    /** A new one of 256 random bits. */
    public static Secret random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** The text itself, for the message or the file that carries it. */
    public String reveal() {
        return text;
    }

    /** What a server knows of it. */
    public TokenHash hash() {
        return TokenHash.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return "Secret[hidden]";
    }
}
