package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.PrivateFiles;
import dev.penstock.kv.security.Secret;
import dev.penstock.kv.security.TlsFiles;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.Optional;

/** How servers are reached: TLS, a proof of who asks, or plain text. */
final class ConnectionOptions {
    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "Talk TLS; the servers' certificates must come from this CA (PEM).")
    private @Nullable Path ca;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Certificate to show to the servers (PEM).")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "Key of --tls-cert (PEM); only its owner may be able to read it.")
    private @Nullable Path key;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "Token to show to the servers instead of a certificate; - reads a line from"
                            + " standard input.")
    private @Nullable Path token;

    @Option(names = "--insecure", description = "Allow plain text to servers on other machines.")
    private boolean insecure;

    /** Whether the user said anything. */
    boolean given() {
        return ca != null || certificate != null || key != null || token != null || insecure;
    }

    /** Reads the token, if there is one. */
    ClientSecurity security() {
        Optional<TlsFiles> files = TlsFiles.of(ca, certificate, key);
        if (token != null && files.isEmpty()) {
            throw PenstockException.usage(
                    "a token is sent over TLS only; name the servers' CA with --tls-ca");
        }
        Optional<Secret> secret = Optional.ofNullable(token).map(PrivateFiles::token);
        return new ClientSecurity(files, secret, insecure);
    }
}
