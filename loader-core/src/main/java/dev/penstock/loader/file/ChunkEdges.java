package dev.penstock.loader.file;

import dev.penstock.bytes.PositionalReader;
import dev.penstock.parse.LineProbe;
import dev.penstock.parse.QuotePlaces;
import dev.penstock.parse.RecordProbe;

import org.jspecify.annotations.Nullable;

/**
 * Where the text of a leased chunk begins and ends, and its first and last record. Of a chunk that
 * is cut by arithmetic, whose records are lines, nothing between is read ({@link ChunkReader} would
 * align it the same), nor of one that is cut by guesses. One that was read to be cut is looked at
 * where it is. Owned by one thread.
 */
public final class ChunkEdges {
    /** Records at an edge of a file's chunk that are longer are not looked for. */
    private static final int WINDOW_BYTES = 16 << 10;

    private final PositionalReader reader = new PositionalReader(WINDOW_BYTES);
    private final byte[] headWindow = new byte[WINDOW_BYTES];
    private final byte[] tailWindow = new byte[WINDOW_BYTES];

    private final LineProbe lines = new LineProbe();

    /** The chunk's file, if it has not been read. */
    private @Nullable FileText file;

    /** Of such a chunk. */
    private RecordProbe probe = lines;

    /** Of a chunk that has been read. */
    private QuotePlaces quotes = new QuotePlaces();

    private byte[] head = headWindow;
    private byte[] tail = tailWindow;
    private long from;
    private long to;
    private int firstFrom;
    private int firstTo;
    private int lastFrom;
    private int lastTo;

    /**
     * Says of a record whether it comes before a border: {@code text[from, to)} with its line end.
     */
    @FunctionalInterface
    public interface Side {
        boolean isBefore(byte[] text, int from, int to);
    }

    /** Takes a record: {@code text[from, to)} with its line end, if it has one. */
    @FunctionalInterface
    public interface RecordReader {
        int read(byte[] text, int from, int to);
    }

    /**
     * Finds the edges of a chunk that has been read, or of a part of it. Where its quotes are too
     * many to be known, there are no borders within.
     *
     * @param records finds its first and last record then
     * @return false if nobody knows where records end
     */
    boolean findIn(Chunk chunk, ChunkLease lease, RecordProbe records) {
        file = null;
        quotes = chunk.quotes();
        head = chunk.text();
        tail = head;
        from = lease.from();
        to = lease.to();
        firstFrom = chunk.from() + (int) (from - chunk.position());
        lastTo = firstFrom + (int) (to - from);
        // Of a line that is longer than any record may be only the beginning is there.
        if (firstFrom >= lastTo || lastTo > chunk.to()) {
            return false;
        }
        if (!quotes.areKnown()) {
            firstTo = records.end(head, firstFrom, lastTo);
            lastFrom = Math.max(firstFrom, records.lastStart(tail, firstFrom, lastTo));
            return firstTo > firstFrom;
        }
        firstTo = recordEnd(firstFrom, lastTo);
        lastFrom = lastTo - 1;
        while (lastFrom > firstFrom && !endsRecord(lastFrom - 1)) {
            lastFrom--;
        }
        return true;
    }

    private int recordEnd(int start, int end) {
        int at = start;
        while (at < end && !endsRecord(at)) {
            at++;
        }
        return Math.min(at + 1, end);
    }

    private boolean endsRecord(int at) {
        return tail[at] == '\n' && !quotes.enclose(at);
    }

    /**
     * Finds the edges of a chunk that has not been read.
     *
     * @return false if there are none, or a record at one of them is too long
     */
    boolean find(ChunkLease lease, FileText text, long dataStart, long size) {
        begin(text, lines);
        return findFirst(lease, text, dataStart) && findEnd(lease, text, size) && findLast(text);
    }

    /**
     * Finds the edges of a chunk that has not been read, and begins and ends where its lease says.
     *
     * @return false if a record at one of them is too long
     */
    boolean findExact(ChunkLease lease, FileText text, RecordProbe records) {
        begin(text, records);
        from = lease.from();
        to = lease.to();
        int length = (int) Math.min(WINDOW_BYTES, to - from);
        firstFrom = 0;
        firstTo = probe.end(head, 0, text.read(reader, from, head, 0, length));
        if (firstTo < 0 && length == to - from) {
            firstTo = length;
        }
        return firstTo > 0 && findLast(text);
    }

    private void begin(FileText text, RecordProbe records) {
        file = text;
        probe = records;
        head = headWindow;
        tail = tailWindow;
    }

    private boolean findFirst(ChunkLease lease, FileText text, long dataStart) {
        boolean aligned = lease.from() == dataStart;
        long start = aligned ? lease.from() : lease.from() - 1;
        int read = text.read(reader, start, head, 0, WINDOW_BYTES);
        firstFrom = aligned ? 0 : probe.startAfter(head, 0, read);
        if (firstFrom < 0) {
            return false;
        }
        from = start + firstFrom;
        firstTo = probe.end(head, firstFrom, read);
        if (firstTo < 0 && read < WINDOW_BYTES) {
            firstTo = read;
        }
        return firstTo > firstFrom && from < lease.to();
    }

    private boolean findEnd(ChunkLease lease, FileText text, long size) {
        if (lease.to() >= size) {
            to = size;
            return true;
        }
        int read = text.read(reader, lease.to() - 1, tail, 0, WINDOW_BYTES);
        int end = probe.startAfter(tail, 0, read);
        if (end < 0 && read == WINDOW_BYTES) {
            return false;
        }
        to = lease.to() - 1 + (end < 0 ? read : end);
        return true;
    }

    private boolean findLast(FileText text) {
        int length = (int) Math.min(WINDOW_BYTES, to - from);
        lastTo = text.read(reader, to - length, tail, 0, length);
        lastFrom = Math.max(0, probe.lastStart(tail, 0, lastTo));
        return lastFrom > 0 || to - length == from;
    }

    /**
     * The position of the first record that is not before a border, if the others are: by halves,
     * so that not all is read.
     *
     * @param side is true of the first record and false of the last one
     * @return -1 if a record on the way is too long, or nobody knows where records end
     */
    public long border(Side side) {
        FileText text = file;
        if (text != null) {
            return borderInFile(text, side);
        }
        return quotes.areKnown() ? borderInText(side) : -1;
    }

    private long borderInText(Side side) {
        int low = firstTo;
        int high = lastFrom;
        while (low < high) {
            int start = recordEnd(low + (high - low) / 2, high);
            if (start == high) {
                break;
            }
            int end = recordEnd(start, high);
            if (side.isBefore(tail, start, end)) {
                low = end;
            } else {
                high = start;
            }
        }
        while (low < high) {
            int end = recordEnd(low, high);
            if (!side.isBefore(tail, low, end)) {
                break;
            }
            low = end;
        }
        return from + low - firstFrom;
    }

    private long borderInFile(FileText text, Side side) {
        long low = from;
        long high = to;
        while (high - low > WINDOW_BYTES) {
            long middle = low + (high - low) / 2;
            int read = text.read(reader, middle, tail, 0, WINDOW_BYTES);
            int start = probe.startAfter(tail, 0, read);
            int end = start < 0 ? -1 : probe.end(tail, start, read);
            // Where records end may be guessed, and guesses may contradict each other.
            if (end < 0 || middle + end > high) {
                return -1;
            }
            if (side.isBefore(tail, start, end)) {
                low = middle + end;
            } else {
                high = middle + start;
            }
        }
        return borderWithin(text, low, (int) (high - low), side);
    }

    private long borderWithin(FileText text, long low, int length, Side side) {
        int read = text.read(reader, low, tail, 0, length);
        int at = 0;
        while (at < read) {
            int end = probe.end(tail, at, read);
            if (end < 0 || !side.isBefore(tail, at, end)) {
                break;
            }
            at = end;
        }
        return low + at;
    }

    /** Position of the chunk's first byte in the input. */
    public long from() {
        return from;
    }

    /** Position after its last byte. */
    public long to() {
        return to;
    }

    /** Has the first record read. */
    public int first(RecordReader record) {
        return record.read(head, firstFrom, firstTo);
    }

    /** Has the last record read. */
    public int last(RecordReader record) {
        return record.read(tail, lastFrom, lastTo);
    }
}
