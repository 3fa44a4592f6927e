package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;
import dev.penstock.target.TargetAccess;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a client reaches servers and proves who it is.
 *
 * @param tls empty for plain text
 * @param token sent over TLS only
 * @param insecure whether plain text is allowed to other machines
 */
public record ClientSecurity(Optional<TlsFiles> tls, Optional<Secret> token, boolean insecure) {
    /** Plain text on loopback. */
    public static final ClientSecurity PLAIN =
            new ClientSecurity(Optional.empty(), Optional.empty(), false);

    private static final String INSECURE = "insecure";

    public ClientSecurity {
        if (tls.isPresent() && insecure) {
            throw PenstockException.usage("TLS and insecure plain text exclude each other");
        }
        if (token.isPresent() && tls.isEmpty()) {
            throw PenstockException.usage(
                    "a token is sent over TLS only; name the file of the servers' CA too");
        }
    }

    /** What another process of this machine needs to reach servers as this one does. */
    public TargetAccess toAccess() {
        List<String> lines = new ArrayList<>();
        tls.ifPresent(files -> {
            lines.add("ca " + files.ca().toAbsolutePath());
            files.own()
                    .ifPresent(own -> {
                        lines.add("certificate " + own.certificate().toAbsolutePath());
                        lines.add("key " + own.key().toAbsolutePath());
                    });
        });
        token.ifPresent(secret -> lines.add("token " + secret.reveal()));
        if (insecure) {
            lines.add(INSECURE);
        }
        return new TargetAccess(String.join("\n", lines));
    }

    /** The same in that process. */
    public static ClientSecurity of(TargetAccess access) {
        String text = access.text();
        Optional<TlsFiles> files =
                TlsFiles.of(path(text, "ca "), path(text, "certificate "), path(text, "key "));
        String token = value(text, "token ");
        return new ClientSecurity(
                files,
                Optional.ofNullable(token).map(line -> Secret.of(line, "the driver's message")),
                text.lines().anyMatch(INSECURE::equals));
    }

    private static @Nullable Path path(String text, String key) {
        String value = value(text, key);
        return value == null ? null : Path.of(value);
    }

    private static @Nullable String value(String text, String key) {
        return text.lines()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()))
                .findFirst()
                .orElse(null);
    }
}
