package dev.penstock.kv.server;

import dev.penstock.kv.net.NetLimits;
import dev.penstock.kv.node.NodeOptions;
import dev.penstock.kv.security.ServerSecurity;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How one server process runs.
 *
 * @param data folder of its data, created if absent
 * @param listen address to listen on, {@code HOST:PORT}; port 0 takes a free one
 * @param join address of the leader, or empty to lead
 * @param advertise where others reach this server, {@code HOST[:PORT]}; empty if that is {@code
 *     listen}
 * @param security certificates and who may do what, or plain text
 * @param readsFiles whether it reads files for loaders of its own user on its machine
 * @param log takes one line about something worth knowing: peers that break the protocol, the
 *     leader lost and found
 */
public record ServeOptions(
        Path data,
        String listen,
        Optional<String> join,
        Optional<String> advertise,
        ServerSecurity security,
        boolean readsFiles,
        Consumer<String> log,
        NodeOptions node,
        NetLimits limits) {
    /** A leader on loopback that keeps its log to itself. */
    public static ServeOptions of(Path data, String listen) {
        return new ServeOptions(
                data,
                listen,
                Optional.empty(),
                Optional.empty(),
                ServerSecurity.PLAIN,
                true,
                line -> {},
                NodeOptions.defaults(),
                NetLimits.forThisProcess());
    }

    public ServeOptions withJoin(Optional<String> leader) {
        return new ServeOptions(
                data, listen, leader, advertise, security, readsFiles, log, node, limits);
    }

    public ServeOptions withAdvertise(Optional<String> address) {
        return new ServeOptions(
                data, listen, join, address, security, readsFiles, log, node, limits);
    }

    public ServeOptions withInsecure(boolean allowed) {
        return withSecurity(new ServerSecurity(security.tls(), security.access(), allowed));
    }

    public ServeOptions withSecurity(ServerSecurity wanted) {
        return new ServeOptions(
                data, listen, join, advertise, wanted, readsFiles, log, node, limits);
    }

    public ServeOptions withReadsFiles(boolean allowed) {
        return new ServeOptions(
                data, listen, join, advertise, security, allowed, log, node, limits);
    }

    public ServeOptions withLog(Consumer<String> lines) {
        return new ServeOptions(
                data, listen, join, advertise, security, readsFiles, lines, node, limits);
    }

    public ServeOptions withNode(NodeOptions options) {
        return new ServeOptions(
                data, listen, join, advertise, security, readsFiles, log, options, limits);
    }

    public ServeOptions withLimits(NetLimits bounds) {
        return new ServeOptions(
                data, listen, join, advertise, security, readsFiles, log, node, bounds);
    }
}
