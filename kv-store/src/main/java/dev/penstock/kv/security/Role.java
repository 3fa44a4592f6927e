package dev.penstock.kv.security;

import java.util.Locale;

/** What a principal may do with a table; each role includes those before it. */
public enum Role {
    /** See its rows and schema. */
    READ,
    /** Load into it, store and delete rows. */
    WRITE,
    /** Create and drop it. */
    ADMIN;

    boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** The word of access files and messages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
