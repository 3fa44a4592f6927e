package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.storage.FileFault;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A CA of a cluster of one's own: elliptic keys (P-256), certificates as RFC 5280 wants them, PEM
 * files in one folder. Keys are readable by their owner only, and nothing is ever replaced.
 *
 * <pre>
 *   ca.crt      for everybody
 *   ca.key      to be kept where no server is
 *   NAME.crt    with NAME.key: a server's or a client's
 * </pre>
 */
public final class CertificateAuthority {
    private static final String EC_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String SUBJECT_KEY_ID = "2.5.29.14";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String ALTERNATIVE_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String AUTHORITY_KEY_ID = "2.5.29.35";
    private static final String PURPOSES = "2.5.29.37";
    private static final String FOR_SERVERS = "1.3.6.1.5.5.7.3.1";
    private static final String FOR_CLIENTS = "1.3.6.1.5.5.7.3.2";

    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;

    /** Clocks of machines may differ by so much. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(5);

    private static final String SIGNATURE = "SHA256withECDSA";

    private static final Pattern IP = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final String LABEL = "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?";

    /** Letters, digits and hyphens only: Java takes no certificate with another name in it. */
    private static final Pattern DNS = Pattern.compile("(\\*\\.)?" + LABEL + "(\\." + LABEL + ")*");

    private final X509Certificate certificate;
    private final PrivateKey key;

    private CertificateAuthority(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /** Makes a CA: {@code ca.crt} and {@code ca.key} in the folder, which is created if absent. */
    public static CertificateAuthority create(Path folder, Instant now, Duration life) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw PenstockException.io(
                    "cannot create the folder " + folder + ": " + FileFault.reason(e), e);
        }
        KeyPair keys = newKeys();
        byte[] name = name("penstock-ca-" + new BigInteger(32, new SecureRandom()).toString(36));
        List<byte[]> extensions =
                List.of(
                        extension(
                                BASIC_CONSTRAINTS,
                                true,
                                Der.sequence(Der.yes(), Der.integer(BigInteger.ZERO))),
                        extension(KEY_USAGE, true, Der.bits(1, new byte[] {0x06})),
                        extension(SUBJECT_KEY_ID, false, Der.octets(keyId(keys.getPublic()))));
        X509Certificate made =
                sign(name, name, keys.getPublic(), now, life, extensions, keys.getPrivate());
        write(folder, "ca", made, keys.getPrivate());
        return new CertificateAuthority(made, keys.getPrivate());
    }

    /**
     * The CA of a folder.
     *
     * @throws PenstockException of category USAGE if there is none
     */
    public static CertificateAuthority open(Path folder) {
        Path keyFile = folder.resolve("ca.key");
        if (!Files.exists(keyFile) && Files.exists(folder.resolve("ca.crt"))) {
            throw PenstockException.usage(
                    "the key of the CA in " + folder + ", ca.key, is not here; bring it back");
        }
        if (!Files.exists(keyFile)) {
            throw PenstockException.usage(
                    "there is no CA in " + folder + "; 'penstock certificates ca' makes one");
        }
        PrivateFiles.checkSecret(keyFile, "the key");
        try (InputStream in = Files.newInputStream(folder.resolve("ca.crt"))) {
            X509Certificate certificate =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509").generateCertificate(in);
            byte[] key = Base64.getMimeDecoder().decode(pemBody(Files.readString(keyFile)));
            CertificateAuthority authority =
                    new CertificateAuthority(
                            certificate,
                            KeyFactory.getInstance("EC")
                                    .generatePrivate(new PKCS8EncodedKeySpec(key)));
            if (!authority.keyFits()) {
                throw PenstockException.usage(
                        "ca.key in " + folder + " is not the key of ca.crt there");
            }
            return authority;
        } catch (IOException e) {
            throw PenstockException.io(
                    "cannot read the CA in " + folder + ": " + FileFault.reason(e), e);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw PenstockException.usage(
                    "the CA in " + folder + " was not made by 'penstock certificates ca'");
        }
    }

    private boolean keyFits() throws GeneralSecurityException {
        byte[] content = new byte[32];
        Signature signature = Signature.getInstance(SIGNATURE);
        signature.initSign(key);
        signature.update(content);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(content);
        return signature.verify(signed);
    }

    private static String pemBody(String pem) {
        return pem.lines().filter(line -> !line.startsWith("-----")).reduce("", String::concat);
    }

    /**
     * Makes a server's certificate and key; it is good for calling other servers too.
     *
     * @param hosts names and addresses under which it is reached, at least one
     */
    public void issueServer(
            Path folder, String name, List<String> hosts, Instant now, Duration life) {
        if (hosts.isEmpty()) {
            throw PenstockException.usage(
                    "a server's certificate names the hosts under which it is reached; give them"
                            + " with --host");
        }
        List<byte[]> names = new ArrayList<>();
        hosts.forEach(host -> names.add(alternativeName(host)));
        byte[] alternatives = Der.sequence(names.toArray(byte[][]::new));
        issue(
                folder,
                name,
                List.of(
                        extension(
                                PURPOSES,
                                false,
                                Der.sequence(Der.oid(FOR_SERVERS), Der.oid(FOR_CLIENTS))),
                        extension(ALTERNATIVE_NAME, false, alternatives)),
                now,
                life);
    }

    /** Makes a client's certificate and key. */
    public void issueClient(Path folder, String name, Instant now, Duration life) {
        byte[] purposes = Der.sequence(Der.oid(FOR_CLIENTS));
        issue(folder, name, List.of(extension(PURPOSES, false, purposes)), now, life);
    }

    private void issue(Path folder, String name, List<byte[]> special, Instant now, Duration life) {
        if (!AccessRules.isName(name) || name.equals("ca")) {
            throw PenstockException.usage(
                    "'"
                            + name
                            + "' is no name for a certificate: 1 to 64 letters, digits and ._@-");
        }
        KeyPair keys = newKeys();
        List<byte[]> extensions = new ArrayList<>();
        extensions.add(extension(BASIC_CONSTRAINTS, true, Der.sequence()));
        extensions.add(extension(KEY_USAGE, true, Der.bits(7, new byte[] {(byte) 0x80})));
        extensions.add(extension(SUBJECT_KEY_ID, false, Der.octets(keyId(keys.getPublic()))));
        extensions.add(
                extension(
                        AUTHORITY_KEY_ID,
                        false,
                        Der.sequence(Der.implicit(0, keyId(certificate.getPublicKey())))));
        extensions.addAll(special);
        X509Certificate made =
                sign(
                        certificate.getSubjectX500Principal().getEncoded(),
                        name(name),
                        keys.getPublic(),
                        now,
                        life,
                        extensions,
                        key);
        write(folder, name, made, keys.getPrivate());
    }

    private static byte[] alternativeName(String host) {
        if (IP.matcher(host).matches()) {
            try {
                return Der.implicit(IP_ADDRESS, InetAddress.getByName(host).getAddress());
            } catch (UnknownHostException e) {
                throw PenstockException.usage("'" + host + "' is no address");
            }
        }
        if (!DNS.matcher(host).matches()) {
            throw PenstockException.usage("'" + host + "' is no name of a host");
        }
        return Der.implicit(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.utf8(commonName))));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.oid(oid), Der.yes(), Der.octets(value))
                : Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private static byte[] keyId(PublicKey key) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(key.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Certificate sign(
            byte[] issuer,
            byte[] subject,
            PublicKey subjectKey,
            Instant now,
            Duration life,
            List<byte[]> extensions,
            PrivateKey issuerKey) {
        byte[] algorithm = Der.sequence(Der.oid(EC_WITH_SHA256));
        BigInteger serial = new BigInteger(127, new SecureRandom()).setBit(126);
        byte[] content =
                Der.sequence(
                        Der.explicit(0, Der.integer(BigInteger.TWO)),
                        Der.integer(serial),
                        algorithm,
                        issuer,
                        Der.sequence(
                                Der.time(now.minus(CLOCK_DIFFERENCE)), Der.time(now.plus(life))),
                        subject,
                        subjectKey.getEncoded(),
                        Der.explicit(3, Der.sequence(extensions.toArray(byte[][]::new))));
        try {
            Signature signature = Signature.getInstance(SIGNATURE);
            signature.initSign(issuerKey);
            signature.update(content);
            byte[] whole = Der.sequence(content, algorithm, Der.bits(0, signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(whole));
        } catch (GeneralSecurityException e) {
            throw PenstockException.internal("cannot sign a certificate: " + e);
        }
    }

    private static void write(
            Path folder, String name, X509Certificate certificate, PrivateKey key) {
        String text;
        try {
            text = pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw PenstockException.internal("cannot write a certificate: " + e);
        }
        PrivateFiles.createPair(
                folder.resolve(name + ".key"),
                pem("PRIVATE KEY", key.getEncoded()),
                folder.resolve(name + ".crt"),
                text);
    }

    private static String pem(String what, byte[] bytes) {
        String body =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
    }
}
