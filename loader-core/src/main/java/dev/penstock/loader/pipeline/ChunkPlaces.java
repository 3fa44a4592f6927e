package dev.penstock.loader.pipeline;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyCodec;
import dev.penstock.loader.file.ChunkEdges;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;
import dev.penstock.target.RegionMap;

import java.util.Arrays;

/**
 * Tells from the first and the last record of a chunk in which region it lies, if its rows come in
 * the order of their keys. Owned by one thread.
 */
final class ChunkPlaces {
    /** A chunk whose first or last record is no row, or which does not lie in one region. */
    static final int NOWHERE = -1;

    private final TableSchema schema;
    private final long loadOrdinal;
    private final RegionMap regions;
    private final Deserialize deserialize;
    private final KeyCodec codec;
    private final ColumnBatch row;
    private final ByteBuilder key = new ByteBuilder(64);

    /** A copy of one record, as parsing reads past the end of text. */
    private byte[] record = new byte[1 << 10];

    ChunkPlaces(LoadSetup setup) {
        schema = setup.schema();
        loadOrdinal = setup.loadOrdinal();
        regions = setup.regions();
        deserialize =
                new Deserialize(schema, setup.dialect(), setup.fieldColumns(), setup.loadOrdinal());
        codec = new KeyCodec(schema);
        row = ColumnBatch.forColumns(schema.columns(), 1);
    }

    /** The index of the region of a chunk, whose edges are these, or {@link #NOWHERE}. */
    int region(ChunkLease chunk, ChunkEdges edges) {
        int first = first(chunk, edges);
        return first != NOWHERE && first == last(chunk, edges) ? first : NOWHERE;
    }

    private int first(ChunkLease chunk, ChunkEdges edges) {
        return schema.hiddenRowId()
                ? ofRowId(chunk, 0)
                : edges.first((text, from, to) -> ofRecord(chunk, text, from, to));
    }

    private int last(ChunkLease chunk, ChunkEdges edges) {
        return schema.hiddenRowId()
                ? ofRowId(chunk, Deserialize.MAX_RECORDS_PER_CHUNK - 1)
                : edges.last((text, from, to) -> ofRecord(chunk, text, from, to));
    }

    /**
     * Where the records of a chunk leave the region of the first one, if they come in the order of
     * their keys; a position before the chunk if nobody can say.
     */
    long border(ChunkLease chunk, ChunkEdges edges) {
        if (schema.hiddenRowId()) {
            return NOWHERE;
        }
        int first = first(chunk, edges);
        return first == NOWHERE || last(chunk, edges) == NOWHERE
                ? NOWHERE
                : edges.border((text, from, to) -> ofRecord(chunk, text, from, to) == first);
    }

    private int ofRowId(ChunkLease chunk, int ordinal) {
        row.clear();
        LongColumn ids = row.longs(schema.columnCount() - 1);
        ids.ensureRows(1);
        ids.values()[0] = Deserialize.rowId(loadOrdinal, chunk.chunkId(), ordinal);
        return ofRow();
    }

    private int ofRecord(ChunkLease chunk, byte[] text, int from, int to) {
        if (record.length < to - from + Deserialize.PADDING) {
            record = new byte[to - from + Deserialize.PADDING];
        }
        System.arraycopy(text, from, record, 0, to - from);
        row.clear();
        deserialize.run(
                record, 0, to - from, chunk.source(), 0, chunk.chunkId(), row, reject -> {});
        return row.rowCount() == 1 ? ofRow() : NOWHERE;
    }

    private int ofRow() {
        key.clear();
        codec.encode(row, 0, key);
        return regions.indexOf(Arrays.copyOf(key.array(), key.length()));
    }
}
