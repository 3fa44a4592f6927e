package dev.penstock.kv.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A cluster's CA and certificates good and bad, in a folder of a test. */
public final class TestCertificates {
    private static final Duration DAY = Duration.ofDays(1);

    private final Path folder;
    private final CertificateAuthority authority;

    public TestCertificates(Path folder) {
        this.folder = folder;
        this.authority = CertificateAuthority.create(folder, Instant.now(), DAY);
    }

    public Path ca() {
        return folder.resolve("ca.crt");
    }

    public TlsFiles server(String name, String... hosts) {
        authority.issueServer(folder, name, List.of(hosts), Instant.now(), DAY);
        return identity(name);
    }

    private TlsFiles expiredServer(String name, String... hosts) {
        Instant then = Instant.now().minus(DAY).minus(DAY);
        authority.issueServer(folder, name, List.of(hosts), then, DAY);
        return identity(name);
    }

    /** Puts one that has expired in the place of a server's certificate. */
    public void expire(String name, String... hosts) throws IOException {
        TlsFiles.Identity valid = identity(name).own().orElseThrow();
        TlsFiles.Identity expired = expiredServer(name + "-expired", hosts).own().orElseThrow();
        Files.move(expired.key(), valid.key(), StandardCopyOption.REPLACE_EXISTING);
        Files.move(expired.certificate(), valid.certificate(), StandardCopyOption.REPLACE_EXISTING);
    }

    public TlsFiles client(String name) {
        return client(name, Instant.now());
    }

    public TlsFiles expiredClient(String name) {
        return client(name, Instant.now().minus(DAY).minus(DAY));
    }

    private TlsFiles client(String name, Instant from) {
        authority.issueClient(folder, name, from, DAY);
        return identity(name);
    }

    private TlsFiles identity(String name) {
        return new TlsFiles(
                ca(),
                Optional.of(
                        new TlsFiles.Identity(
                                folder.resolve(name + ".crt"), folder.resolve(name + ".key"))));
    }

    /** Who trusts this CA and shows no certificate. */
    public TlsFiles nobody() {
        return new TlsFiles(ca(), Optional.empty());
    }

    /** The same certificate and key, trusting another CA. */
    public static TlsFiles trusting(Path ca, TlsFiles files) {
        return new TlsFiles(ca, files.own());
    }

    /** A file of access rules; replaces the one before. */
    public Path access(String... rules) throws IOException {
        Path file = folder.resolve("access");
        Path fresh = folder.resolve("access.new");
        Files.writeString(fresh, String.join("\n", rules) + "\n");
        return Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
