package dev.penstock.loader.pipeline;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.loader.file.Chunk;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.parse.RowIndex;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the records of a few keys in the text of chunks, a piece of it at a time. Takes memory for
 * one entry a key, and for the rows of a piece. Owned by one thread.
 *
 * @param <T> what is kept of a key
 */
final class KeySearch<T> {
    /** Bits of the filter that most keys do not pass. */
    private static final int FILTER_BITS = 1 << 22;

    /** Text whose rows are there at the same time, but for a longer record. */
    private static final long PIECE_BYTES = 256 << 10;

    /** Takes a record. */
    @FunctionalInterface
    interface Visitor<T> {
        /** The record is {@code chunk.text()[from, to)}. */
        void found(T key, int from, int to);
    }

    /** A record with a wanted key: which record of the piece. */
    private record Hit<T>(int ordinal, T key) {}

    private final TableSchema schema;
    private final KeyCodec codec;
    private final Deserialize deserialize;
    private final ColumnBatch batch;
    private final RowIndex index;
    private final RecordBoundary boundary;
    private final Map<ByteBuffer, T> wanted = new HashMap<>();
    private final BitSet filter = new BitSet(FILTER_BITS);
    private final ByteBuilder key = new ByteBuilder(64);

    KeySearch(LoadSetup setup) {
        schema = setup.schema();
        codec = new KeyCodec(schema);
        // As a table without a key has them, rows say which record of the piece they were.
        TableSchema numbered = TableSchema.declare(schema.name(), schema.columns(), List.of());
        deserialize = new Deserialize(numbered, setup.dialect(), setup.fieldColumns(), 0);
        batch = ColumnBatch.forColumns(numbered.columns(), 1024);
        index =
                new RowIndex(
                        setup.dialect(),
                        setup.fieldColumns().size(),
                        RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
        boundary = new RecordBoundary(setup.dialect(), RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
    }

    /** Adds a key to look for unless it is there; what is kept of it. */
    T add(byte[] encoded, Supplier<T> entry) {
        filter.set(hash(encoded, encoded.length));
        return wanted.computeIfAbsent(ByteBuffer.wrap(encoded), _ -> entry.get());
    }

    /** What is kept of all keys. */
    Collection<T> entries() {
        return wanted.values();
    }

    /** Rows that memory has been taken for. */
    int rowCapacity() {
        return batch.longs(schema.columnCount()).values().length;
    }

    /** Names of the columns of the key. */
    String keyColumns() {
        return IntStream.of(codec.columns())
                .mapToObj(column -> schema.column(column).name())
                .collect(Collectors.joining(", "));
    }

    /**
     * Visits the records with wanted keys of a chunk, in order. The chunk is at its first part and
     * is read on from part to part; in the part at hand a record is where the visitor is told.
     */
    void visit(Chunk chunk, Visitor<T> visitor) {
        do {
            int at = chunk.from();
            while (at < chunk.to()) {
                int end = pieceEnd(chunk.text(), at, chunk.to());
                List<Hit<T>> hits = hits(chunk.text(), at, end);
                if (!hits.isEmpty()) {
                    visit(chunk.text(), at, end, hits, visitor);
                }
                at = end;
            }
        } while (chunk.next());
    }

    /** The end of the whole records in about as many bytes as a piece has. */
    private int pieceEnd(byte[] text, int at, int to) {
        int end = at;
        for (long bytes = PIECE_BYTES; end == at; bytes *= 2) {
            int limit = (int) Math.min(to, at + bytes);
            end = boundary.last(text, at, limit, limit == to);
        }
        return end;
    }

    /** The rows with wanted keys, in order. */
    private List<Hit<T>> hits(byte[] text, int from, int to) {
        batch.clear();
        deserialize.run(text, from, to, 0, 0, 0, batch, _ -> {});
        long[] numbers = batch.longs(schema.columnCount()).values();
        List<Hit<T>> hits = new ArrayList<>();
        for (int row = 0; row < batch.rowCount(); row++) {
            key.clear();
            codec.encode(batch, row, key);
            if (filter.get(hash(key.array(), key.length()))) {
                T entry = wanted.get(ByteBuffer.wrap(key.array(), 0, key.length()));
                if (entry != null) {
                    hits.add(new Hit<>((int) numbers[row], entry));
                }
            }
        }
        return hits;
    }

    private static int hash(byte[] bytes, int length) {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return (hash ^ hash >>> 15) * 0x2c1b3c6d >>> 10;
    }

    /** Finds where the records of the hits are in the text. */
    private void visit(byte[] text, int from, int to, List<Hit<T>> hits, Visitor<T> visitor) {
        index.start(text, from, to);
        int next = 0;
        while (next < hits.size() && index.next((_, _, _, _, _, _, _) -> {})) {
            for (int row = 0; next < hits.size() && row < index.rowCount(); row++) {
                if (index.ordinal(row) == hits.get(next).ordinal()) {
                    visitor.found(hits.get(next).key(), index.rowStart(row), index.rowEnd(row));
                    next++;
                }
            }
        }
    }
}
