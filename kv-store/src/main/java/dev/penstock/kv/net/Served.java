package dev.penstock.kv.net;

import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionService;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * What a server offers on its connections.
 *
 * @param tableOfRegion the name of a region's table; throws what the region would answer with
 * @param tableOfLoad the name of the table of a load that is open on this server, or opens when it
 *     is used
 * @param metadata the leader's service, if this server is the leader
 * @param serverId the server's lasting name
 * @param clusterId the store it belongs to, or empty while it does not know
 * @param leader address of the leader, {@code HOST:PORT}
 * @param readyForText whether the server would be done with text at once
 * @param textBytes a text's length that suits the server
 * @param neighbours a folder within which clients of the server's user on its machine show
 *     themselves, for whom it reads files then; empty if it reads none
 * @param log takes one line about something worth knowing
 */
public record Served(
        RegionService regions,
        LongFunction<String> tableOfRegion,
        Function<String, Optional<String>> tableOfLoad,
        Optional<MetadataService> metadata,
        String serverId,
        Supplier<String> clusterId,
        Supplier<String> leader,
        BooleanSupplier readyForText,
        int textBytes,
        Optional<Path> neighbours,
        Consumer<String> log) {}
