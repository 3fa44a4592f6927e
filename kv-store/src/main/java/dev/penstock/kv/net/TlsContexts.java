package dev.penstock.kv.net;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.security.PrivateFiles;
import dev.penstock.kv.security.TlsFiles;
import dev.penstock.kv.security.WatchedFiles;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * TLS 1.3 by the JDK, from PEM files that are read again when they have changed, for connections
 * that begin afterwards. Thread-safe.
 */
final class TlsContexts {
    private static final String PROTOCOL = "TLSv1.3";

    /** The first is the fastest where the processor has instructions for it, as most have. */
    private static final List<String> CIPHERS =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256");

    /** One that every TLS 1.3 has; an offer of several costs a key for each. */
    private static final String[] GROUPS = {"x25519"};

    private final TlsFiles files;
    private final boolean server;
    private final WatchedFiles<SslContext> context;

    /**
     * @param server whether these are for connections that others open
     * @throws PenstockException of category USAGE if the files cannot be used
     */
    TlsContexts(TlsFiles files, boolean server, Consumer<String> log) {
        this.files = files;
        this.server = server;
        List<Path> all = new ArrayList<>(List.of(files.ca()));
        files.own().ifPresent(own -> all.addAll(List.of(own.certificate(), own.key())));
        context =
                new WatchedFiles<>(
                        all,
                        this::build,
                        "the certificates were read again",
                        "the certificates stay as they were",
                        log);
        if (server) {
            files.own().ifPresent(own -> OwnCertificate.check(own.certificate(), files.ca()));
        }
    }

    /** For a connection that was accepted. */
    SslHandler accepting(ByteBufAllocator allocator, long handshakeMillis) {
        SslHandler handler = context.current().newHandler(allocator);
        handler.setHandshakeTimeoutMillis(handshakeMillis);
        return handler;
    }

    /** For a connection to that address, whose certificate must name its host. */
    SslHandler connecting(
            ByteBufAllocator allocator, InetSocketAddress target, long handshakeMillis) {
        SslHandler handler =
                context.current().newHandler(allocator, target.getHostString(), target.getPort());
        handler.setHandshakeTimeoutMillis(handshakeMillis);
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setNamedGroups(GROUPS);
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    private SslContext build() {
        TlsFiles.@Nullable Identity own = files.own().orElse(null);
        checkReadable(files.ca());
        if (own != null) {
            checkReadable(own.certificate());
            PrivateFiles.checkSecret(own.key(), "the key");
        }
        try {
            return builder(own)
                    .trustManager(files.ca().toFile())
                    .sslProvider(SslProvider.JDK)
                    .protocols(PROTOCOL)
                    .ciphers(CIPHERS)
                    .build();
        } catch (SSLException | IllegalArgumentException e) {
            throw PenstockException.usage(
                    "the certificates cannot be used ("
                            + files.ca()
                            + (own == null ? "" : ", " + own.certificate() + ", " + own.key())
                            + "): "
                            + e.getMessage());
        }
    }

    private SslContextBuilder builder(TlsFiles.@Nullable Identity own) {
        if (server && own != null) {
            // Whoever comes without a certificate may have a token; the handshake after TLS asks.
            return SslContextBuilder.forServer(own.certificate().toFile(), own.key().toFile())
                    .clientAuth(ClientAuth.OPTIONAL);
        }
        SslContextBuilder builder =
                SslContextBuilder.forClient().endpointIdentificationAlgorithm("HTTPS");
        return own == null
                ? builder
                : builder.keyManager(own.certificate().toFile(), own.key().toFile());
    }

    private static void checkReadable(Path file) {
        if (!Files.isReadable(file)) {
            throw PenstockException.usage("there is no readable file " + file);
        }
    }
}
