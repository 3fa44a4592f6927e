package dev.penstock.loader.report;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Rejects on their way to the rejects file, in a temporary file, so that memory holds no more than
 * those of one chunk: appended as chunks finish, in any order, and read back chunk by chunk in
 * input order. Not thread-safe. Closing deletes the temporary file.
 */
final class RejectSpool implements AutoCloseable {
    private record Extent(long position, int length) {}

    private final Path path;
    private final FileChannel channel;
    private final TreeMap<Integer, List<Extent>> extents = new TreeMap<>();
    private long end;

    RejectSpool() {
        try {
            path = Files.createTempFile("penstock-rejects", ".spool");
            channel =
                    FileChannel.open(
                            path,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            throw PenstockException.io(
                    "A temporary file for rejected records could not be created: " + e, e);
        }
    }

    void append(int chunkId, List<Reject> rejects) {
        ByteBuilder bytes = new ByteBuilder(256 * rejects.size());
        RejectCodec.put(rejects, bytes);
        ByteBuffer buffer = ByteBuffer.wrap(bytes.array(), 0, bytes.length());
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer, end + buffer.position());
            }
        } catch (IOException e) {
            throw failed(e);
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
            fill(buffer, extent.position());
            rejects.addAll(
                    RejectCodec.get(
                            new ByteParser(buffer.array(), "the spool of rejected records")));
        }
        rejects.sort(
                Comparator.comparingInt(Reject::sourceIndex)
                        .thenComparingLong(Reject::bytePosition));
        return rejects;
    }

    private void fill(ByteBuffer buffer, long position) {
        try {
            int read = 0;
            while (read >= 0 && buffer.hasRemaining()) {
                read = channel.read(buffer, position + buffer.position());
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static PenstockException failed(IOException e) {
        return PenstockException.io("The spool of rejected records failed: " + e, e);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
