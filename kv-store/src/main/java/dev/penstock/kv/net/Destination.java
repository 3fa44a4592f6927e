package dev.penstock.kv.net;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.wire.Handshake;

/**
 * Where a request goes. Addresses change hands: what is meant for one server must not be done by
 * another that listens where it did.
 *
 * @param serverId which server must answer, or empty if it may be any
 */
record Destination(String address, String serverId) {
    static Destination anyAt(String address) {
        return new Destination(address, "");
    }

    static Destination of(ServerDescriptor server) {
        return new Destination(server.address(), server.serverId());
    }

    /**
     * Before anything is sent.
     *
     * @throws PenstockException of category REROUTE if another server answers
     */
    void check(Handshake.ServerHello hello) {
        if (!serverId.isEmpty() && !hello.serverId().equals(serverId)) {
            throw new PenstockException(
                    ErrorCategory.REROUTE,
                    "server "
                            + hello.serverId()
                            + " answers at "
                            + address
                            + " instead of server "
                            + serverId
                            + ", which is meant; start that one again, there or at an address of"
                            + " its own");
        }
    }
}
