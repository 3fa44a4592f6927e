package dev.penstock.loader.pipeline;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkReader;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.report.LineFinder;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.parse.RowIndex;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;
import dev.penstock.target.DuplicatePolicy;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the records of keys that regions have refused ({@link DuplicateKey}): a region knows keys
 * and not where rows came from, so the inputs are read once more, in order, on the calling thread.
 * Takes as long as reading them with one thread, and memory for one entry a key; a load without
 * such keys does not come here.
 */
public final class DuplicateFinder {
    /** Bits of the filter that most keys do not pass. */
    private static final int FILTER_BITS = 1 << 22;

    private final LoadSetup setup;
    private final Inputs inputs;
    private final LineFinder lines;
    private final RejectCollector rejects;
    private final KeyCodec codec;
    private final Deserialize deserialize;
    private final ColumnBatch batch;
    private final RowIndex index;
    private final Map<ByteBuffer, Wanted> wanted = new HashMap<>();
    private final BitSet filter = new BitSet(FILTER_BITS);
    private final ByteBuilder key = new ByteBuilder(64);
    private final String keyColumns;
    private long count;

    /** A key, and what has been seen of it. */
    private static final class Wanted {
        private final String text;
        private boolean stored;
        private boolean within;
        private boolean seen;
        private int source;
        private long line;
        private long position;
        private @Nullable Reject last;
        private int lastChunk;

        Wanted(String text) {
            this.text = text;
        }
    }

    /** A record with a wanted key: which row of the chunk. */
    private record Hit(int ordinal, Wanted key) {}

    /**
     * @param lines for this alone, since it is asked in input order
     * @param rejects takes the records
     */
    public DuplicateFinder(
            LoadSetup setup, Inputs inputs, LineFinder lines, RejectCollector rejects) {
        this.setup = setup;
        this.inputs = inputs;
        this.lines = lines;
        this.rejects = rejects;
        TableSchema schema = setup.schema();
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
        keyColumns =
                IntStream.of(codec.columns())
                        .mapToObj(column -> schema.column(column).name())
                        .collect(Collectors.joining(", "));
    }

    /** Adds a key to look for. */
    public void add(DuplicateKey named) {
        byte[] bytes = named.key();
        filter.set(hash(bytes, bytes.length));
        Wanted entry =
                wanted.computeIfAbsent(ByteBuffer.wrap(bytes), _ -> new Wanted(named.text()));
        entry.stored |= named.stored();
        entry.within |= !named.stored();
    }

    /** Looks through all chunks; returns how many records were rejected. */
    public long find(ChunkSupply chunks) {
        Chunk chunk = new Chunk();
        ChunkReader reader = new ChunkReader();
        while (chunks.next(chunk, reader)) {
            chunk.readAll();
            rejects.begin(chunk.chunkId());
            List<Hit> hits = hits(chunk);
            if (!hits.isEmpty()) {
                visit(chunk, hits);
            }
            rejects.flush();
        }
        for (Wanted entry : wanted.values()) {
            Reject last = entry.last;
            if (last != null) {
                rejects.begin(entry.lastChunk);
                reject(last);
                rejects.flush();
            }
        }
        return count;
    }

    /** The rows with wanted keys, in order. */
    private List<Hit> hits(Chunk chunk) {
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
        long[] numbers = batch.longs(setup.schema().columnCount()).values();
        List<Hit> hits = new ArrayList<>();
        for (int row = 0; row < batch.rowCount(); row++) {
            key.clear();
            codec.encode(batch, row, key);
            if (filter.get(hash(key.array(), key.length()))) {
                Wanted entry = wanted.get(ByteBuffer.wrap(key.array(), 0, key.length()));
                if (entry != null) {
                    hits.add(new Hit((int) numbers[row], entry));
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
    private void visit(Chunk chunk, List<Hit> hits) {
        index.start(chunk.text(), chunk.from(), chunk.to());
        int next = 0;
        while (next < hits.size() && index.next((_, _, _, _, _, _, _) -> {})) {
            for (int row = 0; next < hits.size() && row < index.rowCount(); row++) {
                if (index.ordinal(row) == hits.get(next).ordinal()) {
                    visit(chunk, hits.get(next).key(), index.rowStart(row), index.rowEnd(row));
                    next++;
                }
            }
        }
    }

    private void visit(Chunk chunk, Wanted entry, int from, int to) {
        boolean first = !entry.seen;
        long position = chunk.position() + from - chunk.from();
        if (first) {
            entry.seen = true;
            entry.source = chunk.source();
            entry.position = position;
            entry.line = entry.within ? lines.lineAt(chunk.source(), position) : 0;
        }
        DuplicatePolicy policy = setup.duplicates();
        boolean rejected =
                switch (policy.within()) {
                    case REJECT -> !first || entry.stored;
                    case KEEP_LAST -> true;
                    case KEEP_FIRST, ERROR -> first;
                };
        if (!rejected) {
            return;
        }
        Reject reject = reject(chunk, entry, position, from, to);
        if (policy.within() == DuplicatePolicy.Within.KEEP_LAST) {
            entry.last = reject;
            entry.lastChunk = chunk.chunkId();
        } else {
            reject(reject);
        }
    }

    private void reject(Reject reject) {
        count++;
        rejects.accept(reject);
    }

    private Reject reject(Chunk chunk, Wanted entry, long position, int from, int to) {
        String expected =
                entry.stored
                        ? "a key that table " + setup.schema().name() + " does not have yet"
                        : "a key that no other record has; "
                                + inputs.file(entry.source).name()
                                + ", line "
                                + entry.line
                                + " (byte "
                                + entry.position
                                + ") has it too";
        return new Reject(
                RejectReason.DUPLICATE_KEY,
                chunk.source(),
                position,
                Reject.LINE_UNKNOWN,
                keyColumns,
                entry.text,
                expected,
                Arrays.copyOfRange(
                        chunk.text(), from, Math.min(to, from + Reject.MAX_RECORD_BYTES)));
    }
}
