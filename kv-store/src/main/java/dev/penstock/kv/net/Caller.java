package dev.penstock.kv.net;

import dev.penstock.kv.net.Neighbours.Neighbour;
import dev.penstock.kv.security.Peer;

/**
 * Who asks on a connection.
 *
 * @param peer who has said hello
 * @param neighbour whether files may be read for it
 * @param scans that it has opened
 */
record Caller(Peer peer, Neighbour neighbour, OpenScans scans) {}
