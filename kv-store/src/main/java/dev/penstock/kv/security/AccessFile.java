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

    private final Path file;
    private final Consumer<String> log;
    private final FileStamps stamps;
    private AccessRules rules;
    private String lastFailure = "";

    /**
     * @throws PenstockException of category USAGE if it is no access file, or others than its owner
     *     may change it
     */
    AccessFile(Path file, Consumer<String> log) {
        this.file = file;
        this.log = log;
        this.stamps = new FileStamps(List.of(file));
        this.rules = read();
    }

    synchronized AccessRules rules() {
        if (stamps.changed()) {
            try {
                rules = read();
                lastFailure = "";
                log.accept("the access file was read again");
            } catch (PenstockException e) {
                stamps.lookAgain();
                failed("the access rules stay as they were: " + e.getMessage());
            }
        }
        return rules;
    }

    /** Once, however often the file is read until it is mended. */
    private void failed(String failure) {
        if (!failure.equals(lastFailure)) {
            log.accept(failure);
            lastFailure = failure;
        }
    }

    private AccessRules read() {
        return AccessRules.parse(PrivateFiles.text(file, WHAT), WHAT + " " + file);
    }
}
