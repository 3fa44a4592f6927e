package dev.penstock.kv.net;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.UncaughtError;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.Secret;
import dev.penstock.kv.wire.Handshake;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.NetUtil;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Opens connections: looks the address up, connects, greets. None of that keeps the caller waiting;
 * the name of a machine is looked up by a thread of its own, since the system may take many seconds
 * to say that it does not know one. Thread-safe.
 */
final class Connector {
    private final Transport transport;
    private final NetLimits limits;
    private final OutboundBudget outbound;
    private final Supplier<String> clusterId;
    private final ClientSecurity security;
    private final Optional<TlsContexts> tls;
    private final Function<String, InetSocketAddress> names;

    /** Addresses whose servers have greeted this client; as many as a cluster has servers. */
    private final Set<String> met = ConcurrentHashMap.newKeySet();

    /**
     * @param clusterId the store whose servers are meant, or empty to take any
     * @param names where an address is; may take long and throws if that is not known
     */
    Connector(
            Transport transport,
            NetLimits limits,
            OutboundBudget outbound,
            Supplier<String> clusterId,
            ClientSecurity security,
            Function<String, InetSocketAddress> names) {
        this.transport = transport;
        this.limits = limits;
        this.outbound = outbound;
        this.clusterId = clusterId;
        this.security = security;
        this.tls = security.tls().map(files -> new TlsContexts(files, false, line -> {}));
        this.names = names;
    }

    /**
     * Completes the future when the server has answered, or fails it. If it is complete by then the
     * connection is closed.
     */
    void open(String address, CompletableFuture<ClientConnection> result) {
        Runnable opening = () -> openNow(address, result);
        try {
            if (isNumeric(address)) {
                opening.run();
            } else {
                Thread.ofPlatform().name("penstock-lookup").daemon().start(opening);
            }
        } catch (RuntimeException | Error e) {
            fail(result, e);
        }
    }

    private static void fail(CompletableFuture<ClientConnection> result, Throwable e) {
        result.completeExceptionally(
                e instanceof PenstockException known ? known : UncaughtError.handOn(e));
    }

    private static boolean isNumeric(String address) {
        String host = Addresses.check(address).getHostString();
        return NetUtil.createByteArrayFromIpAddressString(host) != null;
    }

    private void openNow(String address, CompletableFuture<ClientConnection> result) {
        try {
            InetSocketAddress target = names.apply(address);
            checkPlainText(target, address);
            connect(address, target, result);
        } catch (RuntimeException | Error e) {
            fail(result, e);
        }
    }

    private void connect(
            String address, InetSocketAddress target, CompletableFuture<ClientConnection> result) {
        new Bootstrap()
                .group(transport.group())
                .channel(transport.clientChannel())
                .option(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(limits.connectMillis()))
                .handler(
                        new ChannelInitializer<Channel>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                prepare(channel, address, target, result);
                            }
                        })
                .connect(target)
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        result.completeExceptionally(unreachable(address, reason(done.cause())));
                    }
                });
    }

    private void prepare(
            Channel channel,
            String address,
            InetSocketAddress target,
            CompletableFuture<ClientConnection> result) {
        ClientConnection connection =
                new ClientConnection(
                        channel, address, hello(), met.contains(address), limits, outbound);
        Sockets.prepare(channel, connection, tls(channel, target));
        connection.ready().whenComplete((ready, e) -> complete(result, ready, e));
    }

    private Handshake.ClientHello hello() {
        return new Handshake.ClientHello(
                clusterId.get(), security.proof().map(Secret::reveal).orElse(""));
    }

    private Optional<SslHandler> tls(Channel channel, InetSocketAddress target) {
        return tls.map(
                contexts -> contexts.connecting(channel.alloc(), target, limits.connectMillis()));
    }

    private void checkPlainText(InetSocketAddress target, String address) {
        if (tls.isEmpty() && !security.insecure() && !target.getAddress().isLoopbackAddress()) {
            throw PenstockException.usage(
                    "server "
                            + address
                            + " is not on this machine: name the CA of its certificate (--tls-ca),"
                            + " or allow plain text with --insecure");
        }
    }

    private void complete(
            CompletableFuture<ClientConnection> result, ClientConnection ready, Throwable failure) {
        if (failure == null) {
            met.add(ready.address());
            if (!result.complete(ready)) {
                ready.close();
            }
        } else {
            result.completeExceptionally(failure);
        }
    }

    /** The system's reason without the names of its calls. */
    private static String reason(Throwable cause) {
        String said = cause.getMessage();
        String message = said == null ? cause.toString() : said;
        if (cause instanceof ConnectTimeoutException) {
            return "no answer in time";
        }
        for (String known :
                List.of("Connection refused", "No route to host", "Network is unreachable")) {
            if (message.contains(known)) {
                return known.toLowerCase(Locale.ROOT);
            }
        }
        return message;
    }

    static PenstockException unreachable(String address, String why) {
        return new PenstockException(
                ErrorCategory.RETRY, "server " + address + " cannot be reached: " + why);
    }
}
