package dev.penstock.kv.storage;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Files of the machine. Knows only one piece of state: whether a force has failed. */
public final class NioStorage implements Storage {
    /** What one write call is given, so that the JVM's temporary direct buffers stay small. */
    private static final int WRITE_BYTES = 1 << 20;

    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

    @Override
    public StorageFile create(Path file) {
        return open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public StorageFile append(Path file) {
        return open(file, StandardOpenOption.WRITE);
    }

    private StorageFile open(Path file, StandardOpenOption... options) {
        checkHealthy();
        try {
            FileChannel channel = FileChannel.open(file, options);
            channel.position(channel.size());
            return new NioFile(file, channel);
        } catch (IOException e) {
            throw failed("open", file, e);
        }
    }

    @Override
    public byte[] read(Path file, int maxBytes) {
        try {
            long size = Files.size(file);
            if (size > maxBytes) {
                throw PenstockException.corrupt(
                        file
                                + " has "
                                + size
                                + " bytes where at most "
                                + maxBytes
                                + " are expected");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw failed("read", file, e);
        }
    }

    @Override
    public MappedFile map(Path file) {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MemorySegment bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            return new NioMappedFile(arena, bytes);
        } catch (IOException e) {
            arena.close();
            throw failed("map", file, e);
        }
    }

    @Override
    public long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw failed("read the size of", file, e);
        }
    }

    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public void truncate(Path file, long length) {
        checkHealthy();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
            force(file, channel);
        } catch (IOException e) {
            throw failed("cut", file, e);
        }
    }

    @Override
    public void rename(Path from, Path to) {
        checkHealthy();
        try {
            Files.move(
                    from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw failed("rename", from, e);
        }
    }

    @Override
    public void delete(Path file) {
        checkHealthy();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw failed("delete", file, e);
        }
    }

    @Override
    public void deleteTree(Path directory) {
        for (Path child : list(directory)) {
            if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                deleteTree(child);
            } else {
                delete(child);
            }
        }
        delete(directory);
    }

    @Override
    public List<Path> list(Path directory) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw failed("list", directory, e);
        }
        children.sort(null);
        return children;
    }

    @Override
    public void createDirectories(Path directory) {
        checkHealthy();
        Path parent = directory.getParent();
        if (Files.isDirectory(directory)) {
            return;
        }
        if (parent != null) {
            createDirectories(parent);
        }
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            if (!Files.isDirectory(directory)) {
                throw failed("create", directory, e);
            }
        }
        if (parent != null) {
            forceDirectory(parent);
        }
    }

    @Override
    public void forceDirectory(Path directory) {
        checkHealthy();
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            force(directory, channel);
        } catch (IOException e) {
            throw failed("force", directory, e);
        }
    }

    @Override
    public long freeBytes(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            throw failed("read the free space of", directory, e);
        }
    }

    private void force(Path file, FileChannel channel) {
        try {
            // file length included; times are of no interest
            channel.force(false);
        } catch (IOException e) {
            String message = "cannot force " + file + " to disk: " + e.getMessage();
            failure.compareAndSet(null, message);
            throw PenstockException.io(message, e);
        }
    }

    private void checkHealthy() {
        String message = failure.get();
        if (message != null) {
            throw new PenstockException(
                    ErrorCategory.IO,
                    "nothing is written any more since an earlier failure ("
                            + message
                            + "); free space or replace the disk, then start again");
        }
    }

    private static PenstockException failed(String verb, Path file, IOException cause) {
        String reason =
                cause instanceof NoSuchFileException ? "it does not exist" : cause.getMessage();
        return PenstockException.io("cannot " + verb + " " + file + ": " + reason, cause);
    }

    private final class NioFile implements StorageFile {
        private final Path file;
        private final FileChannel channel;
        private long position;

        NioFile(Path file, FileChannel channel) throws IOException {
            this.file = file;
            this.channel = channel;
            this.position = channel.position();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            checkHealthy();
            int end = offset + length;
            try {
                for (int from = offset; from < end; ) {
                    int count = Math.min(WRITE_BYTES, end - from);
                    from += channel.write(ByteBuffer.wrap(bytes, from, count));
                }
            } catch (IOException e) {
                throw failed("write to", file, e);
            }
            position += length;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void force() {
            checkHealthy();
            NioStorage.this.force(file, channel);
        }

        @Override
        public void cutBack(long length) {
            try {
                channel.truncate(length);
                channel.position(length);
            } catch (IOException e) {
                throw failed("cut", file, e);
            }
            position = length;
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException e) {
                throw failed("close", file, e);
            }
        }
    }

    private record NioMappedFile(Arena arena, MemorySegment bytes) implements MappedFile {
        @Override
        public void close() {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }
}
