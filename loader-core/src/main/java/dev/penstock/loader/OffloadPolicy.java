package dev.penstock.loader;

import dev.penstock.error.PenstockException;

import java.util.Locale;

/** Which side encodes: the loader, the region server, or whichever makes the transfer smallest. */
public enum OffloadPolicy {
    /** The loader encodes every column. */
    ALL,
    /** The loader sends typed, plain columns; the server encodes. */
    NONE,
    /** Per column and fragment the form with the smallest estimated size. The default. */
    SELECT,
    /** Records travel as text, routed by key; the server does every step. */
    RAW,
    /** As {@link #RAW}, and the server only stores the text until all of it has arrived. */
    SEQUENTIAL;

    /** The name as a command line writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static OffloadPolicy parse(String word) {
        for (OffloadPolicy policy : values()) {
            if (policy.word().equals(word.toLowerCase(Locale.ROOT))) {
                return policy;
            }
        }
        throw PenstockException.usage(
                "There is no offload policy '"
                        + word
                        + "'; use all, none, select, raw or sequential.");
    }
}
