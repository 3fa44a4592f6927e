package dev.penstock.kv.server;

import dev.penstock.kv.net.NetLimits;
import dev.penstock.kv.node.NodeOptions;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How one server process runs.
 *
 * @param data folder of its data, created if absent
 * @param listen address to listen on, {@code HOST:PORT}; port 0 takes a free one
 * @param join address of the leader, or empty to lead
 * @param insecure whether to listen in plain text where other machines can reach it
 * @param log takes one line about something worth knowing: peers that break the protocol, the
 *     leader lost and found
 */
public record ServeOptions(
        Path data,
        String listen,
        Optional<String> join,
        boolean insecure,
        Consumer<String> log,
        NodeOptions node,
        NetLimits limits) {
    /** A leader on loopback that keeps its log to itself. */
    public static ServeOptions of(Path data, String listen) {
        return new ServeOptions(
                data,
                listen,
                Optional.empty(),
                false,
                line -> {},
                NodeOptions.defaults(),
                NetLimits.forThisProcess());
    }

    public ServeOptions withJoin(Optional<String> leader) {
        return new ServeOptions(data, listen, leader, insecure, log, node, limits);
    }

    public ServeOptions withInsecure(boolean allowed) {
        return new ServeOptions(data, listen, join, allowed, log, node, limits);
    }

    public ServeOptions withLog(Consumer<String> lines) {
        return new ServeOptions(data, listen, join, insecure, lines, node, limits);
    }

    public ServeOptions withNode(NodeOptions options) {
        return new ServeOptions(data, listen, join, insecure, log, options, limits);
    }

    public ServeOptions withLimits(NetLimits bounds) {
        return new ServeOptions(data, listen, join, insecure, log, node, bounds);
    }
}
