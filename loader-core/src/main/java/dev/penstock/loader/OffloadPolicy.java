package dev.penstock.loader;

import dev.penstock.error.PenstockException;

import java.util.Locale;

/** Which side encodes: the loader, the region server, or whichever makes the transfer smallest. */
public enum OffloadPolicy {
    /** The loader encodes every column. */
    ALL,
    /** The loader sends typed, plain columns; the server encodes. */
    NONE,
    /** Per column and fragment the form with the smallest estimated size. */
    SELECT,
    /**
     * As {@link #SELECT}; but rows in order travel as {@link #TEXT} into servers on the same
     * machine that have run the steps before, and so are done with them sooner than a loader that
     * has just started. The default.
     */
    ADAPTIVE,
    /**
     * Chunks travel as their files have them, into servers on the same machine, which do every
     * step; what the loader has to do goes as with {@link #SELECT}.
     */
    TEXT,
    /** Records travel as text, routed by key; the server does every step. */
    RAW,
    /** As {@link #RAW}, and the server only stores the text until all of it has arrived. */
    SEQUENTIAL;

    /** The name as a command line writes it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the loader chooses the smallest form where it encodes. */
    public boolean selects() {
        return this == SELECT || sendsChunks();
    }

    /** Whether whole chunks may travel as text. */
    public boolean sendsChunks() {
        return this == ADAPTIVE || this == TEXT;
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
                        + "'; use adaptive, all, none, select, text, raw or"
                        + " sequential.");
    }
}
