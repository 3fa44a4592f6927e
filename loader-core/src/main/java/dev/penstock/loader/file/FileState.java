package dev.penstock.loader.file;

import dev.penstock.error.Counted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * What a file was when somebody looked at it: which one of its name, and when it was written to
 * last.
 *
 * @param key its number, the same for all processes of this machine, which a file system gives
 *     again to the next file when this one is deleted; empty if it is not known
 * @param createdNanos when it was made, in nanoseconds since 1970; Java says the time of change
 *     where the file system does not know
 * @param bytes its size
 * @param modifiedNanos time of last change in nanoseconds since 1970
 */
public record FileState(String key, long createdNanos, long bytes, long modifiedNanos) {
    /** Of what is no regular file. */
    static final FileState NONE = new FileState("", -1, -1, -1);

    static FileState of(Path path) throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        Object key = now.fileKey();
        return new FileState(
                key == null ? "" : key.toString(),
                now.creationTime().to(TimeUnit.NANOSECONDS),
                now.size(),
                now.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    }

    /**
     * What has become of the file since: "was written to, last at …", say; empty if nothing has.
     */
    public String difference(FileState now) {
        boolean dated = isDated() || now.isDated();
        if (!now.key.equals(key) || dated && now.createdNanos != createdNanos) {
            return "was replaced by another file";
        }
        if (now.bytes != bytes) {
            return "changed from " + bytes + " to " + Counted.of(now.bytes, "byte");
        }
        return now.modifiedNanos == modifiedNanos
                ? ""
                : "was written to, last at "
                        + FileTime.from(now.modifiedNanos, TimeUnit.NANOSECONDS);
    }

    /** Whether the time at which it was made is certainly that, and not that of its last change. */
    private boolean isDated() {
        return createdNanos != modifiedNanos;
    }
}
