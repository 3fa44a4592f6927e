package dev.penstock.kv.region;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.Manifest;
import dev.penstock.kv.storage.ManifestRecord;
import dev.penstock.kv.storage.PreparedLoad;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.kv.storage.SegmentOutput;
import dev.penstock.kv.storage.Storage;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a region is made of, and every change of that: flush, install, compaction. Changes run one
 * at a time under the structure lock: new files first, then one manifest record, then the new view;
 * files that nobody needs any more go with their last reader. Readers only take the current view.
 */
final class RegionStructure {
    private final RegionContext context;
    private final RegionFiles files;
    private final TableSchema schema;
    private final TableSchema flushSchema;
    private final KeyRange range;
    private final Manifest manifest;
    private final RegionWrites writes;
    private final RowMemory.Share memory;
    private final DeltaFlush flush;
    private final ReentrantLock lock = new ReentrantLock();
    private final Object viewMonitor = new Object();
    private final List<LoggedDelta> frozen = new ArrayList<>();
    private final List<Layer> layers = new ArrayList<>();
    private RegionView view;
    private boolean gone;
    private boolean installing;
    private long lastSequence;
    private boolean closed;

    /**
     * Opens the layers of the manifest; {@link #recover} is to follow.
     *
     * @param memory where rows count; closed with this
     */
    RegionStructure(
            RegionContext context,
            RegionFiles files,
            Manifest manifest,
            RegionWrites writes,
            RowMemory.Share memory) {
        RegionDescriptor region = manifest.region();
        this.context = context;
        this.files = files;
        this.schema = region.schema();
        this.flushSchema = context.journal().schemas().share(FlushSchema.of(schema));
        this.range = region.range();
        this.manifest = manifest;
        this.writes = writes;
        this.memory = memory;
        this.flush = new DeltaFlush(schema, flushSchema, new RowCodec(schema));
        this.lastSequence = manifest.nextSequence() - 1;
        try {
            for (LayerDescriptor descriptor : manifest.layers()) {
                layers.add(openLayer(descriptor));
            }
        } catch (RuntimeException e) {
            layers.forEach(layer -> layer.segments().forEach(SegmentFile::release));
            throw e;
        }
        this.view = new RegionView(deltas(writes.active()), layers);
    }

    // Recovery

    /**
     * Brings back rows from write-ahead logs, before anybody else knows the region. While there is
     * no room for them, those of other regions or of this one go to layers.
     */
    void recover(RegionRecovery recovery) {
        recovery.recover(this::recovered);
        if (!frozen.isEmpty()) {
            frozen.getLast().commitAll();
            if (memory.hasTooMany()) {
                flushAll();
            }
            swap(writes.active());
        }
        memory.join(this::flush);
    }

    private void recovered(WriteOperation change, long log) {
        if (frozen.isEmpty()) {
            frozen.add(new LoggedDelta(new Delta(manifest.logFloor(), memory)));
        }
        if (memory.hasTooMany()) {
            flushRecovered(log);
        }
        Delta delta = frozen.getLast().delta();
        delta.begin();
        delta.apply(change);
    }

    /**
     * Writes what was recovered so far to a layer; the log that is being read stays, and what
     * follows in it, at least one change, goes to the next delta. If the process ends before that
     * is flushed too, the whole log is read again, on top of this layer: its last change of a key
     * counts, then as now. The layer holds nothing that the log could still lose: what is read from
     * a log is certain.
     */
    private void flushRecovered(long log) {
        frozen.add(new LoggedDelta(new Delta(log, memory)));
        flushOldest();
    }

    // Views

    /**
     * The current view; the caller releases it.
     *
     * @throws PenstockException of category REROUTE if the region is no more
     */
    RegionView acquire() {
        synchronized (viewMonitor) {
            if (gone) {
                throw notHere();
            }
            view.retain();
            return view;
        }
    }

    private PenstockException notHere() {
        return new PenstockException(
                ErrorCategory.REROUTE,
                "region " + files.regionId() + " is not on this server any more");
    }

    /** The same; of a region that is no more, one without anything. */
    RegionView acquireEvenIfGone() {
        synchronized (viewMonitor) {
            view.retain();
            return view;
        }
    }

    /** Whether the region has not gone on since the view was taken, nor is about to. */
    boolean isCurrent(RegionView taken) {
        synchronized (viewMonitor) {
            return !installing && view.equals(taken);
        }
    }

    /** If a load is being installed, returns when that has ended. */
    void awaitInstalled() {
        synchronized (viewMonitor) {
            if (!installing) {
                return;
            }
        }
        lock.lock();
        try {
            // Whoever was installing it has let go of the lock.
        } finally {
            lock.unlock();
        }
    }

    /**
     * While it is so, nobody may conclude from the view that a key has no row: what comes on top of
     * it is decided already.
     */
    private void setInstalling(boolean now) {
        synchronized (viewMonitor) {
            installing = now;
        }
    }

    /** Rows in memory, newest first: the active ones, then frozen ones. */
    private List<Delta> deltas(Delta active) {
        List<Delta> deltas = new ArrayList<>();
        deltas.add(active);
        frozen.reversed().forEach(logged -> deltas.add(logged.delta()));
        return deltas;
    }

    private void swap(Delta active) {
        RegionView old;
        synchronized (viewMonitor) {
            old = view;
            view = new RegionView(deltas(active), layers);
        }
        old.release();
    }

    // Changes

    /** Writes all rows in memory to a layer of their own, if they take at least so many bytes. */
    void flush(long atLeastBytes) {
        lock.lock();
        try {
            if (!closed && memory.bytes() >= atLeastBytes) {
                flushAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void flushAll() {
        if (!writes.active().isEmpty()) {
            frozen.add(writes.freeze(this::freezeView));
        }
        while (!frozen.isEmpty()) {
            flushOldest();
        }
    }

    /** The new active delta goes on top of the one that is becoming frozen. */
    private void freezeView(Delta active) {
        RegionView old;
        synchronized (viewMonitor) {
            old = view;
            List<Delta> deltas = new ArrayList<>(old.deltas());
            deltas.addFirst(active);
            view = new RegionView(deltas, layers);
        }
        old.release();
    }

    private void flushOldest() {
        LoggedDelta oldest = frozen.getFirst();
        oldest.commitAll();
        long sequence = ++lastSequence;
        SegmentIdentity identity = new SegmentIdentity(files.regionId(), sequence, 0);
        DeltaFlush.Result written =
                flush.write(
                        oldest.delta().snapshot(), output(sequence), identity, layers.isEmpty());
        long logFloor =
                frozen.size() > 1 ? frozen.get(1).delta().firstLog() : writes.active().firstLog();
        LayerDescriptor descriptor =
                new LayerDescriptor(
                        sequence,
                        0,
                        context.clock().millis(),
                        false,
                        written.tombstones(),
                        identity,
                        written.segments());
        Layer layer = addFiles(new ManifestRecord.Flushed(descriptor, logFloor), descriptor);
        frozen.removeFirst();
        oldest.delta().flushed();
        addOnTop(layer);
        oldest.close();
        deleteLogsBelow(logFloor);
    }

    private void deleteLogsBelow(long floor) {
        for (var file : context.storage().list(files.directory())) {
            long number = RegionFiles.logNumber(file);
            if (number >= 0 && number < floor) {
                context.storage().delete(file);
            }
        }
    }

    /** All rows that were written before are durable and visible on return. */
    void settle() {
        lock.lock();
        try {
            if (!closed) {
                frozen.forEach(LoggedDelta::commitAll);
                writes.settle();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Puts a published load on top of what there is; does nothing if that has happened before.
     *
     * @throws PenstockException of category REROUTE if the region is closed: the load must stay
     *     prepared until it is opened again
     */
    void install(PreparedLoad load, long epoch) {
        lock.lock();
        try {
            if (closed) {
                throw notHere();
            }
            if (epoch <= manifest.installedEpoch()) {
                return;
            }
            setInstalling(true);
            flushAll();
            LayerDescriptor descriptor =
                    new LayerDescriptor(
                            ++lastSequence,
                            epoch,
                            context.clock().millis(),
                            false,
                            false,
                            load.identity(),
                            load.segments());
            Layer layer = openLayer(descriptor);
            record(new ManifestRecord.Installed(descriptor), layer);
            addOnTop(layer);
        } finally {
            setInstalling(false);
            lock.unlock();
        }
    }

    /**
     * Makes a change durable that adds a layer of new files, and opens it. If that fails the files
     * go, for the next try writes others, unless the manifest may name them.
     */
    private Layer addFiles(ManifestRecord change, LayerDescriptor descriptor) {
        long records = manifest.records();
        try {
            Layer layer = openLayer(descriptor);
            record(change, layer);
            return layer;
        } catch (RuntimeException e) {
            if (manifest.records() == records) {
                remove(descriptor, e);
            }
            throw e;
        }
    }

    private void remove(LayerDescriptor layer, RuntimeException cause) {
        try {
            for (SegmentDescriptor segment : layer.segments()) {
                context.storage().delete(files.segment(segment.name()));
            }
        } catch (PenstockException e) {
            cause.addSuppressed(e);
        }
    }

    /** Makes a change durable that is about to add an open layer; lets go of that if it fails. */
    private void record(ManifestRecord change, Layer layer) {
        try {
            manifest.append(change);
        } catch (RuntimeException e) {
            layer.segments().forEach(SegmentFile::release);
            throw e;
        }
    }

    private void addOnTop(Layer layer) {
        if (!layer.segments().isEmpty()) {
            layers.addFirst(layer);
        }
        swap(writes.active());
    }

    /** A number for a layer that is about to be made. */
    long newSequence() {
        lock.lock();
        try {
            return ++lastSequence;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Replaces neighbouring layers by one with the same visible rows, whose files go if that fails.
     *
     * @return false if the region is gone; then the new files are of no use
     */
    boolean compact(List<Long> sequences, LayerDescriptor merged) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            Layer layer = addFiles(new ManifestRecord.Compacted(sequences, merged), merged);
            int at = indexOf(sequences.getFirst());
            List<Layer> replaced = layers.subList(at, at + sequences.size());
            List<Layer> old = List.copyOf(replaced);
            replaced.clear();
            if (!layer.segments().isEmpty()) {
                layers.add(at, layer);
            }
            swap(writes.active());
            for (Layer gone : old) {
                gone.segments().forEach(SegmentFile::doom);
                gone.segments().forEach(SegmentFile::release);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private int indexOf(long sequence) {
        for (int i = 0; i < layers.size(); i++) {
            if (layers.get(i).descriptor().sequence() == sequence) {
                return i;
            }
        }
        throw new IllegalStateException("there is no layer " + sequence);
    }

    long installedEpoch() {
        lock.lock();
        try {
            return manifest.installedEpoch();
        } finally {
            lock.unlock();
        }
    }

    /** Runs something while the structure stays as it is. */
    <T> Optional<T> whileOpen(java.util.function.Supplier<T> action) {
        lock.lock();
        try {
            return closed ? Optional.empty() : Optional.of(action.get());
        } finally {
            lock.unlock();
        }
    }

    /** After {@link #close}: the region is no more. */
    void drop() {
        manifest.drop();
    }

    /** Ends changes and lets go of all files; readers keep theirs until they are done. */
    void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            writes.close();
            memory.close();
            frozen.forEach(LoggedDelta::close);
            manifest.close();
            layers.forEach(layer -> layer.segments().forEach(SegmentFile::release));
            RegionView last;
            synchronized (viewMonitor) {
                last = view;
                view = new RegionView(List.of(), List.of());
                gone = true;
            }
            last.release();
        } finally {
            lock.unlock();
        }
    }

    // Files

    SegmentOutput output(long sequence) {
        return new SegmentOutput(context.storage(), files, files.layerPrefix(sequence));
    }

    Layer openLayer(LayerDescriptor descriptor) {
        Storage storage = context.storage();
        TableSchema layerSchema = descriptor.tombstones() ? flushSchema : schema;
        List<SegmentFile> segments = new ArrayList<>();
        try {
            for (SegmentDescriptor segment : descriptor.segments()) {
                segments.add(
                        SegmentFile.open(
                                storage,
                                context.segments(),
                                files.segment(segment.name()),
                                layerSchema,
                                segment,
                                descriptor.identity().withOrdinal(segments.size()),
                                range));
            }
        } catch (RuntimeException e) {
            segments.forEach(SegmentFile::release);
            throw e;
        }
        return new Layer(descriptor, segments);
    }
}
