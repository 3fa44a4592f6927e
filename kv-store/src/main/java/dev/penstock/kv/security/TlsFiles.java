package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Optional;

/**
 * PEM files for TLS.
 *
 * @param ca certificates of the CA that the other side's certificate must come from
 * @param own this side's certificate and key, if it has one
 */
public record TlsFiles(Path ca, Optional<Identity> own) {
    /**
     * A certificate, with those between it and the CA behind it, and its key in PKCS#8.
     *
     * @param key readable by its owner only
     */
    public record Identity(Path certificate, Path key) {}

    /**
     * As they are given on a command line.
     *
     * @return empty if none is given
     * @throws PenstockException of category USAGE if one is given without those it needs
     */
    public static Optional<TlsFiles> of(
            @Nullable Path ca, @Nullable Path certificate, @Nullable Path key) {
        if ((certificate == null) != (key == null)) {
            throw PenstockException.usage(
                    "a certificate and its key belong together: give both or none");
        }
        if (ca == null) {
            if (certificate != null) {
                throw PenstockException.usage(
                        "a certificate is given, but not the CA that the other side's must come"
                                + " from");
            }
            return Optional.empty();
        }
        Optional<Identity> own =
                certificate == null || key == null
                        ? Optional.empty()
                        : Optional.of(new Identity(certificate, key));
        return Optional.of(new TlsFiles(ca, own));
    }
}
