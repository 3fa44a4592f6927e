package dev.penstock.kv.net;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import io.netty.handler.ssl.NotSslRecordException;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;

import javax.net.ssl.SSLException;

/** What failures of TLS mean, in words for a user. */
final class TlsFailures {
    private static final int MAX_CAUSES = 16;

    /** How the JDK begins what the other side has sent as its last word. */
    private static final String ALERT = "Received fatal alert: ";

    private TlsFailures() {}

    /** What a client is told, if TLS is the reason. */
    static Optional<PenstockException> atClient(Throwable failure, String address) {
        String server = "server " + address;
        if (find(failure, NotSslRecordException.class).isPresent()) {
            return Optional.of(PenstockException.denied(server + " does not speak TLS"));
        }
        Optional<String> untrusted = untrusted(failure);
        if (untrusted.isPresent()) {
            return Optional.of(
                    PenstockException.denied(server + " cannot be trusted: " + untrusted.get()));
        }
        Optional<SSLException> tls = find(failure, SSLException.class);
        if (tls.isEmpty()) {
            return Optional.empty();
        }
        String message = String.valueOf(tls.get().getMessage());
        int alert = message.indexOf(ALERT);
        if (alert >= 0 && aboutCertificates(message.substring(alert))) {
            return Optional.of(
                    PenstockException.denied(
                            server
                                    + " refuses this client's certificate ("
                                    + message.substring(alert + ALERT.length())
                                    + ")"));
        }
        return Optional.of(ended(address));
    }

    /** Others may come of load, a deadline or an end: the same call may succeed later. */
    private static boolean aboutCertificates(String alert) {
        return alert.contains("certificate")
                || alert.contains("unknown_ca")
                || alert.contains("access_denied");
    }

    /** What a client is told that has not come to speak TLS. */
    static PenstockException ofHandshake(Throwable failure, String address) {
        return atClient(failure, address).orElseGet(() -> ended(address));
    }

    private static PenstockException ended(String address) {
        return new PenstockException(
                ErrorCategory.RETRY,
                "server " + address + " ended the TLS handshake; it may not speak TLS");
    }

    /** What a server notes. */
    static Optional<String> atServer(Throwable failure) {
        if (find(failure, NotSslRecordException.class).isPresent()) {
            return Optional.of("does not speak TLS");
        }
        Optional<String> untrusted = untrusted(failure);
        if (untrusted.isPresent()) {
            return Optional.of("cannot be trusted: " + untrusted.get());
        }
        return find(failure, SSLException.class)
                .map(tls -> "did not agree on TLS: " + tls.getMessage());
    }

    private static Optional<String> untrusted(Throwable failure) {
        if (find(failure, CertificateExpiredException.class).isPresent()) {
            return Optional.of("its certificate has expired");
        }
        if (find(failure, CertificateNotYetValidException.class).isPresent()) {
            return Optional.of("its certificate is not valid yet");
        }
        if (find(failure, CertPathBuilderException.class).isPresent()
                || find(failure, CertPathValidatorException.class).isPresent()) {
            return Optional.of("its certificate is not from the expected CA");
        }
        return find(failure, CertificateException.class)
                .map(e -> "its certificate does not fit: " + e.getMessage());
    }

    private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (type.isInstance(cause)) {
                return Optional.of(type.cast(cause));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }
}
