package dev.penstock.kv.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.target.TargetAccess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

final class PrivateFilesTest {
    private static final String TOKEN = "0123456789abcdef-secret-0123456789";

    @TempDir private Path folder;

    private Path token(String text, String permissions) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @ParameterizedTest
    @CsvSource({"rw-------", "r--------"})
    void a_token_file_of_its_owner_is_read(String permissions) throws IOException {
        assertThat(PrivateFiles.token(token(TOKEN + "\nmore", permissions)).reveal())
                .isEqualTo(TOKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw----r--", "rw-rw----", "rw-r--r--", "rw-----w-", "rwxrwxrwx"})
    void a_token_file_that_others_may_touch_is_refused(String permissions) throws IOException {
        Path file = token(TOKEN, permissions);
        assertThatThrownBy(() -> PrivateFiles.token(file))
                .hasMessage(
                        "the token file "
                                + file
                                + " is readable by others than its owner; chmod 600 it");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "short",
                "0123456789abcdef 0123456789abcdef",
                "0123456789abcdef\u00e90123456789abcdef"
            })
    void what_can_be_no_token_is_refused_without_showing_it(String text) throws IOException {
        Path file = token(text, "rw-------");
        assertThatThrownBy(() -> PrivateFiles.token(file))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageContaining("holds no token")
                .hasMessageNotContaining("abcdef");
    }

    @Test
    void files_are_made_for_their_owner_only_and_never_replaced() throws IOException {
        Path file = folder.resolve("new");
        PrivateFiles.create(file, "text");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> PrivateFiles.create(file, "other"))
                .hasMessageContaining("exists already");
        assertThat(file).hasContent("text");
    }

    @Test
    void an_access_file_that_others_may_change_is_refused() throws IOException {
        Path file = token("# nothing", "rw-rw-rw-");
        assertThatThrownBy(() -> PrivateFiles.text(file, "the access file"))
                .hasMessageContaining("is writable by others");
    }

    @Test
    void another_process_reaches_servers_as_this_one_does_and_no_text_shows_how() {
        TlsFiles files =
                new TlsFiles(
                        Path.of("/c/ca.crt"),
                        Optional.of(
                                new TlsFiles.Identity(Path.of("/c/a b.crt"), Path.of("/c/a.key"))));
        Secret secret = Secret.of(TOKEN, "here");
        ClientSecurity security =
                new ClientSecurity(Optional.of(files), Optional.of(secret), false);
        TargetAccess access = security.toAccess();
        ClientSecurity there = ClientSecurity.of(access);
        assertThat(there.tls()).contains(files);
        assertThat(there.token().map(Secret::reveal)).contains(TOKEN);
        assertThat(there.insecure()).isFalse();
        assertThat(security + " " + access).doesNotContain(TOKEN);
        assertThat(ClientSecurity.of(TargetAccess.NONE)).isEqualTo(ClientSecurity.PLAIN);
        ClientSecurity plain = new ClientSecurity(Optional.empty(), Optional.empty(), true);
        assertThat(ClientSecurity.of(plain.toAccess())).isEqualTo(plain);
        ClientSecurity guest = ClientSecurity.ofGuest(secret);
        ClientSecurity guestThere = ClientSecurity.of(guest.toAccess());
        assertThat(guestThere.pass().map(Secret::reveal)).contains(TOKEN);
        assertThat(guestThere.token()).isEmpty();
        assertThat(guest + " " + guest.toAccess()).doesNotContain(TOKEN);
    }
}
