package dev.penstock.kv.client;

import java.nio.file.Path;
import java.util.Optional;

/** Where a store is. Its text names the store to other processes; it holds no secret. */
public sealed interface StoreAddress {
    /** How texts of folders begin. */
    String FOLDER = "dir:";

    /** How texts of servers begin. */
    String SERVERS = "tcp:";

    /** {@code dir:PATH} or {@code tcp:HOST:PORT[,HOST:PORT]}. */
    String text();

    /** A store within the process that opens it. */
    record Folder(String path) implements StoreAddress {
        public static Folder of(Path folder) {
            return new Folder(folder.toAbsolutePath().toString());
        }

        @Override
        public String text() {
            return FOLDER + path;
        }
    }

    /**
     * A store of region servers.
     *
     * @param hosts {@code HOST:PORT} of some of them, with commas between
     */
    record Servers(String hosts) implements StoreAddress {
        @Override
        public String text() {
            return SERVERS + hosts;
        }
    }

    /** What a text names; empty if it is none of a store. */
    static Optional<StoreAddress> parse(String text) {
        if (text.startsWith(FOLDER)) {
            return Optional.of(new Folder(text.substring(FOLDER.length())));
        }
        return text.startsWith(SERVERS)
                ? Optional.of(new Servers(text.substring(SERVERS.length())))
                : Optional.empty();
    }
}
