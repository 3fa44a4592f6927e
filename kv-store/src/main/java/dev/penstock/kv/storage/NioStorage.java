package dev.penstock.kv.storage;

import dev.penstock.error.PenstockException;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Files of the machine. Knows only whether a force has failed. */
public final class NioStorage implements Storage {
    private final DiskState disk = new DiskState();
    private final BulkWrites bulkWrites = new BulkWrites(disk);
    private final QuietFailures quietFailures = new QuietFailures();

    @Override
    public StorageFile create(Path file) {
        return open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public StorageFile append(Path file) {
        return open(file, StandardOpenOption.WRITE);
    }

    @Override
    public StorageFile createBulk(Path file) {
        disk.checkHealthy();
        try {
            return bulkWrites.create(file);
        } catch (IOException e) {
            throw DiskState.failed("open", file, e);
        }
    }

    @Override
    public BlockFile createBlocks(Path file) {
        disk.checkHealthy();
        try {
            return NioBlockFile.create(file);
        } catch (IOException e) {
            throw DiskState.failed("open", file, e);
        }
    }

    private StorageFile open(Path file, StandardOpenOption... options) {
        disk.checkHealthy();
        try {
            return NioFile.open(file, disk, options);
        } catch (IOException e) {
            throw DiskState.failed("open", file, e);
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
            throw DiskState.failed("read", file, e);
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
            throw DiskState.failed("map", file, e);
        }
    }

    @Override
    public void read(Path file, long position, byte[] target) {
        ByteBuffer bytes = ByteBuffer.wrap(target);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            readFully(channel, bytes, position);
        } catch (IOException e) {
            throw DiskState.failed("read", file, e);
        }
    }

    @Override
    public long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw DiskState.failed("read the size of", file, e);
        }
    }

    /** A disk that cannot say is no answer: what was taken for missing would be made anew. */
    @Override
    public boolean exists(Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw DiskState.failed("look for", file, e);
        }
    }

    @Override
    public void truncate(Path file, long length) {
        disk.checkHealthy();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(length);
            disk.force(file, channel);
        } catch (IOException e) {
            throw DiskState.failed("cut", file, e);
        }
    }

    @Override
    public void rewrite(Path file, long from, long to) {
        disk.checkHealthy();
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(NioFile.WRITE_BYTES, to - from));
            for (long at = from; at < to; at += bytes.limit()) {
                bytes.clear().limit((int) Math.min(bytes.capacity(), to - at));
                readFully(channel, bytes, at);
                bytes.flip();
                while (bytes.hasRemaining()) {
                    channel.write(bytes, at + bytes.position());
                }
            }
            disk.force(file, channel);
        } catch (IOException e) {
            throw DiskState.failed("write to", file, e);
        }
    }

    private static void readFully(FileChannel channel, ByteBuffer bytes, long position)
            throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, position + bytes.position()) < 0) {
                throw new EOFException("it ends before " + (position + bytes.limit()));
            }
        }
    }

    @Override
    public void rename(Path from, Path to) {
        disk.checkHealthy();
        Path folder = to.resolveSibling("");
        // Opened first, since that may fail for many reasons, and the change cannot be taken back.
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            Files.move(
                    from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            disk.forceChanged(folder, names);
        } catch (IOException e) {
            throw DiskState.failed("rename", from, e);
        }
    }

    @Override
    public void delete(Path file) {
        disk.checkHealthy();
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw DiskState.failed("delete", file, e);
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
        quietFailures.removeAllIn(directory);
    }

    @Override
    public List<Path> list(Path directory) {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw DiskState.failed("list", directory, e);
        } catch (DirectoryIteratorException e) {
            throw PenstockException.io("cannot list " + directory + ": " + e.getMessage(), e);
        }
        children.sort(null);
        return children;
    }

    @Override
    public void createDirectories(Path directory) {
        disk.checkHealthy();
        Path parent = directory.getParent();
        if (Files.isDirectory(directory)) {
            return;
        }
        if (parent != null) {
            createDirectories(parent);
        }
        makeDirectory(directory);
        if (parent != null) {
            forceDirectory(parent);
        }
    }

    @Override
    public void makeDirectory(Path directory) {
        disk.checkHealthy();
        if (Files.isDirectory(directory)) {
            return;
        }
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            if (!Files.isDirectory(directory)) {
                throw DiskState.failed("create", directory, e);
            }
        }
    }

    @Override
    public void forceDirectory(Path directory) {
        disk.checkHealthy();
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            disk.force(directory, channel);
        } catch (IOException e) {
            throw DiskState.failed("force", directory, e);
        }
    }

    @Override
    public QuietFailures quietFailures() {
        return quietFailures;
    }

    @Override
    public long freeBytes(Path directory) {
        // What a FileStore is, Java finds out by reading the table of all file systems, each time.
        return directory.toFile().getUsableSpace();
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
