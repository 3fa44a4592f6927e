package dev.penstock.step;

import dev.penstock.dialect.Dialect;
import dev.penstock.reject.Reject;
import dev.penstock.schema.TableSchema;
import java.util.List;
import java.util.function.Consumer;

/** Policy raw: converts only the key, and copies each record's text to its region's fragment. */
public final class RawRouter {
    /** Takes finished fragments. */
    public interface Output {
        /** The payload is valid during the call only. */
        void fragment(int regionIndex, byte[] payload, int length, int recordCount);
    }

    /**
     * @param regionStarts encoded start key of each region in order; the first is empty
     */
    public RawRouter(
            TableSchema schema,
            Dialect dialect,
            List<Integer> fieldColumns,
            long loadOrdinal,
            List<byte[]> regionStarts) {}

    public void run(
            byte[] text,
            int from,
            int to,
            int sourceIndex,
            long basePosition,
            int chunkId,
            Output output,
            Consumer<Reject> rejects) {}
}
