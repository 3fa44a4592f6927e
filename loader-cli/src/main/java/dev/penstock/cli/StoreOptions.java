package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.Optional;

/** Which store a command talks to: a folder of its own, or servers. */
final class StoreOptions {
    private static final Path DEFAULT_STORE = Path.of("penstock-data");

    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "Folder of an embedded store. Default: ./penstock-data")
    private @Nullable Path store;

    @Option(
            names = "--connect",
            paramLabel = "HOST:PORT[,HOST:PORT]",
            description = "Servers to talk to instead of an embedded store.")
    private @Nullable String servers;

    @Mixin private ConnectionOptions connection = new ConnectionOptions();

    /** Opens the store for reading; an embedded one must exist. */
    Penstock open() {
        checkChoice();
        if (servers != null) {
            return Penstock.connect(servers, connection.security());
        }
        Path folder = folder();
        checkExists(folder, "name one with --store or --connect, or load something first");
        return Penstock.open(folder);
    }

    /** Opens the store that an earlier load went to, unless the user names one; creates none. */
    Penstock openAgain(EarlierStore earlier) {
        Optional<String> remote = named() ? Optional.ofNullable(servers) : earlier.servers();
        checkChoice(remote.isPresent());
        if (remote.isPresent()) {
            return Penstock.connect(remote.get(), connection.security());
        }
        Path folder = store == null ? earlier.folder().orElse(DEFAULT_STORE) : store;
        checkExists(folder, earlier.advice(folder));
        return Penstock.open(folder);
    }

    private static void checkExists(Path folder, String advice) {
        if (!Penstock.mayBeIn(folder)) {
            throw PenstockException.usage("there is no store in " + folder + "; " + advice);
        }
    }

    /** Opens the store, creating an embedded one that does not exist. */
    Penstock openOrCreate() {
        checkChoice();
        return servers != null
                ? Penstock.connect(servers, connection.security())
                : Penstock.open(folder());
    }

    /** The same with the memory that an embedded store may take; servers have their own word. */
    Penstock openOrCreate(StagingOptions staging) {
        if (staging.given() && servers != null) {
            throw PenstockException.usage(
                    "--staging-memory is for a store of this process; give it to the servers");
        }
        checkChoice();
        return servers != null
                ? Penstock.connect(servers, connection.security())
                : Penstock.open(folder(), staging.nodeOptions());
    }

    /** Whether {@link #openOrCreate} would have to create an embedded store. */
    boolean isToBeCreated() {
        checkChoice();
        return servers == null && !Penstock.mayBeIn(folder());
    }

    /** Whether the user named a store. */
    boolean named() {
        return store != null || servers != null;
    }

    private Path folder() {
        return store == null ? DEFAULT_STORE : store;
    }

    /** Refuses options that do not go together. */
    void checkChoice() {
        checkChoice(servers != null);
    }

    private void checkChoice(boolean remote) {
        if (store != null && servers != null) {
            throw PenstockException.usage("--store and --connect exclude each other");
        }
        if (!remote && connection.given()) {
            throw PenstockException.usage(
                    "--tls-ca, --tls-cert, --tls-key, --token-file and --insecure are for servers;"
                            + " name them with --connect");
        }
    }
}
