package dev.penstock.jdbc;

import dev.penstock.kv.Penstock;
import dev.penstock.sql.LoadLine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A store that connections of this process use, and the loads that they ran there. A folder is
 * opened once for all its connections, as one process may open it only once; connections to servers
 * have a store each and share what is known of loads.
 *
 * <p>Thread-safe. Each connection has a handle and closes it; the last one closes the store.
 */
final class StoreHandle implements AutoCloseable {
    /** Most loads that are remembered of each store. */
    private static final int MAX_LOADS = 256;

    private static final Map<Path, Opened> FOLDERS = new HashMap<>();
    private static final Map<String, Deque<Remembered>> JOBS = new HashMap<>();

    private final Opened opened;
    private final Deque<Remembered> jobs;
    private boolean closed;

    /** A store and how many handles it has. */
    private static final class Opened {
        private final Penstock store;
        private int users = 1;

        Opened(Penstock store) {
            this.store = store;
        }
    }

    private StoreHandle(Opened opened, String name) {
        this.opened = opened;
        this.jobs = JOBS.computeIfAbsent(name, _ -> new ArrayDeque<>());
    }

    /** The store in an existing folder. */
    static StoreHandle ofFolder(Path folder) throws IOException {
        Path real = folder.toRealPath();
        synchronized (StoreHandle.class) {
            Opened opened = FOLDERS.get(real);
            if (opened == null) {
                opened = new Opened(Penstock.open(real));
                FOLDERS.put(real, opened);
            } else {
                opened.users++;
            }
            return new StoreHandle(opened, real.toString());
        }
    }

    /** A store on servers; the supplier connects to them. */
    static StoreHandle ofServers(String addresses, Supplier<Penstock> connect) {
        Opened opened = new Opened(connect.get());
        synchronized (StoreHandle.class) {
            return new StoreHandle(opened, "//" + addresses);
        }
    }

    Penstock store() {
        return opened.store;
    }

    /** A load: the job while it runs, and then only what is shown of it. */
    static final class Remembered {
        private @Nullable LoadJob running;
        private LoadLine last;

        private Remembered(LoadJob job) {
            running = job;
            last = job.line();
        }

        /** The job has ended: what it read from and wrote to may go. */
        synchronized void ended() {
            if (running != null) {
                last = running.line();
                running = null;
            }
        }

        private synchronized LoadLine line() {
            return running == null ? last : running.line();
        }

        private synchronized boolean hasEnded() {
            return running == null;
        }
    }

    /** Remembers a load of this process; forgets the oldest that has ended. */
    Remembered add(LoadJob job) {
        Remembered added = new Remembered(job);
        synchronized (StoreHandle.class) {
            jobs.addLast(added);
            if (jobs.size() > MAX_LOADS) {
                jobs.stream().filter(Remembered::hasEnded).findFirst().ifPresent(jobs::remove);
            }
        }
        return added;
    }

    /** Loads of this process, oldest first. */
    List<LoadLine> lines() {
        List<Remembered> known;
        synchronized (StoreHandle.class) {
            known = new ArrayList<>(jobs);
        }
        return known.stream().map(Remembered::line).toList();
    }

    @Override
    public void close() {
        synchronized (StoreHandle.class) {
            if (closed) {
                return;
            }
            closed = true;
            if (--opened.users > 0) {
                return;
            }
            FOLDERS.values().remove(opened);
            opened.store.close();
        }
    }
}
