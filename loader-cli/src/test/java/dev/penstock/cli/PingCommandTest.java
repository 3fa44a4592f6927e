package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.server.RegionServerProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The health check of a server. */
final class PingCommandTest {
    @TempDir private Path folder;

    @Test
    void a_server_that_serves_is_healthy_until_it_stops() {
        String address;
        try (RegionServerProcess server =
                RegionServerProcess.start(folder.resolve("a"), "127.0.0.1:0", null)) {
            address = server.address();
            Ran alive = Ran.cli("ping", address);
            assertThat(alive.err()).isEmpty();
            assertThat(alive.code()).isZero();
            assertThat(alive.out()).isEqualTo("server " + address + " serves 0 regions\n");
            assertThat(Ran.cli("ping", address, "--json").out())
                    .contains("\"address\":\"" + address + "\"")
                    .contains("\"regions\":0");
        }
        Ran dead = Ran.cli("ping", address);
        assertThat(dead.code()).isEqualTo(1);
        assertThat(dead.out()).isEmpty();
        assertThat(dead.err()).contains("server " + address + " cannot be reached");
    }

    @Test
    void a_server_that_waits_for_its_leader_is_not_healthy() {
        String nobody;
        try (RegionServerProcess gone =
                RegionServerProcess.start(folder.resolve("a"), "127.0.0.1:0", null)) {
            nobody = gone.address();
        }
        try (RegionServerProcess member =
                RegionServerProcess.start(folder.resolve("b"), "127.0.0.1:0", nobody)) {
            Ran waiting = Ran.cli("ping", member.address());
            assertThat(waiting.code()).isEqualTo(1);
            assertThat(waiting.err()).contains("starting or stopping");
        }
    }
}
