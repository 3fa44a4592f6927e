package dev.penstock.loader.pipeline;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kernel.KernelSelection;
import dev.penstock.loader.file.ChunkEdges;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.FileText;
import dev.penstock.loader.file.LentFile;
import dev.penstock.loader.file.WrongGuess;
import dev.penstock.step.ChunkText;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadSession.TextUse;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Chunks that servers take as they are in their file, and what servers say of them. A server whose
 * steps have run before is done with text sooner than a loader that has just started and would
 * first have to have them compiled: work goes where it is done sooner (as in Shared Loading,
 * section 4). A server that is not so far gets one chunk to rehearse with.
 *
 * <p>A chunk goes to the server of its region, or, if its rows belong to several, to the one that
 * has all regions. A server declines what has records that are no rows, or rows of a region
 * elsewhere. Such a chunk is the loader's to do, with all that it says of bad records, and no more
 * goes as text then; nor if most chunks lie in several regions of several servers. Thread-safe.
 */
public final class TextChunks {
    /**
     * Of longer inputs the steps of a loader are compiled soon enough, and text costs more to send
     * than what becomes of it.
     */
    private static final long MOST_SENT_BYTES = 16L << 30;

    /** So many chunks are looked at before it is said that most of them lie in several regions. */
    private static final int FIRST_CHUNKS = 8;

    /** Of a load that sends none. */
    public static final TextChunks NONE = new TextChunks(null, TextUse.NONE, false, false, false);

    private final @Nullable LoadSession session;

    /** Whether a text's rows may belong to several regions. */
    private final boolean canSpread;

    /** Whether chunks go whole, so that their fragments are the same whoever makes them. */
    private final boolean whole;

    private final Map<Integer, Sent> sent = new HashMap<>();
    private final List<ChunkLease> declined = new ArrayList<>();

    /** Whose chunks are being sent. */
    private @Nullable ChunkSupply running;

    private TextUse use;
    private boolean spreading;

    /** Whether the edges of chunks are all that is read here. */
    private boolean brief;

    private long splitChunks;
    private long spreadChunks;

    // Of what servers have taken.
    private long chunks;
    private long rows;
    private long textBytes;
    private long[] sums = new long[0];

    private long bytesSent;

    /** Of texts that servers have not answered. */
    private long bytesOnTheirWay;

    /** Of whole chunks that nobody has asked about: bytes that were sent. */
    private final Map<Integer, Long> wholeBytes = new HashMap<>();

    /** The same: what servers have said of them. */
    private final Map<Integer, Answer> answers = new HashMap<>();

    private record Sent(ChunkLease chunk, int textBytes) {}

    private record Answer(Taken taken, ColumnSums parsed) {}

    /** A chunk that a server has taken. */
    public record Taken(long rows, long textBytes) {}

    private TextChunks(
            @Nullable LoadSession session,
            TextUse use,
            boolean canSpread,
            boolean spreading,
            boolean whole) {
        this.session = session;
        this.use = use;
        this.canSpread = canSpread;
        this.spreading = spreading;
        this.whole = whole;
    }

    /**
     * Of a load into servers that may have a use for text.
     *
     * @param inputBytes of all inputs
     * @param inOrder whether rows come in the order of their keys, so that most chunks lie in one
     *     region each; other chunks are for a server that has all regions
     * @param always whether all of them that can take it get it
     * @param whole whether chunks are not to be cut where regions end, and are asked about by
     *     {@link #takenOf}
     */
    public static TextChunks of(
            LoadSession session, long inputBytes, boolean inOrder, boolean always, boolean whole) {
        TextUse use = session.textUse();
        if (use == TextUse.NONE) {
            return NONE;
        }
        boolean anyText = always || session.fileTextBytes() > 0;
        // Long texts that are sent are too few at a time for a server with many processors.
        boolean canSpread = session.canSpread() && anyText;
        boolean sooner = anyText || inputBytes + WarmUp.readBytes() <= MOST_SENT_BYTES;
        if (!sooner || !inOrder && !canSpread) {
            return NONE;
        }
        return new TextChunks(session, always ? TextUse.ALL : use, canSpread, !inOrder, whole);
    }

    /** Whether the next chunk is to go as text, if it can. */
    public synchronized boolean isOpen() {
        return use == TextUse.ALL;
    }

    /** Whether the next chunk is to be sent for servers to rehearse with; true once. */
    synchronized boolean isToRehearse() {
        boolean first = use == TextUse.REHEARSAL;
        if (first) {
            close();
        }
        return first;
    }

    /**
     * Leaves a chunk that follows from a guess until that has been proved: nobody may say anything
     * about its records before.
     */
    synchronized void defer(ChunkLease chunk) {
        declined.add(chunk);
        endGuesses();
    }

    private synchronized void endGuesses() {
        ChunkSupply supply = running;
        if (supply != null) {
            supply.endGuesses();
        }
    }

    /** Sends no more text. */
    private synchronized void close() {
        use = TextUse.NONE;
        endGuesses();
        if (brief) {
            brief = false;
            KernelSelection.endBrief();
        }
    }

    /** Vector kernels would take longer to be compiled than to find the edges of chunks. */
    private synchronized void open(ChunkSupply supply) {
        running = supply;
        if (isOpen()) {
            brief = true;
            KernelSelection.beginBrief();
        }
    }

    /**
     * A chunk that was looked at lies in several regions.
     *
     * @return whether it can be {@link #spread}
     */
    synchronized boolean lieInSeveral() {
        splitChunks++;
        long whole = chunks + sent.size() - (canSpread ? splitChunks - 1 : 0);
        if (splitChunks > whole && splitChunks + whole >= FIRST_CHUNKS) {
            if (canSpread) {
                spreading = true;
            } else {
                close();
            }
        }
        return canSpread;
    }

    /** Whether chunks go whole, or not at all. */
    boolean areWhole() {
        return whole;
    }

    /** Whether to {@link #spread} all chunks, whatever regions they lie in. */
    synchronized boolean isSpreading() {
        return spreading;
    }

    /** Sends a chunk whose rows may belong to any region. */
    void spread(ChunkLease chunk, ChunkEdges edges, FileText file, RegionMap regions) {
        RegionInfo region;
        synchronized (this) {
            // One after the other, as what comes for each is counted.
            region = regions.region((int) (spreadChunks++ % regions.size()));
        }
        send(
                chunk,
                edges,
                file,
                FragmentHeader.ofText(chunk.chunkId(), region.regionId()).spread());
    }

    /** Sends a chunk to its region. */
    void send(ChunkLease chunk, ChunkEdges edges, FileText file, RegionInfo region) {
        send(chunk, edges, file, FragmentHeader.ofText(chunk.chunkId(), region.regionId()));
    }

    private void send(ChunkLease chunk, ChunkEdges edges, FileText file, FragmentHeader header) {
        ChunkText text = text(chunk, edges);
        synchronized (this) {
            sent.put(chunk.chunkId(), new Sent(chunk, text.length()));
            bytesOnTheirWay += text.length();
        }
        long bytes = send(header, text, file);
        synchronized (this) {
            if (whole) {
                wholeBytes.put(chunk.chunkId(), bytes);
            }
        }
    }

    /** Sends a chunk that will be run here to each server, to rehearse with. */
    void rehearse(ChunkLease chunk, ChunkEdges edges, FileText file, RegionMap regions) {
        ChunkText text = text(chunk, edges);
        Set<String> servers = new HashSet<>();
        for (RegionInfo region : regions.regions()) {
            if (servers.add(region.server())) {
                FragmentHeader header =
                        FragmentHeader.ofText(chunk.chunkId(), region.regionId()).forRehearsal();
                send(isSpreading() ? header.spread() : header, text, file);
            }
        }
    }

    private static ChunkText text(ChunkLease chunk, ChunkEdges edges) {
        return new ChunkText(chunk.source(), edges.from(), (int) (edges.to() - edges.from()));
    }

    private long send(FragmentHeader header, ChunkText text, FileText file) {
        LentFile lent = file.lend();
        long bytes =
                Objects.requireNonNull(session)
                        .sendText(header, text, lent.file(), lent.giveBack());
        synchronized (this) {
            bytesSent += bytes;
        }
        return bytes;
    }

    /**
     * Takes note of what a server says of a fragment, which need not be text.
     *
     * @return a chunk that loader threads have not counted
     */
    public synchronized Optional<Taken> acknowledged(FragmentAck ack) {
        Sent text = sent.remove(ack.chunkId());
        if (text == null) {
            return Optional.empty();
        }
        bytesOnTheirWay -= text.textBytes();
        if (ack.declined()) {
            declined.add(text.chunk());
            if (ack.outcome() == FragmentAck.Outcome.DECLINED) {
                close();
            }
            return Optional.empty();
        }
        add(ack.parsed());
        chunks++;
        rows += ack.rowsAccepted();
        textBytes += text.textBytes();
        Taken taken = new Taken(ack.rowsAccepted(), text.textBytes());
        if (whole) {
            answers.put(ack.chunkId(), new Answer(taken, ack.parsed()));
        }
        return Optional.of(taken);
    }

    /**
     * The totals of a whole chunk that was sent and has been acknowledged; empty if it was
     * declined. To be called once, by the thread that has sent it.
     */
    synchronized Optional<ChunkTotals> takenOf(int chunkId, int columnCount) {
        Long bytes = wholeBytes.remove(chunkId);
        Answer answer = answers.remove(chunkId);
        if (bytes == null || answer == null) {
            return Optional.empty();
        }
        long[] ofChunk = Arrays.copyOf(answer.parsed().columns(), columnCount);
        Taken taken = answer.taken();
        return Optional.of(ChunkTotals.ofText(1, taken.rows(), taken.textBytes(), bytes, ofChunk));
    }

    private void add(ColumnSums parsed) {
        if (sums.length < parsed.columnCount()) {
            sums = Arrays.copyOf(sums, parsed.columnCount());
        }
        for (int column = 0; column < parsed.columnCount(); column++) {
            sums[column] += parsed.column(column);
        }
    }

    /** Bytes of the texts that servers have been sent and not answered. */
    public synchronized long bytesOnTheirWay() {
        return bytesOnTheirWay;
    }

    /** Chunks that servers have taken as text. */
    public synchronized long taken() {
        return chunks;
    }

    /**
     * Runs all chunks, and those once more that servers decline.
     *
     * @param run runs the chunks of a supply
     * @param flush waits until everything is acknowledged
     * @param opened is told of a supply that is about to be run
     * @return the totals, with what servers have counted
     * @throws WrongGuess if the supply has guessed, and it is not certain that it did so rightly
     */
    public ChunkTotals runAll(
            ChunkSupply supply,
            Function<ChunkSupply, ChunkTotals> run,
            Runnable flush,
            UnaryOperator<ChunkSupply> opened) {
        if (session == null) {
            return run.apply(supply);
        }
        ChunkTotals totals;
        open(supply);
        try {
            totals = run.apply(supply);
            flush.run();
            if (supply.isGuessed() && supply.prove(declined())) {
                totals = totals.plus(run.apply(supply));
                flush.run();
            }
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.DATA) {
                if (supply.isGuessed()) {
                    throw new WrongGuess("it failed before they were proved", e);
                }
                runEarlier(supply, run, flush, opened, e);
            }
            throw e;
        } finally {
            close();
        }
        ChunkTotals again = runDeclined(supply, run, opened).map(totals::plus).orElse(totals);
        return again.plus(ofText(totals.sums().length));
    }

    /**
     * A chunk before the one with a bad record may have been declined: then its record is first.
     */
    private void runEarlier(
            ChunkSupply supply,
            Function<ChunkSupply, ChunkTotals> run,
            Runnable flush,
            UnaryOperator<ChunkSupply> opened,
            PenstockException failure) {
        try {
            flush.run();
            runDeclined(supply, run, opened);
        } catch (PenstockException e) {
            failure.addSuppressed(e);
        }
    }

    private synchronized List<ChunkLease> declined() {
        return List.copyOf(declined);
    }

    private Optional<ChunkTotals> runDeclined(
            ChunkSupply supply,
            Function<ChunkSupply, ChunkTotals> run,
            UnaryOperator<ChunkSupply> opened) {
        List<ChunkLease> again;
        synchronized (this) {
            close();
            again = new ArrayList<>(declined);
            declined.clear();
        }
        again.sort((a, b) -> Integer.compare(a.chunkId(), b.chunkId()));
        return again.isEmpty()
                ? Optional.empty()
                : Optional.of(run.apply(opened.apply(supply.only(again))));
    }

    private synchronized ChunkTotals ofText(int columnCount) {
        return ChunkTotals.ofText(
                chunks, rows, textBytes, bytesSent, Arrays.copyOf(sums, columnCount));
    }
}
