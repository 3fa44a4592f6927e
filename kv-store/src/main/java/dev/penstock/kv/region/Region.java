package dev.penstock.kv.region;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.aggregate.PartialValue;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnSums;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionStatus;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.storage.LayerDescriptor;
import dev.penstock.kv.storage.Manifest;
import dev.penstock.kv.storage.PreparedLoad;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.predicate.Predicate;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentChecksum;
import dev.penstock.segment.SegmentIdentity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * One region of a table: a folder of files and rows in memory. Rows come singly through {@link
 * #put} and {@link #delete}, or as a load's prepared segments through {@link #prepared()} and
 * {@link #install}. Thread-safe.
 */
public final class Region implements AutoCloseable {
    private final RegionContext context;
    private final RegionFiles files;
    private final RegionDescriptor descriptor;
    private final TableSchema flushSchema;
    private final RowCodec codec;
    private final KeyCodec keyCodec;
    private final RowLookup lookup;
    private final RegionWrites writes;
    private final RegionStructure structure;
    private final PromisedKeys promised;
    private final PreparedLoads prepared;
    private final ReentrantLock preparing = new ReentrantLock();

    private Region(RegionContext context, RegionFiles files, Manifest manifest) {
        RegionRecovery recovery =
                RegionRecovery.run(context.storage(), files, context.journal(), manifest);
        this.context = context;
        this.files = files;
        this.descriptor = manifest.region();
        this.flushSchema = context.journal().schemas().share(FlushSchema.of(descriptor.schema()));
        this.codec = new RowCodec(descriptor.schema());
        this.keyCodec = new KeyCodec(descriptor.schema());
        this.lookup = new RowLookup(descriptor.schema(), codec);
        RowMemory.Share memory = context.rowMemory().share();
        this.writes =
                new RegionWrites(
                        context.storage(), files, manifest::growUp, recovery.nextLog(), memory);
        this.structure = new RegionStructure(context, files, manifest, writes, memory);
        this.promised = new PromisedKeys(structure::openLayer, lookup, descriptor.schema().name());
        this.prepared =
                new PreparedLoads(
                        context.journal(), context.storage(), files, promised, recovery.prepared());
        try {
            structure.recover(recovery);
        } catch (RuntimeException e) {
            structure.close();
            throw e;
        }
    }

    /** Creates an empty region; durable once the context's journal is forced. */
    public static Region create(
            RegionContext context, RegionFiles files, RegionDescriptor descriptor) {
        return open(
                context,
                files,
                Manifest.create(context.storage(), files, context.journal(), descriptor));
    }

    /** Opens what folder and journal hold; {@code CORRUPT} naming the file if it is damaged. */
    public static Region open(RegionContext context, RegionFiles files) {
        return open(context, files, Manifest.open(context.storage(), files, context.journal()));
    }

    private static Region open(RegionContext context, RegionFiles files, Manifest manifest) {
        try {
            return new Region(context, files, manifest);
        } catch (RuntimeException e) {
            manifest.close();
            throw e;
        }
    }

    public RegionDescriptor descriptor() {
        return descriptor;
    }

    public RegionFiles files() {
        return files;
    }

    public RegionContext context() {
        return context;
    }

    // Rows

    /** Stores rows; durable and visible on return. */
    public void put(ColumnBatch rows) {
        makeRoom();
        write(changes(rows));
    }

    /**
     * Stores rows if none of their keys has a row, all or none of them; durable and visible on
     * return.
     *
     * @return -1, or the index of the first row whose key has a row or is that of a row before it
     */
    public long insert(ColumnBatch rows) {
        makeRoom();
        List<WriteOperation.Change> changes = changes(rows);
        if (changes.isEmpty()) {
            return NewKeys.ALL_NEW;
        }
        NewKeys keys = new NewKeys(structure, writes, lookup, promised);
        return keys.write(new WriteOperation(changes));
    }

    private List<WriteOperation.Change> changes(ColumnBatch rows) {
        RowCheck.check(descriptor.schema(), rows);
        List<WriteOperation.Change> changes = new ArrayList<>(rows.rowCount());
        for (int row = 0; row < rows.rowCount(); row++) {
            byte[] key = keyCodec.encode(rows, row);
            checkKey(key);
            changes.add(new WriteOperation.Change(key, codec.encode(rows, row)));
        }
        return changes;
    }

    /** Removes rows; durable and visible on return. */
    public void delete(List<byte[]> keys) {
        makeRoom();
        List<WriteOperation.Change> changes = new ArrayList<>(keys.size());
        ColumnBatch scratch = ColumnBatch.forColumns(descriptor.schema().columns(), 1);
        for (byte[] key : keys) {
            checkKey(key);
            keyCodec.decode(key, 0, key.length, scratch, 0);
            changes.add(new WriteOperation.Change(key.clone(), null));
        }
        write(changes);
    }

    /**
     * Fails as writes of these keys would fail now for the sake of a load; changes nothing.
     *
     * @param removal whether they are to be removed
     */
    public void checkWrite(List<byte[]> keys, boolean removal) {
        keys.forEach(this::checkKey);
        promised.check(keys, removal);
    }

    private void checkKey(byte[] key) {
        if (!descriptor.range().contains(key)) {
            throw new PenstockException(
                    ErrorCategory.REROUTE, "a key came that is not in region " + name());
        }
    }

    private void write(List<WriteOperation.Change> changes) {
        if (changes.isEmpty()) {
            return;
        }
        WriteOperation operation = new WriteOperation(changes);
        boolean written;
        do {
            written = writeUnlessPromised(operation);
        } while (!written);
    }

    /** False if a load has promised keys since they were compared with these. */
    private boolean writeUnlessPromised(WriteOperation operation) {
        long promises = promised.check(operation.changes());
        return writes.insert(
                        operation,
                        _ -> promised.version() == promises ? RegionWrites.NO_OBSTACLE : promises)
                == RegionWrites.NO_OBSTACLE;
    }

    /** Before rows are written rather than after: if a flush fails, nothing was stored. */
    private void makeRoom() {
        if (writes.active().bytes() > context.flushBytes()) {
            structure.flush(context.flushBytes());
        }
        context.rowMemory().makeRoom();
    }

    /** Writes rows in memory to a layer. */
    public void flush() {
        structure.flush(0);
    }

    // Reads

    public Optional<ColumnBatch> get(byte[] key, long epoch) {
        try (RegionSnapshot snapshot = snapshot(epoch)) {
            return snapshot.read(() -> lookup.get(snapshot, key));
        }
    }

    /** The index of the first of these keys that has a row, or -1. */
    public long firstPresent(List<byte[]> keys, long epoch) {
        try (RegionSnapshot snapshot = snapshot(epoch)) {
            return snapshot.read(() -> firstPresent(snapshot, keys));
        }
    }

    private long firstPresent(RegionSnapshot snapshot, List<byte[]> keys) {
        for (int i = 0; i < keys.size(); i++) {
            if (lookup.has(snapshot, keys.get(i))) {
                return i;
            }
        }
        return -1;
    }

    public ScanCursor scan(ScanRequest request) {
        KeyRange range = request.range();
        RegionSnapshot snapshot = snapshot(request.epoch());
        try {
            return new RegionScan(
                    snapshot,
                    sources(snapshot, range, request.projection(), request.predicate()),
                    request.limit());
        } catch (RuntimeException e) {
            snapshot.close();
            throw e;
        }
    }

    public long count(long epoch, KeyRange range, Predicate predicate) {
        List<Aggregate> rows = List.of(Aggregate.countRows());
        PartialValue count =
                aggregate(epoch, new AggregateQuery(range, predicate, List.of(), rows))
                        .single()
                        .getFirst();
        return ((PartialValue.Count) count).rows();
    }

    /** Aggregates the rows in pieces, as many at a time as there are processors. */
    public PartialResult aggregate(long epoch, AggregateQuery query) {
        query.check(descriptor.schema());
        PartialResult all = new PartialResult(query.aggregates());
        if (!query.range().overlaps(descriptor.range())) {
            return all;
        }
        try (RegionSnapshot snapshot = snapshot(epoch)) {
            snapshot.read(() -> parts(snapshot, query)).forEach(all::add);
        }
        return all;
    }

    private List<PartialResult> parts(RegionSnapshot snapshot, AggregateQuery query) {
        return Pieces.all(
                plan(snapshot, query.range(), query.projection(), query.predicate()).pieces(query));
    }

    /** Checks every byte of the segments and sums up the visible rows. */
    public RegionChecksum checksum(long epoch) {
        try (RegionSnapshot snapshot = snapshot(epoch)) {
            return snapshot.read(() -> checksum(snapshot));
        }
    }

    private RegionChecksum checksum(RegionSnapshot snapshot) {
        StoredProof proof = new StoredProof(descriptor);
        snapshot.layers().forEach(proof::check);
        Optional<ColumnSums> all = proof.all(snapshot);
        ColumnSums visible = all.isPresent() ? all.get() : visibleSums(snapshot);
        return new RegionChecksum(
                descriptor.regionId(), visible.rowCount(), proof.provenRows(), visible.columns());
    }

    private ColumnSums visibleSums(RegionSnapshot snapshot) {
        TableSchema schema = descriptor.schema();
        SegmentChecksum sums = new SegmentChecksum(schema);
        int[] all = IntStream.range(0, schema.columnCount()).toArray();
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), ScanCursor.BATCH_ROWS);
        for (var segments : sources(snapshot, KeyRange.ALL, all, Predicate.ALWAYS)) {
            RowSource source = segments.get();
            while (source.next(batch)) {
                sums.add(batch);
            }
        }
        return sums.sums();
    }

    /** A closed region holds nothing, but rows may be in those that have taken its place. */
    private RegionSnapshot snapshot(long epoch) {
        RegionView view = structure.acquire();
        if (!writes.isOpen()) {
            view.release();
            throw new PenstockException(
                    ErrorCategory.REROUTE,
                    "region " + name() + " has no rows: it is being split or dropped");
        }
        return RegionSnapshot.of(view, epoch, "region " + name());
    }

    private List<Supplier<RowSource>> sources(
            RegionSnapshot snapshot, KeyRange range, int[] projection, Predicate predicate) {
        if (!range.overlaps(descriptor.range())) {
            return List.of();
        }
        return plan(snapshot, range, projection, predicate).sources();
    }

    private ScanPlan plan(
            RegionSnapshot snapshot, KeyRange range, int[] projection, Predicate predicate) {
        return new ScanPlan(
                snapshot,
                range.intersect(descriptor.range()),
                ReadSchema.of(descriptor.schema(), projection, predicate),
                descriptor.schema(),
                flushSchema,
                codec);
    }

    /**
     * Looks for keys of new segments among the rows that are stored, or about to be.
     *
     * @param comparing whether what becomes of the new rows depends on what is stored; else only
     *     those other loads matter for which that is so
     */
    public StoredKeys storedKeys(String loadId, boolean comparing) {
        List<PreparedLayer> others = prepared.openBut(loadId, !comparing, structure::openLayer);
        try {
            return new StoredKeys(
                    snapshot(Long.MAX_VALUE),
                    others,
                    !comparing,
                    descriptor.schema(),
                    flushSchema,
                    codec);
        } catch (RuntimeException e) {
            others.forEach(PreparedLayer::release);
            throw e;
        }
    }

    // Loads

    /** Prepares one load after the other, so that each is compared with those before it. */
    public <T> T prepareAlone(Supplier<T> prepare) {
        preparing.lock();
        try {
            return prepare.get();
        } finally {
            preparing.unlock();
        }
    }

    /**
     * Keeps rows with the keys of a load away, and keys where they are that it leaves out, until it
     * is given up or installed. What was written before can be seen by {@link #storedKeys}.
     */
    public void promise(
            String loadId,
            SegmentIdentity identity,
            List<SegmentDescriptor> segments,
            LeftOutKeys leftOut) {
        promised.promise(loadId, identity, segments, leftOut);
        structure.settle();
    }

    /** Loads that are prepared here and neither published nor aborted as far as known. */
    public PreparedLoads prepared() {
        return prepared;
    }

    /**
     * Makes a prepared load visible at the epoch; later epochs must not have been installed. To be
     * told to readers once the context's journal is forced.
     *
     * @throws PenstockException of category REROUTE if the region is closed
     */
    public void install(PreparedLoad load, long epoch) {
        structure.install(load, epoch);
        prepared.forget(load.loadId());
    }

    /** Epoch of the latest load that was installed here. */
    public long installedEpoch() {
        return structure.installedEpoch();
    }

    // Structure

    /** Takes no more rows and answers no reads, if there are none. */
    public boolean closeIfEmpty() {
        return structure
                .whileOpen(() -> {
                    RegionView view = structure.acquire();
                    try {
                        boolean empty =
                                view.layers().isEmpty()
                                        && view.deltas().stream().allMatch(Delta::isEmpty)
                                        && prepared.isEmpty();
                        return empty && writes.closeIfEmpty();
                    } finally {
                        view.release();
                    }
                })
                .orElse(false);
    }

    /** Takes rows and answers again after {@link #closeIfEmpty}. */
    public void reopen() {
        writes.reopen();
    }

    /** The layers to compact; hold it open while their files are in use. */
    public LayerLease leaseLayers() {
        return new LayerLease(structure.acquire());
    }

    /** A number for a layer that is about to be made. */
    public long newSequence() {
        return structure.newSequence();
    }

    /** Replaces neighbouring layers, newest first, by one with the same visible rows. */
    public boolean replaceLayers(List<Long> sequences, LayerDescriptor merged) {
        return structure.compact(sequences, merged);
    }

    public RegionStatus status() {
        RegionView view = structure.acquireEvenIfGone();
        try {
            List<LayerDescriptor> layers = view.layers().stream().map(Layer::descriptor).toList();
            return new RegionStatus(
                    descriptor.regionId(),
                    descriptor.tableId(),
                    layers.stream().mapToLong(LayerDescriptor::rowCount).sum()
                            + view.deltas().stream().mapToLong(Delta::keyCount).sum(),
                    layers.stream().mapToLong(LayerDescriptor::bytes).sum(),
                    view.deltas().stream().mapToLong(Delta::bytes).sum(),
                    layers.size());
        } finally {
            view.release();
        }
    }

    private String name() {
        return descriptor.regionId() + " of table " + descriptor.schema().name();
    }

    /** Promises end last: until no row is taken any more they must be kept. */
    @Override
    public void close() {
        try {
            structure.close();
        } finally {
            promised.close();
        }
    }

    /** Closes the region and removes its folder. */
    public void drop() {
        close();
        structure.drop();
        context.storage().deleteTree(files.directory());
    }

    /** Layers held open. */
    public static final class LayerLease implements AutoCloseable {
        private final RegionView view;

        LayerLease(RegionView view) {
            this.view = view;
        }

        /** Newest first. */
        public List<Layer> layers() {
            return view.layers();
        }

        /** Files of a layer, in key order. */
        public static List<SegmentFile> files(Layer layer) {
            return layer.segments();
        }

        @Override
        public void close() {
            view.release();
        }
    }
}
