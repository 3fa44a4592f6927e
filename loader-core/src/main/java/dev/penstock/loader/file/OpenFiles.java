package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.error.PenstockException;
import dev.penstock.target.TextFile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
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

    /** So that thousands are looked at a few times each, and a few are looked at each time. */
    static final int OTHERS_LOOKED_AT = 8;

    /**
     * A file, and what it was when it was opened first.
     *
     * @param place its path for other processes; empty if it has none
     */
    private record Known(Path path, String place, FileState first) {
        /** Refuses to go on with a file that is not what it was. */
        void check() throws IOException {
            String difference = first.difference(FileState.of(path));
            if (!difference.isEmpty()) {
                throw PenstockException.data(
                        path
                                + " "
                                + difference
                                + " while it was loaded; load it again when it stays as it is.");
            }
        }

        /** The same, when it is not to be read at once. */
        void look() {
            try {
                check();
            } catch (IOException e) {
                throw PenstockException.io(
                        "Whether " + path + " changed while it was loaded could not be seen: " + e,
                        e);
            }
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
    private final TreeMap<Integer, Known> known = new TreeMap<>();

    /** By what is equal for two names of one file. */
    private final Map<Object, NamedPath> names = new HashMap<>();

    /** The next of {@link #known} whose turn it is to be looked at. */
    private int nextLook;

    /** The one that was read longest ago comes first. */
    private final Map<Integer, Open> open = new LinkedHashMap<>(16, 0.75f, true);

    private boolean closed;

    /**
     * Opens a file for the first time, to see what it is.
     *
     * @throws PenstockException of category USAGE if it is among the files already
     */
    synchronized InputFile add(int index, NamedPath named, PositionalReader reader)
            throws IOException {
        Path path = named.path();
        FileState first = FileState.of(path);
        Object file =
                first.key().isEmpty() ? path.toRealPath() : first.key() + first.createdNanos();
        NamedPath before = names.putIfAbsent(file, named);
        if (before != null) {
            throw before.twice(named);
        }
        known.put(index, new Known(path, place(path), first));
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        keep(index, new Open(channel));
        byte[] magic = new byte[Compression.MAGIC_BYTES];
        int length = reader.read(channel, path.toString(), 0, magic, 0, magic.length);
        return new InputFile(
                index,
                path.toString(),
                path,
                Compression.of(magic, length),
                first.bytes(),
                TimeUnit.NANOSECONDS.toMillis(first.modifiedNanos()));
    }

    private static String place(Path path) {
        try {
            return path.toRealPath().toString();
        } catch (IOException e) {
            // A file that has been deleted while this process has it open.
            return "";
        }
    }

    /** See {@link Inputs#state}. */
    synchronized FileState state(int index) {
        Known file = known.get(index);
        return file == null ? FileState.NONE : file.first();
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

    LentFile lend(InputFile file) {
        Open borrowed = borrow(file);
        Known known = known(file);
        TextFile text =
                new TextFile(
                        borrowed.channel,
                        known.place(),
                        known.first().key(),
                        known.first().bytes());
        return new LentFile(text, () -> giveBack(borrowed));
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
        all.forEach(Known::look);
    }

    /** See {@link Inputs#checkSome}. */
    void checkSome(int index) {
        Set<Known> some = new LinkedHashSet<>();
        synchronized (this) {
            Known file = known.get(index);
            if (file != null) {
                some.add(file);
            }
            int others = Math.min(OTHERS_LOOKED_AT, known.size());
            for (int i = 0; i < others; i++) {
                Map.Entry<Integer, Known> next = known.ceilingEntry(nextLook);
                next = next == null ? known.firstEntry() : next;
                some.add(next.getValue());
                nextLook = next.getKey() + 1;
            }
        }
        some.forEach(Known::look);
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
