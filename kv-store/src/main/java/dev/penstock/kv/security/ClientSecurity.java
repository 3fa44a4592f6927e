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
 * @param pass what a store of this machine has made for a {@linkplain Guests guest}; sent over
 *     loopback only, where no other user listens in
 */
public record ClientSecurity(
        Optional<TlsFiles> tls, Optional<Secret> token, boolean insecure, Optional<Secret> pass) {
    /** Plain text on loopback. */
    public static final ClientSecurity PLAIN =
            new ClientSecurity(Optional.empty(), Optional.empty(), false);

    private static final String INSECURE = "insecure";

    public ClientSecurity(Optional<TlsFiles> tls, Optional<Secret> token, boolean insecure) {
        this(tls, token, insecure, Optional.empty());
    }

    public ClientSecurity {
        if (pass.isPresent() && (tls.isPresent() || token.isPresent() || insecure)) {
            throw PenstockException.usage("a guest's pass is for loopback and needs nothing else");
        }
        if (tls.isPresent() && insecure) {
            throw PenstockException.usage("TLS and insecure plain text exclude each other");
        }
        if (token.isPresent() && tls.isEmpty()) {
            throw PenstockException.usage(
                    "a token is sent over TLS only; name the file of the servers' CA too");
        }
    }

    /** How a guest reaches the store that has let it in. */
    public static ClientSecurity ofGuest(Secret pass) {
        return new ClientSecurity(Optional.empty(), Optional.empty(), false, Optional.of(pass));
    }

    /** What a hello carries. */
    public Optional<Secret> proof() {
        return token.or(() -> pass);
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
        pass.ifPresent(secret -> lines.add("pass " + secret.reveal()));
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
        return new ClientSecurity(
                files,
                secret(text, "token "),
                text.lines().anyMatch(INSECURE::equals),
                secret(text, "pass "));
    }

    private static Optional<Secret> secret(String text, String key) {
        return Optional.ofNullable(value(text, key))
                .map(line -> Secret.of(line, "the driver's message"));
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
