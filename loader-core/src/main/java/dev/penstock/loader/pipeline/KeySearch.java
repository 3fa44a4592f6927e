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
 * Finds the records of a few keys in the text of chunks. Takes memory for one entry a key. Owned by
 * one thread.
 *
 * @param <T> what is kept of a key
 */
final class KeySearch<T> {
    /** Bits of the filter that most keys do not pass. */
    private static final int FILTER_BITS = 1 << 22;

    /** Takes a record. */
    @FunctionalInterface
    interface Visitor<T> {
        /** The record is {@code chunk.text()[from, to)}. */
        void found(T key, int from, int to);
    }

    /** A record with a wanted key: which row of the chunk. */
    private record Hit<T>(int ordinal, T key) {}

    private final TableSchema schema;
    private final KeyCodec codec;
    private final Deserialize deserialize;
    private final ColumnBatch batch;
    private final RowIndex index;
    private final Map<ByteBuffer, T> wanted = new HashMap<>();
    private final BitSet filter = new BitSet(FILTER_BITS);
    private final ByteBuilder key = new ByteBuilder(64);

    KeySearch(LoadSetup setup) {
        schema = setup.schema();
        codec = new KeyCodec(schema);
        // As a table without a key has them, rows say which record of the chunk they were.
        TableSchema numbered = TableSchema.declare(schema.name(), schema.columns(), List.of());
        deserialize = new Deserialize(numbered, setup.dialect(), setup.fieldColumns(), 0);
        batch = ColumnBatch.forColumns(numbered.columns(), 1024);
        index =
                new RowIndex(
                        setup.dialect(),
                        setup.fieldColumns().size(),
                        RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
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

    /** Names of the columns of the key. */
    String keyColumns() {
        return IntStream.of(codec.columns())
                .mapToObj(column -> schema.column(column).name())
                .collect(Collectors.joining(", "));
    }

    /** Visits the records with wanted keys of a chunk that has been read, in order. */
    void visit(Chunk chunk, Visitor<T> visitor) {
        List<Hit<T>> hits = hits(chunk);
        if (!hits.isEmpty()) {
            visit(chunk, hits, visitor);
        }
    }

    /** The rows with wanted keys, in order. */
    private List<Hit<T>> hits(Chunk chunk) {
        batch.clear();
        deserialize.run(
                chunk.text(),
                chunk.from(),
                chunk.to(),
                chunk.source(),
                chunk.position(),
                0,
                batch,
                _ -> {});
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

    /** Finds where the records of the hits are in the chunk's text. */
    private void visit(Chunk chunk, List<Hit<T>> hits, Visitor<T> visitor) {
        index.start(chunk.text(), chunk.from(), chunk.to());
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
