package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.dialect.Dialect;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.ChunkInFile;
import dev.penstock.step.ChunkText;
import dev.penstock.step.CpuClock;
import dev.penstock.step.Deserialize;
import dev.penstock.step.StepName;
import dev.penstock.target.FragmentAck.Outcome;
import dev.penstock.target.FragmentHeader;

/**
 * Makes rows of text that has come, or that is to be read from a file. Where only lines, or only
 * quotes, say where records end, a chunk's text is taken in parts that stay in the processor's
 * cache while they are read, converted and summed. Owned by one thread; keeps its memory for the
 * next text.
 */
final class TextParser {
    private static final int PART_BYTES = 256 << 10;

    /**
     * Quoted text of which a part has fewer is taken whole: each part and column costs something.
     */
    private static final int LEAST_PART_ROWS = 512;

    /**
     * Bytes that rows take at most for one of text if fields fill all columns: a field has at least
     * an end, and becomes a long.
     */
    static final int MOST_ROW_BYTES_FOR_ONE = 8;

    /** Of a long, and of where a byte string ends. */
    private static final int LONG_BYTES = 8;

    private static final int OFFSET_BYTES = 4;

    /** Of a text's bytes, room that the next one may need. */
    private static final int SPARE_SHARE = 64;

    private final int columnCount;
    private final long mostRows;
    private final int fieldCount;
    private final boolean recordsAreLines;
    private final boolean mayBeInParts;
    private final boolean summing;
    private final Deserialize deserialize;
    private final TextFileReader file = new TextFileReader();
    private final ColumnHashes hashes = new ColumnHashes();
    private final ColumnBatch batch;
    private byte[] text = new byte[0];
    private boolean inParts;

    // Of the text at hand
    private int partBytes;
    private int summedRows;
    private ColumnSums sums = ColumnSums.NONE;

    /**
     * @param memoryBytes of heap that the rows of one text may take, without the bytes of byte
     *     strings
     * @param summing whether to make sums of rows
     */
    TextParser(LoadDescriptor load, long memoryBytes, boolean summing) {
        TableSchema schema = load.table().schema();
        this.columnCount = schema.columnCount();
        this.mostRows = memoryBytes / rowBytes(schema);
        this.fieldCount = Math.max(1, load.request().fieldColumns().size());
        Dialect dialect = load.request().dialect();
        this.recordsAreLines = dialect.recordsAreLines();
        this.mayBeInParts = recordsAreLines || dialect.quotesAloneHideLines();
        this.inParts = mayBeInParts;
        this.summing = summing;
        this.deserialize =
                new Deserialize(schema, dialect, load.request().fieldColumns(), load.ordinal());
        deserialize.shareColumns();
        this.batch = ColumnBatch.forColumns(schema.columns(), 0);
    }

    /** What was learned of texts does not hold for those that come next. */
    void begin() {
        inParts = mayBeInParts;
        deserialize.forgetShares();
    }

    private static int rowBytes(TableSchema schema) {
        int bytes = 0;
        for (int column = 0; column < schema.columnCount(); column++) {
            boolean isLong = schema.column(column).type().kind() == PhysicalKind.LONG;
            bytes += isLong ? LONG_BYTES : OFFSET_BYTES;
        }
        return bytes;
    }

    /** Rows that there is memory for at a time. */
    long mostRows() {
        return mostRows;
    }

    /** The rows, in the order of the text, until the next one. */
    ColumnBatch batch() {
        return batch;
    }

    /**
     * Replaces the batch by the rows of a raw payload.
     *
     * @param rejects takes the records that are no rows
     * @return sums of the rows as they were parsed; none if they are not wanted
     */
    ColumnSums parse(
            FragmentHeader header,
            byte[] payload,
            int length,
            AnsweredRejects rejects,
            CpuClock clock) {
        batch.clear();
        summedRows = 0;
        partBytes = PART_BYTES;
        sums = summing ? new ColumnSums(columnCount) : ColumnSums.NONE;
        clock.lap(StepName.TRANSFER);
        if (header.isInFile()) {
            parseFile(ChunkInFile.of(payload, length), header.chunkId(), rejects, clock);
        } else if (header.isText()) {
            parseText(payload, ChunkText.of(payload, length), header.chunkId(), rejects, clock);
        } else {
            deserialize.runRaw(payload, length, header.chunkId(), batch, rejects::add);
            parsed(clock);
        }
        return sums;
    }

    /** A record has at least the ends of its fields, unless it is bad. */
    private void checkRoom(ChunkText chunk) {
        if (chunk.length() / fieldCount > mostRows) {
            throw new AnsweredRejects.Declined(
                    "there is no memory for so many rows", Outcome.DECLINED);
        }
    }

    private void parseText(
            byte[] payload, ChunkText chunk, int chunkId, AnsweredRejects rejects, CpuClock clock) {
        checkRoom(chunk);
        deserialize.begin();
        int from = 0;
        while (from < chunk.length()) {
            int left = chunk.length() - from;
            int to = from + (inParts ? Math.min(partBytes, left) : left);
            long position = chunk.position() + from;
            int end = parsePart(payload, from, to, chunk, position, chunkId, rejects);
            parsed(clock);
            partDone(end - from, end, chunk);
            from = end;
        }
    }

    private void parseFile(
            ChunkInFile place, int chunkId, AnsweredRejects rejects, CpuClock clock) {
        ChunkText chunk = place.text();
        checkRoom(chunk);
        deserialize.begin();
        try (TextFileReader reading = file) {
            reading.open(place);
            int filled = 0;
            int done = 0;
            while (done < chunk.length()) {
                int left = chunk.length() - done;
                int wanted = inParts ? Math.min(partBytes, left) : left;
                ensureText(filled, wanted);
                reading.read(place, chunk.position() + done, text, filled, wanted);
                done += wanted;
                filled += wanted;
                clock.lap(StepName.READ);
                long position = chunk.position() + done - filled;
                int end = parsePart(text, 0, filled, chunk, position, chunkId, rejects);
                parsed(clock);
                partDone(end, done, chunk);
                filled -= end;
                System.arraycopy(text, end, text, 0, filled);
            }
            reading.checkStill(place);
        }
    }

    /**
     * Makes room behind what is there, with some to spare: chunks that are cut at records differ a
     * little in length, and to collect an array as long as one costs more than to fill it.
     */
    private void ensureText(int filled, int more) {
        int bytes = filled + more + Deserialize.PADDING;
        if (text.length < bytes) {
            byte[] before = text;
            text = new byte[bytes + bytes / SPARE_SHARE];
            System.arraycopy(before, 0, text, 0, filled);
        }
    }

    /**
     * Parses {@code source[from, to)}.
     *
     * @param position of the first byte in its file
     * @return the end of the last record in it
     */
    private int parsePart(
            byte[] source,
            int from,
            int to,
            ChunkText chunk,
            long position,
            int chunkId,
            AnsweredRejects rejects) {
        int sourceIndex = chunk.sourceIndex();
        if (position + to - from < chunk.position() + chunk.length()) {
            return deserialize.runSome(
                    source, from, to, sourceIndex, position, chunkId, batch, rejects::add);
        }
        deserialize.runOn(source, from, to, sourceIndex, position, chunkId, batch, rejects::add);
        return to;
    }

    private void parsed(CpuClock clock) {
        clock.lap(StepName.DESERIALIZE);
        if (summing) {
            sums.add(batch, summedRows, batch.rowCount(), hashes);
            summedRows = batch.rowCount();
            clock.lap(StepName.VERIFY);
        }
    }

    /**
     * Expects that the other parts of the chunk are like what has been parsed of it. Text in which
     * no record ends will be looked through again: then with twice as much.
     */
    private void partDone(int parsedBytes, int doneBytes, ChunkText chunk) {
        if (parsedBytes == 0) {
            partBytes *= 2;
            return;
        }
        partBytes = PART_BYTES;
        if (doneBytes < chunk.length() && batch.rowCount() > 0) {
            batch.expectRows((long) batch.rowCount() * chunk.length() / doneBytes);
        }
        long rows = (long) batch.rowCount() * PART_BYTES / doneBytes;
        inParts &= recordsAreLines || rows >= LEAST_PART_ROWS;
    }
}
