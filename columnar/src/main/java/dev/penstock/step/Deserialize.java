package dev.penstock.step;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.dialect.Dialect;
import dev.penstock.parse.RecordBoundary;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;
import java.util.List;
import java.util.function.Consumer;

/** Text to rows. One per thread. */
public final class Deserialize {
    /** Bytes that must be readable after the end of the text given to {@link #run}. */
    public static final int PADDING = 64;

    public Deserialize(
            TableSchema schema, Dialect dialect, List<Integer> fieldColumns, long loadOrdinal) {
        this(schema, dialect, fieldColumns, loadOrdinal, RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
    }

    /**
     * @param fieldColumns the table column of each record field in order, or -1 to skip the field
     * @param loadOrdinal number of the load, part of hidden row ids
     */
    public Deserialize(
            TableSchema schema,
            Dialect dialect,
            List<Integer> fieldColumns,
            long loadOrdinal,
            int maxRecordBytes) {}

    /**
     * Parses the whole records in {@code text[from, to)}; appends good rows to {@code out} (all table
     * columns) and hands bad ones to {@code rejects} in order, with {@code bytePosition =
     * basePosition + offset - from} and line unknown.
     */
    public void run(
            byte[] text,
            int from,
            int to,
            int sourceIndex,
            long basePosition,
            int chunkId,
            ColumnBatch out,
            Consumer<Reject> rejects) {}

    /** The same for a fragment that {@link RawRouter} made. */
    public void runRaw(byte[] payload, int length, ColumnBatch out, Consumer<Reject> rejects) {}

    /** Records of the last run, rejects included. */
    public long recordCount() {
        return 0;
    }
}
