package dev.penstock.kv.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A server in a process of its own: FOLDER LISTEN [LEADER]; ends with its standard input. */
final class ServerMain {
    private ServerMain() {}

    public static void main(String[] args) throws IOException {
        Optional<String> leader = args.length > 2 ? Optional.of(args[2]) : Optional.empty();
        ServeOptions options =
                ServeOptions.of(Path.of(args[0]), args[1])
                        .withJoin(leader)
                        .withLog(System.err::println);
        try (RegionServerProcess server = RegionServerProcess.start(options)) {
            System.out.println("address " + server.address());
            server.joined().join();
            System.out.println("joined");
            while (System.in.read() >= 0) {
                // Nothing is ever sent; the end of the input is the signal.
            }
        }
    }
}
