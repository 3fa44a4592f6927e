package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Files;
import java.nio.file.Path;

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
        if (!Files.isDirectory(folder)) {
            throw PenstockException.usage(
                    "there is no store in "
                            + folder
                            + "; name one with --store or --connect, or load something first");
        }
        return Penstock.open(folder);
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

    /** Whether the user named a store. */
    boolean named() {
        return store != null || servers != null;
    }

    private Path folder() {
        return store == null ? DEFAULT_STORE : store;
    }

    private void checkChoice() {
        if (store != null && servers != null) {
            throw PenstockException.usage("--store and --connect exclude each other");
        }
        if (servers == null && connection.given()) {
            throw PenstockException.usage(
                    "--tls-ca, --tls-cert, --tls-key, --token-file and --insecure are for servers;"
                            + " name them with --connect");
        }
    }
}
