package dev.penstock.kv.wire;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

import java.util.Optional;

/** The first frame in each direction: both ends must be Penstock of the same protocol and store. */
public sealed interface Handshake {
    /** "PENSTOCK", read as a little-endian long. */
    long MAGIC = 0x4B434F54534E4550L;

    /** Raised by every change of a message's form or meaning. */
    int VERSION = 16;

    /**
     * @param clusterId the store that the client means, or empty if it takes any
     * @param token what the client proves itself with, or empty; shown nowhere
     */
    record ClientHello(String clusterId, String token) implements Handshake {
        @Override
        public String toString() {
            return "ClientHello[" + clusterId + "]";
        }
    }

    /**
     * @param clusterId the store that the server belongs to, or empty while it does not know
     * @param serverId the server's lasting name
     * @param leader address of the metadata leader, {@code HOST:PORT}
     * @param creditBytes fragment bytes that the client may send ahead of acknowledgements
     * @param client the client's address, as the server sees it
     * @param readyForText whether the server would be done with text at once, as its steps have run
     *     before
     * @param textBytes a text's length that suits the server's heap and processors
     * @param neighbour what a client of the same user on the same machine shows itself by, or empty
     */
    record ServerHello(
            String clusterId,
            String serverId,
            String leader,
            long creditBytes,
            String client,
            boolean readyForText,
            int textBytes,
            String neighbour)
            implements Handshake {}

    static void put(Handshake handshake, ByteBuilder out) {
        out.putLong(MAGIC).putInt(VERSION);
        switch (handshake) {
            case ClientHello(String clusterId, String token) ->
                    out.putString(clusterId).putString(token);
            case ServerHello server -> {
                out.putString(server.clusterId()).putString(server.serverId());
                out.putString(server.leader()).putLong(server.creditBytes());
                out.putString(server.client());
                Fields.putBoolean(server.readyForText(), out);
                out.putInt(server.textBytes()).putString(server.neighbour());
            }
        }
    }

    static ClientHello getClient(ByteParser in) {
        checkStart(in);
        ClientHello hello = new ClientHello(in.getString(), in.getString());
        in.expectEnd();
        return hello;
    }

    static ServerHello getServer(ByteParser in) {
        checkStart(in);
        ServerHello hello =
                new ServerHello(
                        in.getString(),
                        in.getString(),
                        in.getString(),
                        in.getLong(),
                        in.getString(),
                        Fields.getBoolean(in),
                        in.getInt(),
                        in.getString());
        in.expectEnd();
        if (hello.textBytes() < 0) {
            throw PenstockException.corrupt(
                    "a server wants texts of " + hello.textBytes() + " bytes");
        }
        if (hello.creditBytes() < 1) {
            throw PenstockException.corrupt("a server grants " + hello.creditBytes() + " bytes");
        }
        return hello;
    }

    /**
     * What to tell a peer whose hello is of another version of the protocol; empty if it is not.
     */
    static Optional<String> otherVersion(byte[] hello) {
        if (hello.length < Long.BYTES + Integer.BYTES || ByteAccess.getLong(hello, 0) != MAGIC) {
            return Optional.empty();
        }
        int version = ByteAccess.getInt(hello, Long.BYTES);
        return version == VERSION
                ? Optional.empty()
                : Optional.of(
                        "this server speaks version "
                                + VERSION
                                + " of Penstock's protocol, this client version "
                                + version
                                + "; use the same release at both ends");
    }

    private static void checkStart(ByteParser in) {
        if (in.getLong() != MAGIC) {
            throw PenstockException.corrupt("the peer does not speak Penstock's protocol");
        }
        int version = in.getInt();
        if (version != VERSION) {
            throw PenstockException.corrupt(
                    "the peer speaks version "
                            + version
                            + " of Penstock's protocol, not version "
                            + VERSION);
        }
    }
}
