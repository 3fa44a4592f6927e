package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.it.LineitemFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three server processes, a load by two worker processes, and a power failure. */
final class ProcessClusterIT {
    private static final long SEED = 20_261_120;
    private static final String ANY_PORT = "127.0.0.1:0";

    @TempDir private Path folder;

    private final List<ServerJvm> servers = new ArrayList<>();

    @Test
    @Timeout(600)
    void what_was_loaded_survives_kill_nine_of_every_server() throws Exception {
        LineitemFile lineitem = LineitemFile.shuffled(folder, 0.01, SEED);
        try {
            start(List.of(ANY_PORT, ANY_PORT, ANY_PORT));
            String leader = servers.getFirst().address();

            PenstockJvm.Answer load =
                    PenstockJvm.run(
                            folder,
                            "load",
                            lineitem.file().toString(),
                            "--table",
                            "lineitem",
                            "--ddl",
                            lineitem.ddl().toString(),
                            "--connect",
                            leader,
                            "--regions",
                            "6",
                            "--workers",
                            "2",
                            "--threads",
                            "2",
                            "--chunk-size",
                            "256KiB",
                            "--json");
            assertThat(load.exitCode()).as(load.err()).isZero();
            assertThat(load.out()).contains("\"regions\":6").contains("\"rows_rejected\":0");
            assertThat(scan(leader)).isEqualTo(lineitem.csv());

            List<String> addresses = servers.stream().map(ServerJvm::address).toList();
            for (ServerJvm server : servers) {
                server.kill();
            }
            servers.clear();
            start(addresses);
            assertThat(scan(leader)).isEqualTo(lineitem.csv());
            for (ServerJvm server : servers.reversed()) {
                assertThat(server.stop()).as("exit code after SIGTERM").isZero();
            }
        } finally {
            for (ServerJvm server : servers) {
                server.kill();
            }
        }
    }

    /** Starts one server per address; the first leads, the others join it. */
    private void start(List<String> addresses) throws IOException {
        for (int i = 0; i < addresses.size(); i++) {
            String data = "server-" + i;
            servers.add(
                    i == 0
                            ? ServerJvm.start(folder, data, addresses.get(i))
                            : ServerJvm.start(
                                    folder,
                                    data,
                                    addresses.get(i),
                                    "--join",
                                    servers.getFirst().address()));
        }
    }

    private String scan(String leader) throws IOException, InterruptedException {
        PenstockJvm.Answer scan = PenstockJvm.run(folder, "scan", "lineitem", "--connect", leader);
        assertThat(scan.exitCode()).as(scan.err()).isZero();
        return scan.out();
    }
}
