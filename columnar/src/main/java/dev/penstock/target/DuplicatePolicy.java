package dev.penstock.target;

import dev.penstock.error.PenstockException;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What happens to rows whose key another row has. A policy is a pair: what it says of equal keys
 * within the load comes first and leaves one row of each key; what it says of keys that the table
 * has is then asked for those. Neither depends on how the load is divided, because equal keys
 * within it are ordered as the input is.
 *
 * <p>The order of the constants is stored; new ones go to the end.
 */
public enum DuplicatePolicy {
    /** The load fails and names the key. */
    ERROR(Within.ERROR, Stored.ERROR),
    /** The first in input order stays; a stored row comes before all input. */
    KEEP_FIRST(Within.KEEP_FIRST, Stored.KEEP_EXISTING),
    /** The last in input order stays, over a stored row too. */
    KEEP_LAST(Within.KEEP_LAST, Stored.REPLACE),
    /** As {@link #KEEP_LAST}: the input replaces what is stored. */
    REPLACE(Within.KEEP_LAST, Stored.REPLACE),
    /** As {@link #KEEP_FIRST}: what is stored stays. */
    KEEP_EXISTING(Within.KEEP_FIRST, Stored.KEEP_EXISTING),
    /** As {@link #KEEP_FIRST}, but the records left out are rejects. */
    REJECT(Within.REJECT, Stored.REJECT),
    ERROR_KEEP_EXISTING(Within.ERROR, Stored.KEEP_EXISTING),
    ERROR_REPLACE(Within.ERROR, Stored.REPLACE),
    ERROR_REJECT(Within.ERROR, Stored.REJECT),
    KEEP_FIRST_ERROR(Within.KEEP_FIRST, Stored.ERROR),
    KEEP_FIRST_REPLACE(Within.KEEP_FIRST, Stored.REPLACE),
    KEEP_FIRST_REJECT(Within.KEEP_FIRST, Stored.REJECT),
    KEEP_LAST_ERROR(Within.KEEP_LAST, Stored.ERROR),
    KEEP_LAST_KEEP_EXISTING(Within.KEEP_LAST, Stored.KEEP_EXISTING),
    KEEP_LAST_REJECT(Within.KEEP_LAST, Stored.REJECT),
    REJECT_ERROR(Within.REJECT, Stored.ERROR),
    REJECT_KEEP_EXISTING(Within.REJECT, Stored.KEEP_EXISTING),
    REJECT_REPLACE(Within.REJECT, Stored.REPLACE);

    /** Of equal keys within a load. */
    public enum Within {
        /** The load fails. */
        ERROR,
        /** The first in input order stays. */
        KEEP_FIRST,
        /** The last in input order stays. */
        KEEP_LAST,
        /** The first in input order stays, the records of the others are rejects. */
        REJECT
    }

    /** Of keys that the table has. */
    public enum Stored {
        /** The load fails. */
        ERROR,
        /** The stored row stays. */
        KEEP_EXISTING,
        /** The load's row replaces it. */
        REPLACE,
        /** The stored row stays, the load's record is a reject. */
        REJECT
    }

    private static final int WORDS = 6;

    private final Within within;
    private final Stored stored;

    DuplicatePolicy(Within within, Stored stored) {
        this.within = within;
        this.stored = stored;
    }

    public Within within() {
        return within;
    }

    public Stored stored() {
        return stored;
    }

    /** Whether what becomes of a row depends on the rows that are stored. */
    public boolean comparesStored() {
        return stored != Stored.REPLACE;
    }

    /** Whether rows are left out because their keys are stored. */
    public boolean leavesOutForStored() {
        return stored == Stored.KEEP_EXISTING || stored == Stored.REJECT;
    }

    /** Whether records may be rejected for their keys. */
    public boolean rejects() {
        return within == Within.REJECT || stored == Stored.REJECT;
    }

    /**
     * One word, as {@code keep-first}, or two, as {@code keep-last,keep-existing}: the first of
     * equal keys within the load, the second of keys that the table has.
     *
     * @param option its name, for the message
     * @throws PenstockException of category USAGE if there is no such policy
     */
    public static DuplicatePolicy parse(String option, String text) {
        String[] words = text.strip().toUpperCase(Locale.ROOT).replace('-', '_').split(",", -1);
        if (words.length == 1) {
            for (DuplicatePolicy policy : values()) {
                if (policy.ordinal() < WORDS && policy.name().equals(words[0].strip())) {
                    return policy;
                }
            }
        } else if (words.length == 2) {
            for (DuplicatePolicy policy : values()) {
                if (policy.within.name().equals(words[0].strip())
                        && policy.stored.name().equals(words[1].strip())) {
                    return policy;
                }
            }
        }
        throw PenstockException.usage(
                option
                        + " '"
                        + text
                        + "' is not known; choose one of "
                        + Arrays.stream(values())
                                .limit(WORDS)
                                .map(DuplicatePolicy::word)
                                .collect(Collectors.joining(", "))
                        + ", or two words: of equal keys within the input ("
                        + words(Within.values())
                        + "), then of keys that are stored ("
                        + words(Stored.values())
                        + "), as keep-last,keep-existing.");
    }

    /** The policy as users write it. */
    public String word() {
        return ordinal() < WORDS ? lower(this) : lower(within) + "," + lower(stored);
    }

    private static String words(Enum<?>[] constants) {
        return Arrays.stream(constants).map(DuplicatePolicy::lower).collect(Collectors.joining(", "));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
