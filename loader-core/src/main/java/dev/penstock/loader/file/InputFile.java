package dev.penstock.loader.file;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/**
 * One input.
 *
 * @param index in input order
 * @param name for messages
 * @param path where it is, or null for standard input
 * @param compression how it is compressed
 * @param bytes size as stored, or -1 if it is a pipe or standard input
 * @param modifiedMillis time of last change in milliseconds since 1970, or -1
 */
public record InputFile(
        int index,
        String name,
        @Nullable Path path,
        Compression compression,
        long bytes,
        long modifiedMillis) {

    /** Whether any position can be read, so that threads can read it side by side. */
    public boolean seekable() {
        return bytes >= 0 && compression == Compression.NONE;
    }

    /** Whether it can be opened again; what came through a pipe cannot. */
    public boolean reopenable() {
        return bytes >= 0;
    }
}
