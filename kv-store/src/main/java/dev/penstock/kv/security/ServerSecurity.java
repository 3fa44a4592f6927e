package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a server is reached and by whom.
 *
 * @param tls its certificate, key and CA; or empty for plain text
 * @param access who may do what; without it every certificate of the CA may do what clients do
 * @param insecure whether plain text is allowed where other machines can reach the server
 */
public record ServerSecurity(Optional<TlsFiles> tls, Optional<Path> access, boolean insecure) {
    /** Plain text on loopback. */
    public static final ServerSecurity PLAIN =
            new ServerSecurity(Optional.empty(), Optional.empty(), false);

    public ServerSecurity {
        if (tls.isPresent() && tls.get().own().isEmpty()) {
            throw PenstockException.usage("a server with TLS needs a certificate and its key");
        }
        if (tls.isPresent() && insecure) {
            throw PenstockException.usage("TLS and insecure plain text exclude each other");
        }
        if (access.isPresent() && tls.isEmpty()) {
            throw PenstockException.usage(
                    "an access file needs TLS: in plain text nobody can prove who he is");
        }
    }

    /** How this server calls the others of its cluster: with its own certificate. */
    public ClientSecurity asClient() {
        return new ClientSecurity(tls, Optional.empty(), insecure);
    }
}
