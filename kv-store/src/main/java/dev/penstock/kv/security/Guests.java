package dev.penstock.kv.security;

import java.util.ArrayList;
import java.util.List;

/**
 * Whom a store lets in for a while, with a token that it has made for each: a guest may write one
 * table, which is what the other processes of a load need, and nothing else. They are known in
 * memory only. Thread-safe.
 */
public final class Guests {
    /**
     * @param table the one that the guest may write
     */
    record Guest(Peer.Bearer bearer, String table) {}

    private final List<Guest> admitted = new ArrayList<>();
    private long count;
    private volatile AccessRules rules = AccessRules.of(List.of());

    /** Lets in whoever has the result, until {@link #dismiss}. */
    public synchronized Secret admit(String table) {
        Secret secret = Secret.random();
        count++;
        admitted.add(new Guest(new Peer.Bearer("guest-" + count, secret.hash()), table));
        rules = AccessRules.of(admitted);
        return secret;
    }

    /** From now on the token counts no more, on open connections neither. */
    public synchronized void dismiss(Secret secret) {
        admitted.removeIf(guest -> guest.bearer().token().equals(secret.hash()));
        rules = AccessRules.of(admitted);
    }

    AccessRules rules() {
        return rules;
    }
}
