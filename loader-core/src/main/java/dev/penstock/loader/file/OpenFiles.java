package dev.penstock.loader.file;

import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The regular files among the inputs, read at any position by any number of threads. However many
 * there are, few are open: those that were read last, and streams, which their readers close. One
 * that is opened again must be as it was, and so must all when they have been read: a load has the
 * bytes of one file at one time, or is none.
 */
final class OpenFiles implements AutoCloseable {
    /** Far less than the 1024 descriptors that many systems allow a process. */
    static final int MOST_OPEN = 128;

    /**
     * A file, and what tells it from another one of its name: its number, which a file system gives
     * again to the next one when it is deleted, and when it was made, as far as each is known. What
     * tells that it was written to is its size and the time of that.
     */
    private record Known(
            Path path, @Nullable Object fileKey, FileTime created, long bytes, FileTime modified) {
        static Known of(Path path) throws IOException {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return new Known(
                    path, now.fileKey(), now.creationTime(), now.size(), now.lastModifiedTime());
        }

        String identity() {
            return fileKey + " " + created.to(TimeUnit.NANOSECONDS);
        }

        /** Equal for two names of one file. */
        Object oneFile() throws IOException {
            return fileKey == null ? path.toRealPath() : identity();
        }

        /** Refuses to go on with a file that is not what it was. */
        void check() throws IOException {
            Known now = of(path);
            if (!now.identity().equals(identity())) {
                throw changed("was replaced by another file");
            }
            if (now.bytes != bytes) {
                throw changed("changed from " + bytes + " to " + now.bytes + " bytes");
            }
            if (!now.modified.equals(modified)) {
                throw changed("was written to, last at " + now.modified + ",");
            }
        }

        private PenstockException changed(String how) {
            return PenstockException.data(
                    path
                            + " "
                            + how
                            + " while it was loaded; load it again when it stays as it is.");
        }
    }

    private static final class Open {
        private final FileChannel channel;
        private int readers;

        Open(FileChannel channel) {
            this.channel = channel;
        }
    }

    // Guarded by this.
    private final Map<Integer, Known> known = new HashMap<>();

    private final Map<Object, Path> names = new HashMap<>();

    /** The one that was read longest ago comes first. */
    private final Map<Integer, Open> open = new LinkedHashMap<>(16, 0.75f, true);

    private boolean closed;

    /**
     * Opens a file for the first time, to see what it is.
     *
     * @throws PenstockException of category USAGE if it is among the files already
     */
    synchronized InputFile add(int index, Path path, PositionalReader reader) throws IOException {
        Known first = Known.of(path);
        Path before = names.putIfAbsent(first.oneFile(), path);
        if (before != null) {
            throw twice(before, path);
        }
        known.put(index, first);
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        keep(index, new Open(channel));
        byte[] magic = new byte[Compression.MAGIC_BYTES];
        int length = reader.read(channel, path.toString(), 0, magic, 0, magic.length);
        return new InputFile(
                index,
                path.toString(),
                path,
                Compression.of(magic, length),
                first.bytes,
                first.modified.toMillis());
    }

    private static PenstockException twice(Path before, Path path) {
        return PenstockException.usage(
                path
                        + (path.equals(before)
                                ? " is named twice"
                                : " is the same file as " + before)
                        + ", so its rows would be loaded twice; name it once.");
    }

    /** See {@link Inputs#identity}. */
    synchronized String identity(int index) {
        Known file = known.get(index);
        return file == null ? "" : file.identity();
    }

    synchronized boolean has(int index) {
        return known.containsKey(index);
    }

    /** Reads {@code length} bytes, fewer only at the end of the file. */
    int read(
            PositionalReader reader,
            InputFile file,
            long position,
            byte[] target,
            int offset,
            int length) {
        Open borrowed = borrow(file);
        try {
            return reader.read(borrowed.channel, file.name(), position, target, offset, length);
        } finally {
            giveBack(borrowed);
        }
    }

    private synchronized Open borrow(InputFile file) {
        Open found = open.get(file.index());
        if (found == null) {
            found = openAgain(file);
        }
        found.readers++;
        return found;
    }

    private synchronized void giveBack(Open borrowed) {
        borrowed.readers--;
    }

    private Open openAgain(InputFile file) {
        Known first = Objects.requireNonNull(known.get(file.index()));
        try {
            if (closed) {
                throw new ClosedChannelException();
            }
            first.check(); // Before it is opened too: a pipe in its place would never open.
            FileChannel channel = FileChannel.open(first.path(), StandardOpenOption.READ);
            try {
                first.check();
            } catch (PenstockException | IOException e) {
                channel.close();
                throw e;
            }
            Open opened = new Open(channel);
            keep(file.index(), opened);
            return opened;
        } catch (IOException e) {
            throw PenstockException.io(
                    "The file " + file.name() + " could not be opened again: " + e, e);
        }
    }

    /** Opens a file at its start; the caller closes it. */
    InputStream stream(InputFile file) {
        Known first = known(file);
        try {
            first.check(); // Before it is opened too: a pipe in its place would never open.
            InputStream stream = Files.newInputStream(first.path());
            try {
                first.check();
            } catch (PenstockException | IOException e) {
                stream.close();
                throw e;
            }
            return stream;
        } catch (IOException e) {
            throw PenstockException.io("The file " + file.name() + " could not be opened: " + e, e);
        }
    }

    private synchronized Known known(InputFile file) {
        return Objects.requireNonNull(known.get(file.index()));
    }

    /** See {@link Inputs#checkUnchanged}. */
    void checkUnchanged() {
        List<Known> all;
        synchronized (this) {
            all = List.copyOf(known.values());
        }
        for (Known each : all) {
            try {
                each.check();
            } catch (IOException e) {
                throw PenstockException.io(
                        "Whether "
                                + each.path
                                + " changed while it was loaded could not be seen, so nothing was"
                                + " loaded: "
                                + e,
                        e);
            }
        }
    }

    /** Keeps a file open, and closes others that nobody is reading if there are too many. */
    private void keep(int index, Open opened) throws IOException {
        open.put(index, opened);
        Iterator<Open> longestAgo = open.values().iterator();
        while (open.size() > MOST_OPEN && longestAgo.hasNext()) {
            Open next = longestAgo.next();
            if (next.readers == 0 && next != opened) {
                longestAgo.remove();
                next.channel.close();
            }
        }
    }

    /** Closes all; whoever still reads fails. */
    @Override
    public void close() {
        List<Open> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(open.values());
            open.clear();
        }
        IOException failure = null;
        for (Open each : all) {
            try {
                each.channel.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw PenstockException.io("An input could not be closed: " + failure, failure);
        }
    }
}
