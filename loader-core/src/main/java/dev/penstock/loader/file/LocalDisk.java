package dev.penstock.loader.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Where a loader's process gets room for files of its own, small enough to be replaced by a disk
 * that is full. Renaming and deleting need no room and do not come this way.
 */
public interface LocalDisk {
    /** The file systems of this computer. */
    LocalDisk SYSTEM = new SystemDisk();

    /** Creates a file, or empties the one that has the name. */
    LocalFile create(Path file) throws IOException;

    /** Creates a file in a folder that goes when it is closed, or when the process ends. */
    LocalFile createTemporary(Path folder, String prefix, String suffix) throws IOException;

    /** The system's folder of temporary files. */
    static Path temporaryFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Why a call failed, without the name of the file. */
    static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such folder";
            case AccessDeniedException _ -> "access denied";
            case DirectoryNotEmptyException _ -> "it is a folder";
            case FileSystemException known when known.getReason() != null -> known.getReason();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }
}
