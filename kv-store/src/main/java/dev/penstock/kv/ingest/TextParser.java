package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnHashes;
import dev.penstock.batch.ColumnSums;
import dev.penstock.dialect.Dialect;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.parse.LineEnds;
import dev.penstock.parse.RecordBoundary;
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
 * Makes rows of text that has come, or that is to be read from a file. Where it is easily seen
 * where records end, a chunk's text is taken in parts that stay in the processor's cache while they
 * are read, converted and summed. Owned by one thread; keeps its memory for the next text.
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
    private final RecordBoundary boundary;
    private final boolean summing;
    private final Deserialize deserialize;
    private final TextFileReader file = new TextFileReader();
    private final ColumnHashes hashes = new ColumnHashes();
    private final ColumnBatch batch;
    private byte[] text = new byte[0];
    private boolean inParts;

    // Of the text at hand
    private int summedRows;
    private boolean begun;
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
        this.boundary = new RecordBoundary(dialect, RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
        this.inParts = recordsAreLines || dialect.quotesAloneHideLines();
        this.summing = summing;
        this.deserialize =
                new Deserialize(schema, dialect, load.request().fieldColumns(), load.ordinal());
        deserialize.shareColumns();
        this.batch = ColumnBatch.forColumns(schema.columns(), 0);
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
        begun = false;
        sums = summing ? new ColumnSums(columnCount) : ColumnSums.NONE;
        clock.lap(StepName.TRANSFER);
        if (header.isInFile()) {
            parseFile(ChunkInFile.of(payload, length), header.chunkId(), rejects, clock);
        } else if (header.isText()) {
            parseText(payload, ChunkText.of(payload, length), header.chunkId(), rejects, clock);
        } else {
            deserialize.runRaw(payload, length, batch, rejects::add);
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
        int from = 0;
        while (from < chunk.length()) {
            int to = chunk.length();
            if (inParts && to - from > PART_BYTES) {
                int end = recordsEnd(payload, from, from, from + PART_BYTES);
                to = end > from ? end : to;
            }
            parsePart(payload, from, to, chunk, chunk.position() + from, chunkId, rejects);
            parsed(clock);
            partDone(to, chunk);
            from = to;
        }
    }

    private void parseFile(
            ChunkInFile place, int chunkId, AnsweredRejects rejects, CpuClock clock) {
        ChunkText chunk = place.text();
        checkRoom(chunk);
        try (TextFileReader reading = file) {
            reading.open(place);
            int filled = 0;
            int done = 0;
            while (done < chunk.length()) {
                int left = chunk.length() - done;
                int wanted = inParts ? Math.min(PART_BYTES, left) : left;
                ensureText(filled, wanted);
                reading.read(place, chunk.position() + done, text, filled, wanted);
                done += wanted;
                int seen = filled;
                filled += wanted;
                clock.lap(StepName.READ);
                int to = wanted == left ? filled : recordsEnd(text, 0, seen, filled);
                if (to > 0) {
                    long position = chunk.position() + done - filled;
                    parsePart(text, 0, to, chunk, position, chunkId, rejects);
                    parsed(clock);
                    partDone(done, chunk);
                    filled -= to;
                    System.arraycopy(text, to, text, 0, filled);
                } else {
                    // It would be looked through from its beginning with each part.
                    inParts = recordsAreLines;
                }
            }
            reading.checkStill(place);
        }
    }

    /**
     * The end of the last record that ends in {@code source[seen, to)}, or a position before if
     * none does; one begins at {@code from}.
     */
    private int recordsEnd(byte[] source, int from, int seen, int to) {
        return recordsAreLines
                ? LineEnds.last(source, seen, to)
                : boundary.last(source, from, to, false);
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

    private void parsePart(
            byte[] source,
            int from,
            int to,
            ChunkText chunk,
            long position,
            int chunkId,
            AnsweredRejects rejects) {
        if (begun) {
            deserialize.runOn(
                    source, from, to, chunk.sourceIndex(), position, chunkId, batch, rejects::add);
        } else {
            begun = true;
            deserialize.run(
                    source, from, to, chunk.sourceIndex(), position, chunkId, batch, rejects::add);
        }
    }

    private void parsed(CpuClock clock) {
        clock.lap(StepName.DESERIALIZE);
        if (summing) {
            sums.add(batch, summedRows, batch.rowCount(), hashes);
            summedRows = batch.rowCount();
            clock.lap(StepName.VERIFY);
        }
    }

    /** Expects that the other parts of the chunk are like what has been parsed of it. */
    private void partDone(int doneBytes, ChunkText chunk) {
        if (doneBytes < chunk.length() && batch.rowCount() > 0) {
            batch.expectRows((long) batch.rowCount() * chunk.length() / doneBytes);
        }
        long rows = (long) batch.rowCount() * PART_BYTES / doneBytes;
        inParts &= recordsAreLines || rows >= LEAST_PART_ROWS;
    }
}
