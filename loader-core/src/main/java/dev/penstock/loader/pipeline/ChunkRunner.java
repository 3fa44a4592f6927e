package dev.penstock.loader.pipeline;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkEdges;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.route.RegionPartitioner;
import dev.penstock.reject.Reject;
import dev.penstock.step.CpuClock;
import dev.penstock.step.Deserialize;
import dev.penstock.step.Encode;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.RawRouter;
import dev.penstock.step.RegionSlices;
import dev.penstock.step.RegionSums;
import dev.penstock.step.Sort;
import dev.penstock.step.StepName;
import dev.penstock.target.FragmentHeader;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * Runs whole chunks from text to fragments, as far as the load's cut says:
 *
 * <ul>
 *   <li>{@code RAW}: route records as text
 *   <li>{@code TYPED}: deserialize, bring rows together by region
 *   <li>{@code SORTED}: deserialize, find the order of the rows, slice by region
 *   <li>{@code ENCODED}: the same, and encode the columns that the offload policy chooses
 *   <li>{@code MERGED}: see {@link WindowMerge}
 * </ul>
 *
 * and sends one fragment per region that has rows. Scratch memory, payloads included, is kept from
 * chunk to chunk. Owned by one thread.
 */
public final class ChunkRunner {
    private static final Encode.Choice[] NO_CHOICES = {};

    private final LoadSetup setup;
    private final FragmentSink sink;
    private final CpuClock clock;
    private final Deserialize deserialize;
    private final Sort sort;
    private final Encode encode;
    private final RegionSlices slices;
    private final RegionPartitioner partitioner;
    private final OffloadSelector selector;
    private final ColumnBatch batch;
    private final WindowMerge windowMerge;
    private final RawRouter rawRouter;
    private final TextChunks texts;
    private final ChunkPlaces places;
    private final ChunkEdges edges = new ChunkEdges();
    private final RegionSums sums;
    private final ByteBuilder image = new ByteBuilder(1 << 20);

    private long chunks;
    private long records;
    private long rowsSent;
    private long duplicatesDropped;
    private long textBytes;
    private long bytesSent;
    private long fragments;

    /**
     * @param clock of the calling thread, which will call {@link #run}
     */
    public ChunkRunner(
            LoadSetup setup,
            PlainColumns plainColumns,
            ColumnForms forms,
            FragmentSink sink,
            TextChunks texts,
            CpuClock clock) {
        this.setup = setup;
        this.texts = texts;
        this.sink = sink;
        this.clock = clock;
        deserialize =
                new Deserialize(
                        setup.schema(), setup.dialect(), setup.fieldColumns(), setup.loadOrdinal());
        deserialize.shareColumns();
        sort = new Sort(setup.schema());
        encode = new Encode(setup.schema(), setup.tokens());
        slices = new RegionSlices(setup.schema(), setup.regions().starts());
        partitioner = new RegionPartitioner(setup.schema(), setup.regions());
        selector =
                new OffloadSelector(
                        setup.schema(),
                        setup.policy(),
                        setup.cut(),
                        setup.tokens(),
                        plainColumns,
                        forms);
        batch = ColumnBatch.forColumns(setup.schema().columns(), 1024);
        sums =
                new RegionSums(
                        setup.schema().columnCount(),
                        setup.regions().size(),
                        setup.verification().sums());
        windowMerge = new WindowMerge(setup, clock, selector, slices, encode, sort);
        places = new ChunkPlaces(setup);
        rawRouter =
                new RawRouter(
                        setup.schema(),
                        setup.dialect(),
                        setup.fieldColumns(),
                        setup.loadOrdinal(),
                        setup.regions().starts());
    }

    /** Runs one chunk; bad records go to {@code rejects} in order. */
    public void run(Chunk chunk, Consumer<Reject> rejects) {
        sums.begin();
        switch (setup.cut()) {
            case RAW -> runRaw(chunk, rejects);
            case TYPED -> {
                deserialize(chunk, rejects);
                ColumnBatch routed = partitioner.run(batch);
                clock.lap(StepName.SORT);
                sums.add(batch, partitioner.order(), partitioner.bounds());
                clock.lap(StepName.VERIFY);
                encodeAndSend(chunk.chunkId(), routed, partitioner.bounds(), false);
            }
            case SORTED, ENCODED -> {
                deserialize(chunk, rejects);
                int[] order = sort.order(batch);
                int[] bounds = slices.of(batch, order);
                clock.lap(StepName.SORT);
                sums.addByColumn(batch, order, bounds);
                clock.lap(StepName.VERIFY);
                selector.observe(batch, order, bounds);
                if (order == null) {
                    encodeAndSend(chunk.chunkId(), batch, bounds, true);
                } else {
                    orderAndSend(chunk.chunkId(), order, bounds);
                }
            }
            case MERGED -> {
                deserialize(chunk, rejects);
                duplicatesDropped +=
                        windowMerge.run(
                                batch,
                                chunk.chunkId(),
                                sums,
                                (region, rows, payload, length) ->
                                        send(chunk.chunkId(), region, rows, payload, length));
            }
        }
        chunks++;
    }

    /**
     * Sends a chunk that was taken as text, or what of it lies in the region of its first record,
     * or all of it where one server has all regions.
     *
     * @return what has to be read and run, or null if nothing has
     */
    public @Nullable ChunkLease sendAsText(Chunk chunk, ChunkSupply supply) {
        ChunkLease lease = chunk.lease();
        if (!texts.isOpen()) {
            rehearse(chunk, supply);
            return lease;
        }
        boolean found = supply.find(lease, chunk, edges);
        if (found && texts.isSpreading()) {
            spread(lease, supply);
            return null;
        }
        if (found && send(lease, supply)) {
            return null;
        }
        boolean maySplit = found && !texts.areWhole();
        long border = maySplit ? places.border(lease, edges) : ChunkPlaces.NOWHERE;
        ChunkLease rest = lease;
        if (border > lease.from() && sendPart(lease.before(border), chunk, supply)) {
            rest = lease.after(border);
            if (sendPart(rest, chunk, supply)) {
                return null;
            }
        }
        if (texts.lieInSeveral() && supply.find(rest, chunk, edges)) {
            spread(rest, supply);
            return null;
        }
        return rest;
    }

    private void spread(ChunkLease lease, ChunkSupply supply) {
        clock.lap(StepName.READ);
        texts.spread(lease, edges, supply.text(lease), setup.regions());
        clock.lap(StepName.TRANSFER);
    }

    private boolean sendPart(ChunkLease part, Chunk chunk, ChunkSupply supply) {
        return supply.find(part, chunk, edges) && send(part, supply);
    }

    /** Sends a chunk whose edges have been found, if it lies in one region. */
    private boolean send(ChunkLease lease, ChunkSupply supply) {
        int region = places.region(lease, edges);
        clock.lap(StepName.READ);
        if (region == ChunkPlaces.NOWHERE) {
            return false;
        }
        texts.send(lease, edges, supply.text(lease), setup.regions().region(region));
        clock.lap(StepName.TRANSFER);
        return true;
    }

    /** Sends a chunk that will be run here to each server. */
    private void rehearse(Chunk chunk, ChunkSupply supply) {
        ChunkLease lease = chunk.lease();
        if (texts.isToRehearse() && supply.find(lease, chunk, edges)) {
            texts.rehearse(lease, edges, supply.text(lease), setup.regions());
            clock.lap(StepName.TRANSFER);
        }
    }

    /** Takes a chunk part by part, so that text is read and converted within the cache. */
    private void deserialize(Chunk chunk, Consumer<Reject> rejects) {
        batch.clear();
        textBytes += chunk.length();
        deserialize.run(
                chunk.text(),
                chunk.from(),
                chunk.to(),
                chunk.quotes(),
                chunk.source(),
                chunk.position(),
                chunk.chunkId(),
                batch,
                rejects);
        expectRows(chunk);
        partParsed();
        while (chunk.next()) {
            clock.lap(StepName.READ);
            textBytes += chunk.length();
            deserialize.runOn(
                    chunk.text(),
                    chunk.from(),
                    chunk.to(),
                    chunk.source(),
                    chunk.position(),
                    chunk.chunkId(),
                    batch,
                    rejects);
            partParsed();
        }
        records += deserialize.recordCount();
    }

    /** Rows of the whole chunk, if its other parts are like the first one. */
    private void expectRows(Chunk chunk) {
        long left = chunk.bytesLeft();
        if (left > 0 && chunk.length() > 0) {
            double parts = 1 + (double) left / chunk.length();
            batch.expectRows((long) (batch.rowCount() * parts));
        }
    }

    private void partParsed() {
        clock.lap(StepName.DESERIALIZE);
        sums.parsed(batch);
        clock.lap(StepName.VERIFY);
    }

    private void runRaw(Chunk chunk, Consumer<Reject> rejects) {
        long[] rejected = {0};
        chunk.readAll();
        clock.lap(StepName.READ);
        textBytes += chunk.length();
        rawRouter.run(
                chunk.text(),
                chunk.from(),
                chunk.to(),
                chunk.source(),
                chunk.position(),
                chunk.chunkId(),
                (region, payload, length, count) -> {
                    records += count;
                    clock.lap(StepName.DESERIALIZE);
                    send(chunk.chunkId(), region, count, payload, length);
                },
                reject -> {
                    rejected[0]++;
                    rejects.accept(reject);
                });
        records += rejected[0];
        clock.lap(StepName.DESERIALIZE);
    }

    private void encodeAndSend(int chunkId, ColumnBatch rows, int[] bounds, boolean sorted) {
        for (int region = 0; region + 1 < bounds.length; region++) {
            int from = bounds[region];
            int to = bounds[region + 1];
            if (from == to) {
                continue;
            }
            image.clear();
            encode.run(
                    rows,
                    from,
                    to,
                    selector.choose(region),
                    sorted,
                    setup.identity(chunkId),
                    image);
            sendImage(chunkId, region, to - from);
        }
    }

    /** Encodes the batch's rows in the order of their keys. */
    private void orderAndSend(int chunkId, int[] order, int[] bounds) {
        Encode.Choice[][] choices = new Encode.Choice[bounds.length - 1][];
        for (int region = 0; region < choices.length; region++) {
            boolean hasRows = bounds[region] < bounds[region + 1];
            choices[region] = hasRows ? selector.choose(region).clone() : NO_CHOICES;
        }
        Encode.Slices slices =
                new Encode.Slices() {
                    @Override
                    public void next(int column, int from, int to) {
                        clock.lap(StepName.ENCODE);
                        sums.addColumn(batch, column, from, to);
                        clock.lap(StepName.VERIFY);
                    }

                    @Override
                    public void encoded(int region) {
                        sendImage(chunkId, region, bounds[region + 1] - bounds[region]);
                    }
                };
        encode.runOrdered(batch, order, bounds, choices, setup.identity(chunkId), image, slices);
    }

    private void sendImage(int chunkId, int region, int rows) {
        clock.lap(StepName.ENCODE);
        send(chunkId, region, rows, image.array(), image.length());
    }

    private void send(int chunkId, int region, int rows, byte[] payload, int length) {
        FragmentForm form = setup.cut();
        long regionId = setup.regions().region(region).regionId();
        FragmentHeader header = new FragmentHeader(chunkId, regionId, form, rows, sums.of(region));
        sink.send(header, payload, length);
        fragments++;
        rowsSent += rows;
        bytesSent += length;
        clock.lap(StepName.TRANSFER);
    }

    /** Sums over all chunks so far, with the CPU time of this thread's clock. */
    public ChunkTotals totals() {
        return new ChunkTotals(
                chunks,
                records,
                rowsSent,
                duplicatesDropped,
                textBytes,
                bytesSent,
                fragments,
                selector.encodedFragments(),
                sums.total(),
                ChunkTotals.nanos(clock.times()));
    }
}
