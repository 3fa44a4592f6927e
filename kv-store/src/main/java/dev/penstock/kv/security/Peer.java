package dev.penstock.kv.security;

import java.time.Instant;

/** Who is at the other end of a connection. */
public sealed interface Peer {
    /** Anybody who reaches a server without TLS: it may do everything. */
    record Trusted() implements Peer {}

    /**
     * The holder of a certificate of the cluster's CA.
     *
     * @param server whether the certificate is good for a server of the cluster too
     * @param end when the certificate ends
     */
    record Certified(String name, boolean server, Instant end) implements Peer {}

    /** The holder of a token. */
    record Bearer(String name, TokenHash token) implements Peer {}
}
