package dev.penstock.kv.net;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.kv.api.ScanCursor;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.wire.BatchCodec;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.Request;

import org.jspecify.annotations.Nullable;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A scan on a region server. While one reply's batches are handed out, the next reply is on its
 * way: two replies at most are in memory.
 */
final class RemoteScanCursor implements ScanCursor {
    private final ConnectionPool pool;
    private final Destination server;
    private final ScanRequest scan;

    private @Nullable ClientConnection connection;
    private @Nullable CompletableFuture<Call.RawReply> opening;
    private @Nullable CompletableFuture<Call.RawReply> prefetch;
    private Iterator<ColumnBatch> batches = List.<ColumnBatch>of().iterator();
    private long cursorId;
    private boolean ended;

    RemoteScanCursor(ConnectionPool pool, Destination server, ScanRequest scan) {
        this.pool = pool;
        this.server = server;
        this.scan = scan;
    }

    @Override
    public boolean next(ColumnBatch out) {
        while (!batches.hasNext()) {
            if (ended) {
                out.clear();
                return false;
            }
            ClientConnection open = connection;
            take(open == null ? open(out) : more(open));
        }
        BatchCodec.move(batches.next(), out);
        return true;
    }

    private Reply open(ColumnBatch out) {
        byte[] kinds = new byte[out.columnCount()];
        for (int i = 0; i < kinds.length; i++) {
            kinds[i] = (byte) (out.column(i) instanceof BytesColumn ? 1 : 0);
        }
        ClientConnection opened = pool.connection(server);
        connection = opened;
        Request request = new Request.OpenScan(scan, kinds);
        CompletableFuture<Call.RawReply> reply =
                opened.send(request, System.nanoTime() + Deadlines.LONG.toNanos());
        opening = reply;
        Reply rows = pool.await(opened, request, reply, Deadlines.LONG);
        // Not before, as with more rows.
        opening = null;
        return rows;
    }

    private Reply more(ClientConnection open) {
        Request request = new Request.NextRows(cursorId);
        CompletableFuture<Call.RawReply> reply = prefetch;
        if (reply == null) {
            return pool.call(open, request, Deadlines.LONG);
        }
        Reply rows = pool.await(open, request, reply, Deadlines.LONG);
        // Not before: who is interrupted while it waits closes the scan once the server has
        // answered.
        prefetch = null;
        return rows;
    }

    private void take(Reply reply) {
        Reply.Rows rows = RemoteRegionService.expect(server.address(), reply, Reply.Rows.class);
        cursorId = rows.cursorId();
        batches = rows.batches().iterator();
        ended = !rows.more();
        ClientConnection open = connection;
        if (!ended && open != null) {
            prefetch =
                    open.send(
                            new Request.NextRows(cursorId),
                            System.nanoTime() + Deadlines.LONG.toNanos());
        }
    }

    @Override
    public void close() {
        ClientConnection open = connection;
        if (open == null || ended) {
            return;
        }
        ended = true;
        batches = List.<ColumnBatch>of().iterator();
        CompletableFuture<Call.RawReply> first = opening;
        opening = null;
        if (first != null) {
            first.thenAccept(rows -> closeOpened(open, rows));
            return;
        }
        CompletableFuture<Call.RawReply> reply = prefetch;
        prefetch = null;
        long deadline = System.nanoTime() + Deadlines.LONG.toNanos();
        if (reply == null) {
            open.send(new Request.CloseScan(cursorId), deadline);
        } else {
            // The server works on this scan; it is told once it has answered.
            reply.whenComplete(
                    (rows, failure) -> open.send(new Request.CloseScan(cursorId), deadline));
        }
    }

    /** Whoever wanted the scan is gone; by which id the server keeps it is said in its answer. */
    private void closeOpened(ClientConnection open, Call.RawReply answer) {
        if (answer.decode(server.address()) instanceof Reply.Rows rows && rows.more()) {
            open.send(
                    new Request.CloseScan(rows.cursorId()),
                    System.nanoTime() + Deadlines.LONG.toNanos());
        }
    }
}
