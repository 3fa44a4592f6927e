package dev.penstock.bench.contender;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** MariaDB on a port of this machine, with the settings of the contender and a schema to use. */
public final class MariaDbServer implements AutoCloseable {
    private final Server server;
    private final String url;

    private MariaDbServer(Server server, String url) {
        this.server = server;
        this.url = url;
    }

    /** Why there can be none, if so. */
    public static Optional<String> obstacle() {
        return MariaDb.missing();
    }

    /** Installs into a folder, starts, and waits until it serves. */
    public static MariaDbServer start(Path folder) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.createDirectories(folder);
        Path data = MariaDb.install(folder);
        List<String> command = MariaDb.command(data, folder.resolve("socket"));
        command.addAll(
                List.of(
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--local-infile=1",
                        "--max-allowed-packet=64M"));
        Server server = Server.start(command);
        try {
            server.await("ready for connections");
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return new MariaDbServer(
                server,
                "jdbc:mariadb://127.0.0.1:"
                        + port
                        + "/bench?user=root&createDatabaseIfNotExist=true&useBulkStmts=true"
                        + "&allowLocalInfile=true&sslMode=disable");
    }

    /** For {@code DriverManager}. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        server.close();
    }
}
