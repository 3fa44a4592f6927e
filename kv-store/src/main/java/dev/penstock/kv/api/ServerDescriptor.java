package dev.penstock.kv.api;

/**
 * A region server.
 *
 * @param serverId a UUID that the server keeps in its data folder
 * @param address where it listens, {@code HOST:PORT}, or {@link #EMBEDDED}
 */
public record ServerDescriptor(String serverId, String address) {
    /** Address of a server that runs in the process of its only client. */
    public static final String EMBEDDED = "embedded";
}
