package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.client.StoreAddress;

import org.jspecify.annotations.Nullable;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the load went that wrote a rejects file, for those who do not say where its mended records
 * are to go.
 *
 * @param rejects the file
 * @param address as {@link dev.penstock.target.LoadTarget#address} said; empty if it is not known
 */
record EarlierStore(Path rejects, String address) {
    /** Of a store within the process of that load. */
    Optional<Path> folder() {
        try {
            return place() instanceof StoreAddress.Folder(String path)
                    ? Optional.of(Path.of(path))
                    : Optional.empty();
        } catch (InvalidPathException e) {
            throw PenstockException.usage(
                    load() + " went to " + words() + ", which is no folder here: " + e.getReason());
        }
    }

    /** {@code HOST:PORT} of a server of the store, if it has servers. */
    Optional<String> servers() {
        return place() instanceof StoreAddress.Servers(String hosts)
                ? Optional.of(hosts)
                : Optional.empty();
    }

    /** What to add to a command that found nothing in a folder. */
    String advice(Path nothingThere) {
        if (address.isEmpty()) {
            return "nothing says where " + load() + " went; add the --store or --connect of that";
        }
        if (StoreAddress.Folder.of(nothingThere).equals(place())) {
            return load() + " went there; add --store with the folder that it was moved to";
        }
        return load() + " went to another; add " + words();
    }

    /** What to say where the table of that load is not. */
    String whereTableWas() {
        return address.isEmpty()
                ? "if " + load() + " went to another store, add its --store or --connect"
                : load() + " had it in " + words();
    }

    private String load() {
        return "the load that wrote " + rejects;
    }

    /** As the options that name it. */
    private String words() {
        return ShellWords.join(
                switch (place()) {
                    case StoreAddress.Servers(String hosts) -> List.of("--connect", hosts);
                    case StoreAddress.Folder(String path) -> List.of("--store", path);
                    case null -> List.of("--store", address);
                });
    }

    /** Null if it is not known, or no store's. */
    private @Nullable StoreAddress place() {
        return StoreAddress.parse(address).orElse(null);
    }
}
