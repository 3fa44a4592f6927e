package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.net.RemoteCluster;
import dev.penstock.kv.security.ClientSecurity;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which addresses a server joins and says it has. */
@Timeout(60)
final class ServerAddressTest {
    @TempDir private Path folder;

    @Test
    void aLeaderWhoseHostIsNotKnownYetIsWaitedFor() {
        ServeOptions member =
                ServeOptions.of(folder.resolve("m"), "127.0.0.1:0")
                        .withJoin(Optional.of("nobody.invalid:7070"));
        try (RegionServerProcess server = RegionServerProcess.start(member)) {
            assertThat(server.joined()).isNotDone();
        }
        assertThatThrownBy(() ->
                        RegionServerProcess.start(member.withJoin(Optional.of("nobody.invalid"))))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("is no address");
    }

    /** By which another server reaches the leader may be an address of that machine alone. */
    @Test
    void whoAsksAMemberIsSentWhereTheLeaderSaysThatItIs() {
        ServeOptions leader =
                ServeOptions.of(folder.resolve("a"), "127.0.0.1:0")
                        .withAdvertise(Optional.of("localhost"));
        try (RegionServerProcess first = RegionServerProcess.start(leader)) {
            String join = first.address().replace("localhost", "127.0.0.1");
            ServeOptions second =
                    ServeOptions.of(folder.resolve("b"), "127.0.0.1:0").withJoin(Optional.of(join));
            try (RegionServerProcess member = RegionServerProcess.start(second);
                    RemoteCluster asked =
                            RemoteCluster.connect(member.address(), ClientSecurity.PLAIN)) {
                assertThat(asked.address()).contains(first.address()).doesNotContain(join);
            }
        }
    }

    @Test
    void anAddressThatIsAdvertisedIsOne() {
        ServeOptions options = ServeOptions.of(folder.resolve("a"), "127.0.0.1:0");
        for (String wrong : List.of("::1", "[::1", "a:b", "a:70000", "", "fe80::1:7070")) {
            assertThatThrownBy(() ->
                            RegionServerProcess.start(options.withAdvertise(Optional.of(wrong))))
                    .as(wrong)
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                    .hasMessageContaining("is no address to advertise");
        }
        for (String host : List.of("[::1]", "localhost")) {
            try (RegionServerProcess server =
                    RegionServerProcess.start(options.withAdvertise(Optional.of(host)))) {
                assertThat(server.address()).matches(Pattern.quote(host) + ":[1-9][0-9]*");
            }
        }
    }
}
