package dev.penstock.kv.storage;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A storage in memory that knows what a power cut may take: bytes that were not forced, sector by
 * sector, and names whose folder was not forced since. A {@link Watcher} sees every call before it
 * does anything, and may throw, or ask for what would be left if the power went now.
 *
 * <p>It keeps the contract of {@link Storage}: after a failed force nothing is changed any more.
 * And what could not be forced is never written, by the next process neither, unless that writes it
 * once more: the page cache takes it for written.
 */
public final class MemoryDisk implements Storage {
    /** What a call does. */
    public enum Call {
        CREATE,
        OPEN,
        WRITE,
        FORCE,
        CUT,
        READ,
        RENAME,
        DELETE,
        MAKE_FOLDER,
        FORCE_FOLDER;

        /** Whether it can leave the disk other than it was. */
        public boolean changes() {
            return this != READ && this != OPEN;
        }

        boolean forces() {
            return this == FORCE || this == FORCE_FOLDER;
        }
    }

    /** Told of each call before it does anything. */
    @FunctionalInterface
    public interface Watcher {
        void before(Call call, Path file);
    }

    /** What a watcher throws to have half a write done, or half of a small file read. */
    public static final class HalfDone extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What a name stands for. */
    sealed interface Node permits MemoryFile, MemoryFolder {
        Node copy();
    }

    private final MemoryFolder root;
    private Watcher watcher = (call, file) -> {};
    private final IdentityHashMap<Object, Path> handles = new IdentityHashMap<>();
    private final QuietFailures quietFailures = new QuietFailures();
    private long order;
    private boolean forceFailed;
    private int mapped;

    private MemoryDisk(MemoryFolder root) {
        this.root = root;
    }

    /** One that has these folders, durably. */
    public MemoryDisk(Path... folders) {
        this(new MemoryFolder());
        for (Path folder : folders) {
            createDirectories(folder);
        }
    }

    public synchronized void watch(Watcher newWatcher) {
        watcher = newWatcher;
    }

    /** A disk as it may be after the power went now. */
    public synchronized MemoryDisk afterPowerCut(Random random) {
        long last = random.nextBoolean() ? order : order - random.nextInt(1 + (int) order);
        int[] chances = {0, 50, 90, 100};
        int percent = chances[random.nextInt(chances.length)];
        MemoryFolder.Kept kept =
                random.nextBoolean() ? at -> at <= last : at -> random.nextInt(100) < percent;
        return new MemoryDisk(root.afterPowerCut(random, kept));
    }

    /** The same disk once more, with what is not forced yet: what a killed process leaves. */
    public synchronized MemoryDisk copy() {
        MemoryDisk copy = new MemoryDisk(root.copy());
        copy.order = order;
        return copy;
    }

    /** Gives a folder another place, durably, with all that is in it. */
    public synchronized void move(Path from, Path to) {
        Node moved = node(from);
        if (moved == null) {
            throw new IllegalArgumentException("there is no " + from);
        }
        Path parent = to.getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        folder(from.getParent()).remove(0, name(from));
        folder(to.getParent()).put(0, name(to), moved);
        folder(from.getParent()).force();
        folder(to.getParent()).force();
    }

    /** All files with their contents. */
    public synchronized Map<Path, byte[]> files() {
        Map<Path, byte[]> files = new TreeMap<>();
        collect(Path.of("/"), root, files);
        return files;
    }

    private static void collect(Path path, MemoryFolder folder, Map<Path, byte[]> files) {
        folder.names()
                .forEach((name, node) -> {
                    switch (node) {
                        case MemoryFile file -> files.put(path.resolve(name), file.contents());
                        case MemoryFolder below -> collect(path.resolve(name), below, files);
                    }
                });
    }

    /** Changes a file behind everybody's back, durably; it is created if it does not exist. */
    public synchronized void tamper(Path file, byte[] contents) {
        MemoryFolder folder = folder(file.getParent());
        if (folder.names().get(name(file)) instanceof MemoryFile present) {
            present.replace(contents);
        } else {
            MemoryFile added = new MemoryFile();
            added.replace(contents);
            folder.put(0, name(file), added);
            folder.force();
        }
    }

    /** Deletes a file behind everybody's back, durably. */
    public synchronized void remove(Path file) {
        MemoryFolder folder = folder(file.getParent());
        folder.remove(0, name(file));
        folder.force();
    }

    /** Files and mappings that are open. */
    public synchronized List<Path> openFiles() {
        return List.copyOf(handles.values());
    }

    private boolean half(Call call, Path file) {
        if (call.changes() && forceFailed) {
            throw new PenstockException(
                    ErrorCategory.IO, "nothing is written any more since injected fault");
        }
        try {
            watcher.before(call, file);
            return false;
        } catch (HalfDone e) {
            return true;
        } catch (PenstockException e) {
            forceFailed |= call.forces();
            throw e;
        }
    }

    private void before(Call call, Path file) {
        if (half(call, file)) {
            throw injected(file);
        }
    }

    /** What an operating system's refusal looks like. */
    public static PenstockException injected(Path file) {
        return PenstockException.io(
                "injected fault at " + file, new IOException("Input/output error"));
    }

    // Names

    private static String name(Path path) {
        return path.getFileName().toString();
    }

    private @Nullable Node node(@Nullable Path path) {
        if (path == null) {
            return root;
        }
        Node at = root;
        for (Path part : path.toAbsolutePath()) {
            if (!(at instanceof MemoryFolder folder)) {
                return null;
            }
            at = folder.names().get(part.toString());
        }
        return at;
    }

    private MemoryFolder folder(@Nullable Path path) {
        if (node(path) instanceof MemoryFolder folder) {
            return folder;
        }
        throw PenstockException.io("no folder " + path, new IOException("it does not exist"));
    }

    private MemoryFile file(Path path) {
        if (node(path) instanceof MemoryFile file) {
            return file;
        }
        throw PenstockException.io("no file " + path, new IOException("it does not exist"));
    }

    private synchronized Handle added(Path path) {
        before(Call.CREATE, path);
        if (node(path) != null) {
            throw PenstockException.io(path + " exists", new IOException("it exists"));
        }
        MemoryFile file = new MemoryFile();
        folder(path.getParent()).put(++order, name(path), file);
        return new Handle(path, file);
    }

    @Override
    public StorageFile create(Path file) {
        return added(file);
    }

    @Override
    public StorageFile createBulk(Path file) {
        return added(file);
    }

    @Override
    public BlockFile createBlocks(Path file) {
        return new Blocks(added(file));
    }

    @Override
    public synchronized StorageFile append(Path file) {
        before(Call.OPEN, file);
        return new Handle(file, file(file));
    }

    @Override
    public synchronized byte[] read(Path file, int maxBytes) {
        boolean half = half(Call.READ, file);
        byte[] contents = file(file).contents();
        if (contents.length > maxBytes) {
            throw PenstockException.corrupt(file + " has more than " + maxBytes + " bytes");
        }
        return half ? Arrays.copyOf(contents, contents.length / 2) : contents;
    }

    @Override
    public synchronized MappedFile map(Path file) {
        before(Call.READ, file);
        byte[] contents = file(file).contents();
        int length = contents.length;
        boolean refuses = ++mapped % 16 == 0;
        Arena arena = refuses ? Arena.ofShared() : Arena.ofAuto();
        MemorySegment bytes = arena.allocate(Math.max(1, length), 8).asSlice(0, length);
        MemorySegment.copy(contents, 0, bytes, ValueLayout.JAVA_BYTE, 0, length);
        Mapping mapping = new Mapping(arena, refuses, bytes);
        handles.put(mapping, file);
        return mapping;
    }

    @Override
    public synchronized long size(Path file) {
        before(Call.READ, file);
        return file(file).length();
    }

    @Override
    public synchronized boolean exists(Path file) {
        before(Call.READ, file);
        return node(file) != null;
    }

    @Override
    public synchronized void truncate(Path file, long length) {
        before(Call.CUT, file);
        file(file).cut((int) length);
        force(file, file(file));
    }

    @Override
    public synchronized void rewrite(Path file, long from, long to) {
        boolean half = half(Call.WRITE, file);
        long end = half ? from + (to - from) / 2 : to;
        byte[] bytes = Arrays.copyOfRange(file(file).contents(), (int) from, (int) end);
        file(file).write((int) from, bytes);
        if (half) {
            throw injected(file);
        }
        force(file, file(file));
    }

    private void force(Path path, MemoryFile file) {
        try {
            before(Call.FORCE, path);
        } catch (PenstockException e) {
            file.failForce();
            throw e;
        }
        file.force();
    }

    @Override
    public synchronized void rename(Path from, Path to) {
        before(Call.RENAME, to);
        file(from);
        folder(from.getParent()).rename(++order, name(from), name(to));
        forceDirectory(to.resolveSibling(""));
    }

    @Override
    public synchronized void delete(Path file) {
        before(Call.DELETE, file);
        if (node(file.getParent()) instanceof MemoryFolder folder) {
            if (node(file) instanceof MemoryFolder below && !below.names().isEmpty()) {
                throw PenstockException.io(file + " has files", new IOException("not empty"));
            }
            folder.remove(++order, name(file));
        }
    }

    @Override
    public synchronized void deleteTree(Path directory) {
        for (Path child : list(directory)) {
            deleteTree(child);
        }
        delete(directory);
        quietFailures.removeAllIn(directory);
    }

    @Override
    public synchronized List<Path> list(Path directory) {
        before(Call.READ, directory);
        if (!(node(directory) instanceof MemoryFolder folder)) {
            return List.of();
        }
        List<Path> children = new ArrayList<>();
        folder.names().keySet().forEach(name -> children.add(directory.resolve(name)));
        return children;
    }

    @Override
    public synchronized void createDirectories(Path directory) {
        if (node(directory) == null) {
            Path parent = directory.getParent();
            if (parent != null) {
                createDirectories(parent);
            }
            makeDirectory(directory);
            if (parent != null) {
                forceDirectory(parent);
            }
        }
    }

    @Override
    public synchronized void makeDirectory(Path directory) {
        before(Call.MAKE_FOLDER, directory);
        if (node(directory) == null) {
            folder(directory.getParent()).put(++order, name(directory), new MemoryFolder());
        }
    }

    @Override
    public synchronized void forceDirectory(Path directory) {
        before(Call.FORCE_FOLDER, directory);
        folder(directory).force();
    }

    @Override
    public QuietFailures quietFailures() {
        return quietFailures;
    }

    @Override
    public synchronized long freeBytes(Path directory) {
        before(Call.READ, directory);
        return 1L << 40;
    }

    // Open files

    private final class Handle implements StorageFile {
        private final Path path;
        private final MemoryFile file;
        private int position;

        Handle(Path path, MemoryFile file) {
            this.path = path;
            this.file = file;
            this.position = file.length();
            handles.put(this, path);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            synchronized (MemoryDisk.this) {
                boolean half = half(Call.WRITE, path);
                int count = half ? length / 2 : length;
                file.write(position, Arrays.copyOfRange(bytes, offset, offset + count));
                if (half) {
                    throw injected(path);
                }
                position += length;
            }
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void force() {
            synchronized (MemoryDisk.this) {
                MemoryDisk.this.force(path, file);
            }
        }

        @Override
        public void reserve(int bytes) {
            synchronized (MemoryDisk.this) {
                if (!half(Call.WRITE, path)) {
                    file.write(position, new byte[bytes]);
                }
            }
        }

        /** Interrupts mean nothing here. */
        @Override
        public void renamed(Path newPath) {}

        @Override
        public void cutBack(long length) {
            synchronized (MemoryDisk.this) {
                before(Call.CUT, path);
                file.cut((int) length);
                position = (int) length;
            }
        }

        @Override
        public void close() {
            synchronized (MemoryDisk.this) {
                handles.remove(this);
            }
        }
    }

    private final class Blocks implements BlockFile {
        private final Handle handle;

        Blocks(Handle handle) {
            this.handle = handle;
        }

        @Override
        public void write(long position, MemorySegment blocks) {
            synchronized (MemoryDisk.this) {
                before(Call.WRITE, handle.path);
                handle.file.write((int) position, blocks.toArray(ValueLayout.JAVA_BYTE));
            }
        }

        @Override
        public void read(long position, MemorySegment target) {
            synchronized (MemoryDisk.this) {
                before(Call.READ, handle.path);
                byte[] contents = handle.file.contents();
                if (position + target.byteSize() > contents.length) {
                    throw injected(handle.path);
                }
                int count = (int) target.byteSize();
                MemorySegment.copy(
                        contents, (int) position, target, ValueLayout.JAVA_BYTE, 0, count);
            }
        }

        @Override
        public void close() {
            handle.close();
        }
    }

    /**
     * Once unmapped, one in sixteen refuses to be read, and the bytes of the others are
     * overwritten, which no checksum survives: each that refuses has all threads stopped.
     */
    private final class Mapping implements MappedFile {
        private final Arena arena;
        private final boolean refuses;
        private final MemorySegment bytes;

        Mapping(Arena arena, boolean refuses, MemorySegment bytes) {
            this.arena = arena;
            this.refuses = refuses;
            this.bytes = bytes;
        }

        @Override
        public MemorySegment bytes() {
            return bytes.asReadOnly();
        }

        @Override
        public void close() {
            synchronized (MemoryDisk.this) {
                if (handles.remove(this) == null) {
                    return;
                }
                if (refuses) {
                    arena.close();
                } else {
                    bytes.fill((byte) 0xA5);
                }
            }
        }
    }
}
