package dev.penstock.kv.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

final class CertificateAuthorityTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final String SERVER = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";

    @TempDir private Path folder;

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    @BeforeEach
    void makeAuthority() {
        CertificateAuthority.create(folder, now, YEAR);
    }

    private X509Certificate read(String name) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(folder.resolve(name + ".crt"))) {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private void validate(X509Certificate certificate)
            throws IOException, GeneralSecurityException {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(read("ca"), null)));
        parameters.setRevocationEnabled(false);
        CertPathValidator.getInstance("PKIX")
                .validate(
                        CertificateFactory.getInstance("X.509")
                                .generateCertPath(List.of(certificate)),
                        parameters);
    }

    @Test
    void a_servers_certificate_names_its_hosts_and_its_purposes() throws Exception {
        CertificateAuthority.open(folder)
                .issueServer(
                        folder, "db1", List.of("db1.example.com", "10.0.0.1", "::1"), now, YEAR);
        X509Certificate made = read("db1");
        validate(made);
        assertThat(made.getSubjectX500Principal().getName()).isEqualTo("CN=db1");
        assertThat(made.getExtendedKeyUsage()).containsExactlyInAnyOrder(SERVER, CLIENT);
        assertThat(made.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(
                        List.of(2, "db1.example.com"),
                        List.of(7, "10.0.0.1"),
                        List.of(7, "0:0:0:0:0:0:0:1"));
        assertThat(made.getNotAfter().toInstant()).isEqualTo(now.plus(YEAR));
        assertThat(made.getBasicConstraints()).isEqualTo(-1);
    }

    @Test
    void a_clients_certificate_is_for_clients_only() throws Exception {
        CertificateAuthority.open(folder).issueClient(folder, "anna", now, YEAR);
        X509Certificate made = read("anna");
        validate(made);
        assertThat(made.getExtendedKeyUsage()).containsExactly(CLIENT);
        assertThat(made.getKeyUsage()[0]).isTrue();
        assertThat(made.getKeyUsage()[5]).as("may sign certificates").isFalse();
        assertThat(read("ca").getKeyUsage()[5]).isTrue();
        assertThat(read("ca").getBasicConstraints()).isZero();
    }

    /** Times are written in another form from 2050 on, lengths in another from 128 bytes on. */
    @Test
    void long_lives_and_many_hosts_are_written_right() throws Exception {
        List<String> hosts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            hosts.add("host" + i + ".example.com");
        }
        Duration life = Duration.ofDays(365 * 40L);
        CertificateAuthority.open(folder).issueServer(folder, "db1", hosts, now, life);
        assertThat(read("db1").getSubjectAlternativeNames()).hasSize(300);
        assertThat(read("db1").getNotAfter().toInstant()).isEqualTo(now.plus(life));
    }

    @Test
    void keys_are_their_owners_and_certificates_everybodys() throws IOException {
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(folder.resolve("ca.key"))))
                .isEqualTo("rw-------");
        assertThat(Files.getPosixFilePermissions(folder.resolve("ca.crt"))).hasSizeGreaterThan(1);
        assertThatThrownBy(() -> CertificateAuthority.create(folder, now, YEAR))
                .hasMessageContaining("exists already");
    }

    @Test
    void a_key_and_its_certificate_are_made_together_or_not_at_all() throws IOException {
        CertificateAuthority authority = CertificateAuthority.open(folder);
        for (String present : List.of("n.crt", "n.key")) {
            Files.createFile(folder.resolve(present));
            assertThatThrownBy(() -> authority.issueClient(folder, "n", now, YEAR))
                    .hasMessage(folder.resolve(present) + " exists already; nothing is replaced");
            Files.delete(folder.resolve(present));
            assertThat(folder.resolve("n.crt")).doesNotExist();
            assertThat(folder.resolve("n.key")).doesNotExist();
        }
    }

    @Test
    void a_ca_without_its_key_or_with_anothers_signs_nothing() throws IOException {
        Path key = folder.resolve("ca.key");
        Files.delete(key);
        assertThatThrownBy(() -> CertificateAuthority.open(folder))
                .hasMessageEndingWith("ca.key, is not here; bring it back");
        assertThatThrownBy(() -> CertificateAuthority.create(folder, now, YEAR))
                .hasMessageContaining("ca.crt exists already");
        assertThat(key).doesNotExist();
        Path other = folder.resolve("other");
        CertificateAuthority.create(other, now, YEAR);
        Files.copy(other.resolve("ca.key"), key, StandardCopyOption.COPY_ATTRIBUTES);
        assertThatThrownBy(() -> CertificateAuthority.open(folder))
                .hasMessage("ca.key in " + folder + " is not the key of ca.crt there");
    }

    @Test
    void names_cannot_leave_the_folder() {
        CertificateAuthority authority = CertificateAuthority.open(folder);
        for (String name : List.of("../x", "a/b", "", ".hidden", "ca", "a b")) {
            assertThatThrownBy(() -> authority.issueClient(folder, name, now, YEAR))
                    .hasMessageContaining("is no name for a certificate");
        }
        for (String host : List.of("a b", "a_b", "_a.b", "a-", "-a", "a..b", "*", "a.*")) {
            assertThatThrownBy(() -> authority.issueServer(folder, "x", List.of(host), now, YEAR))
                    .hasMessage("'" + host + "' is no name of a host");
        }
    }
}
