package dev.penstock.kv.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be had, where Java says no more than its name. */
public final class FileFault {
    private FileFault() {}

    /** Without the name of the file, which the caller tells. */
    public static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "there is a file of that name";
            case NoSuchFileException missing -> missing.getFile() + " is not there";
            case FileSystemException known when known.getReason() != null -> known.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
