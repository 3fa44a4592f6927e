package dev.penstock.kv.net;

import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.ServerSecurity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A fake server that listens, and connections to it; closed together. */
final class Endpoints implements AutoCloseable {
    static final int TEXT_BYTES = 12_345;

    final FakeRegions regions = new FakeRegions();
    final List<String> log = new CopyOnWriteArrayList<>();
    final Transport transport = Transport.open("test");
    final ServerEndpoint endpoint;
    final ConnectionPool pool;
    final String address;

    /** Where clients show themselves, if the server reads files. */
    private final Path folder;

    Endpoints() {
        this(limits());
    }

    Endpoints(NetLimits limits) {
        this(limits, ServerSecurity.PLAIN, ClientSecurity.PLAIN);
    }

    Endpoints(NetLimits limits, ServerSecurity security, ClientSecurity client) {
        this(limits, security, client, true);
    }

    Endpoints(
            NetLimits limits, ServerSecurity security, ClientSecurity client, boolean readsFiles) {
        folder = newFolder();
        endpoint =
                ServerEndpoint.open(
                        transport,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        served(
                                regions,
                                readsFiles ? Optional.of(folder) : Optional.empty(),
                                log::add),
                        limits,
                        security);
        address = Addresses.format(endpoint.address());
        pool = new ConnectionPool(transport, limits, () -> "", client);
    }

    static Served served(FakeRegions regions, Optional<Path> neighbours, Consumer<String> log) {
        return new Served(
                regions,
                regionId -> "t",
                loadId -> Optional.of("t"),
                Optional.empty(),
                "server-1",
                () -> "cluster-1",
                () -> "leader:1",
                () -> true,
                TEXT_BYTES,
                neighbours,
                log);
    }

    static NetLimits limits() {
        return new NetLimits(5_000, 10_000, 200, 20_000, 4 << 20, 64 << 20, 64 << 20, 100);
    }

    @Override
    public void close() {
        regions.fragmentPermits.release(1_000_000);
        pool.close();
        endpoint.close();
        transport.close();
        folder.toFile().delete();
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("penstock-test-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
