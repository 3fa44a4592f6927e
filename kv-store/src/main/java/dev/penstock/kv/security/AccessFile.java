package dev.penstock.kv.security;

import dev.penstock.error.PenstockException;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * An access file, read again within a second of its change; while what is read is no access file
 * the rules before stay, and the log says so. Thread-safe.
 */
final class AccessFile {
    private static final String WHAT = "the access file";

    private final WatchedFiles<AccessRules> rules;

    /**
     * @throws PenstockException of category USAGE if it is no access file, or others than its owner
     *     may change it
     */
    AccessFile(Path file, Consumer<String> log) {
        rules =
                new WatchedFiles<>(
                        List.of(file),
                        () -> AccessRules.parse(PrivateFiles.text(file, WHAT), WHAT + " " + file),
                        WHAT + " was read again",
                        "the access rules stay as they were",
                        log);
    }

    AccessRules rules() {
        return rules.current();
    }
}
