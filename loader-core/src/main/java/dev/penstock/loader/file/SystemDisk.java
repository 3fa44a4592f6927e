package dev.penstock.loader.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file systems of this computer. */
final class SystemDisk implements LocalDisk {
    @Override
    public LocalFile create(Path file) throws IOException {
        return new ChannelFile(
                file,
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE));
    }

    @Override
    public LocalFile createTemporary(Path folder, String prefix, String suffix) throws IOException {
        Path file = Files.createTempFile(folder, prefix, suffix);
        try {
            return new ChannelFile(
                    file,
                    FileChannel.open(
                            file,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE));
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }
}
