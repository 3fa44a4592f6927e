package dev.penstock.kv.net;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.wire.BatchCodec;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.Reply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The scans that one connection has open on a server; they end with the connection. A scan is
 * worked on by one request at a time.
 */
final class OpenScans {
    /** Most open scans of one connection. */
    static final int MAX_OPEN = 256;

    /** A reply takes more batches until it holds about so many bytes. */
    private static final long REPLY_BYTES = 1 << 20;

    /** A batch that takes more than so many bytes travels in parts. */
    private static final long MAX_REPLY_BYTES = Frame.MAX_BYTES / 2;

    private final Map<Long, OpenScan> scans = new HashMap<>();
    private long lastCursorId;
    private boolean closed;

    /** A cursor and what it has read but not sent: rows {@code [sent, batch.rowCount())}. */
    private static final class OpenScan {
        final ScanCursor cursor;
        final String table;
        ColumnBatch batch;
        int sent;

        OpenScan(ScanCursor cursor, String table, ColumnBatch batch) {
            this.cursor = cursor;
            this.table = table;
            this.batch = batch;
        }

        /** Rows to be sent now: the batch itself, if it is sent as a whole, else a copy of them. */
        ColumnBatch take(int from, int to) {
            ColumnBatch whole = batch;
            if (from == 0 && to == whole.rowCount()) {
                batch = BatchCodec.emptyLike(whole);
                sent = 0;
                return whole;
            }
            sent = to;
            return BatchCodec.slice(whole, from, to);
        }
    }

    /**
     * @param table whose rows the cursor reads, which {@link #next} asks about
     */
    Reply open(ScanCursor cursor, String table, byte[] kinds) {
        List<ColumnData> columns = new ArrayList<>(kinds.length);
        for (byte kind : kinds) {
            columns.add(kind == 0 ? new LongColumn(1024) : new BytesColumn(1024, 1024));
        }
        OpenScan scan = new OpenScan(cursor, table, new ColumnBatch(columns));
        long cursorId;
        synchronized (this) {
            if (closed || scans.size() >= MAX_OPEN) {
                cursor.close();
                throw new PenstockException(
                        ErrorCategory.RETRY,
                        "a connection may have " + MAX_OPEN + " scans open, no more");
            }
            cursorId = ++lastCursorId;
        }
        return read(cursorId, scan);
    }

    /**
     * @param check throws if rows of that table may not be read any more; the scan ends then
     */
    Reply next(long cursorId, Consumer<String> check) {
        OpenScan scan;
        synchronized (this) {
            scan = scans.remove(cursorId);
        }
        if (scan == null) {
            throw PenstockException.conflict("scan " + cursorId + " is not open");
        }
        try {
            check.accept(scan.table);
        } catch (PenstockException e) {
            scan.cursor.close();
            throw e;
        }
        return read(cursorId, scan);
    }

    /** Reads rows into a reply; the scan is kept for the next request or closed. */
    private Reply read(long cursorId, OpenScan scan) {
        boolean more = false;
        try {
            List<ColumnBatch> batches = new ArrayList<>();
            long bytes = 0;
            while (bytes < REPLY_BYTES) {
                if (scan.sent == scan.batch.rowCount()) {
                    if (!scan.cursor.next(scan.batch)) {
                        return new Reply.Rows(cursorId, false, batches);
                    }
                    scan.sent = 0;
                }
                int from = scan.sent;
                int to = fitting(scan.batch, from, MAX_REPLY_BYTES - bytes);
                bytes += BatchCodec.bytes(scan.batch, from, to);
                batches.add(scan.take(from, to));
            }
            more = keep(cursorId, scan);
            return new Reply.Rows(cursorId, more, batches);
        } finally {
            if (!more) {
                scan.cursor.close();
            }
        }
    }

    /** Where rows end that take so many bytes or just more, one at least. */
    private static int fitting(ColumnBatch batch, int from, long maxBytes) {
        int to = batch.rowCount();
        if (BatchCodec.bytes(batch, from, to) <= maxBytes) {
            return to;
        }
        long bytes = 0;
        for (to = from; bytes < maxBytes || to == from; to++) {
            bytes += BatchCodec.rowBytes(batch, to);
        }
        return to;
    }

    private synchronized boolean keep(long cursorId, OpenScan scan) {
        if (closed) {
            return false;
        }
        scans.put(cursorId, scan);
        return true;
    }

    void close(long cursorId) {
        OpenScan scan;
        synchronized (this) {
            scan = scans.remove(cursorId);
        }
        if (scan != null) {
            scan.cursor.close();
        }
    }

    void closeAll() {
        List<OpenScan> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(scans.values());
            scans.clear();
        }
        open.forEach(scan -> scan.cursor.close());
    }
}
