package dev.penstock.kv.net;

import dev.penstock.error.PenstockException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether a server's certificate is one that its clients and the other servers can take: found
 * where the server starts, not by each of them.
 */
final class OwnCertificate {
    private OwnCertificate() {}

    /**
     * @param own the certificate, with those between it and the CA behind it
     * @throws PenstockException of category USAGE if it does not count now, or comes from another
     *     CA
     */
    static void check(Path own, Path ca) {
        List<X509Certificate> chain = read(own);
        List<X509Certificate> authorities = read(ca);
        X509Certificate certificate = chain.getFirst();
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException e) {
            throw PenstockException.usage(
                    "the certificate "
                            + own
                            + " has expired: it counted until "
                            + certificate.getNotAfter().toInstant());
        } catch (CertificateNotYetValidException e) {
            throw PenstockException.usage(
                    "the certificate "
                            + own
                            + " does not count yet: it does from "
                            + certificate.getNotBefore().toInstant());
        }
        if (!authorities.contains(certificate) && !comesFrom(chain, authorities)) {
            throw PenstockException.usage(
                    "the certificate " + own + " does not come from the CA " + ca);
        }
    }

    private static boolean comesFrom(
            List<X509Certificate> chain, List<X509Certificate> authorities) {
        try {
            PKIXParameters parameters =
                    new PKIXParameters(
                            authorities.stream()
                                    .map(authority -> new TrustAnchor(authority, null))
                                    .collect(Collectors.toSet()));
            parameters.setRevocationEnabled(false);
            List<X509Certificate> below =
                    chain.stream().filter(link -> !authorities.contains(link)).toList();
            CertPathValidator.getInstance("PKIX")
                    .validate(
                            CertificateFactory.getInstance("X.509").generateCertPath(below),
                            parameters);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static List<X509Certificate> read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (found.isEmpty()) {
                throw PenstockException.usage("there is no certificate in " + file);
            }
            return found;
        } catch (IOException e) {
            throw PenstockException.io("cannot read the certificate " + file + ": " + e, e);
        } catch (CertificateException e) {
            throw PenstockException.usage("there is no certificate in " + file);
        }
    }
}
