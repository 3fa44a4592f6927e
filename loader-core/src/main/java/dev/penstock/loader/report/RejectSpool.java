package dev.penstock.loader.report;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.loader.file.LocalFile;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Rejects on their way to the rejects file, in a temporary file, so that memory holds no more than
 * those of one chunk: appended as chunks finish, in any order, and read back chunk by chunk in
 * input order. After a failure it is of no more use. Not thread-safe. Closing deletes the temporary
 * file.
 */
final class RejectSpool implements AutoCloseable {
    private record Extent(long position, int length) {}

    private final LocalFile file;
    private final TreeMap<Integer, List<Extent>> extents = new TreeMap<>();
    private long end;

    RejectSpool(LocalDisk disk) {
        try {
            file = disk.createTemporary("penstock-rejects", ".spool");
        } catch (IOException e) {
            throw failed("in " + LocalDisk.temporaryFolder(), "created", e);
        }
    }

    void append(int chunkId, List<Reject> rejects) {
        ByteBuilder bytes = new ByteBuilder(256 * rejects.size());
        RejectCodec.put(rejects, bytes);
        try {
            file.write(bytes.array(), 0, bytes.length());
        } catch (IOException e) {
            throw failed(file.path().toString(), "written", e);
        }
        extents.computeIfAbsent(chunkId, id -> new ArrayList<>())
                .add(new Extent(end, bytes.length()));
        end += bytes.length();
    }

    /** The chunks that have rejects, ascending. */
    List<Integer> chunkIds() {
        return List.copyOf(extents.keySet());
    }

    /** All rejects of one chunk in input order. */
    List<Reject> read(int chunkId) {
        List<Reject> rejects = new ArrayList<>();
        for (Extent extent : extents.getOrDefault(chunkId, List.of())) {
            ByteBuffer buffer = ByteBuffer.allocate(extent.length());
            try {
                file.read(buffer, extent.position());
            } catch (IOException e) {
                throw failed(file.path().toString(), "read", e);
            }
            rejects.addAll(
                    RejectCodec.get(
                            new ByteParser(buffer.array(), "the spool of rejected records")));
        }
        rejects.sort(
                Comparator.comparingInt(Reject::sourceIndex)
                        .thenComparingLong(Reject::bytePosition));
        return rejects;
    }

    private static PenstockException failed(String where, String what, IOException e) {
        return PenstockException.io(
                "A temporary file for rejected records, "
                        + where
                        + ", could not be "
                        + what
                        + ": "
                        + LocalDisk.reason(e)
                        + ". Nothing of this load is visible.",
                e);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw failed(file.path().toString(), "closed", e);
        }
    }
}
