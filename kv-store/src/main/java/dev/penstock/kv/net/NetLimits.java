package dev.penstock.kv.net;

/**
 * Times and sizes of connections.
 *
 * @param connectMillis longest wait for a connection and its handshake, at the client
 * @param handshakeMillis longest wait for a hello, at the server
 * @param heartbeatMillis both ends send something at least so often
 * @param silenceMillis after so long without a byte the peer counts as dead
 * @param creditBytes fragment bytes that a connection may send ahead of acknowledgements
 * @param outboundBytes fragment bytes that a process may have on their way at a time, over all its
 *     connections, whatever servers grant
 * @param inboundBytes bytes of large requests that a server holds at a time
 * @param maxConnections connections that a server takes
 */
public record NetLimits(
        long connectMillis,
        long handshakeMillis,
        long heartbeatMillis,
        long silenceMillis,
        long creditBytes,
        long outboundBytes,
        long inboundBytes,
        int maxConnections) {
    private static final long MEBIBYTE = 1 << 20;
    private static final int STRANGERS_PART = 4;

    /** Limits that fit this process's heap. */
    public static NetLimits forThisProcess() {
        long heap = Runtime.getRuntime().maxMemory();
        return new NetLimits(
                5_000,
                10_000,
                5_000,
                30_000,
                Math.clamp(heap / 16, 4 * MEBIBYTE, 32 * MEBIBYTE),
                Math.max(heap / 8, 4 * MEBIBYTE),
                Math.max(heap / 4, 64 * MEBIBYTE),
                1024);
    }

    /** Connections that have not proved yet who they are; more are refused. */
    int maxStrangers() {
        return Math.max(1, maxConnections / STRANGERS_PART);
    }

    public NetLimits withCreditBytes(long value) {
        return new NetLimits(
                connectMillis,
                handshakeMillis,
                heartbeatMillis,
                silenceMillis,
                value,
                outboundBytes,
                inboundBytes,
                maxConnections);
    }

    NetLimits withOutboundBytes(long value) {
        return new NetLimits(
                connectMillis,
                handshakeMillis,
                heartbeatMillis,
                silenceMillis,
                creditBytes,
                value,
                inboundBytes,
                maxConnections);
    }

    public NetLimits withTimes(long handshake, long heartbeat, long silence) {
        return new NetLimits(
                connectMillis,
                handshake,
                heartbeat,
                silence,
                creditBytes,
                outboundBytes,
                inboundBytes,
                maxConnections);
    }
}
