package dev.penstock.step;

import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;

import java.util.List;

/** How many rows a unit of a merge may have, so that what it holds of them stays within a limit. */
final class MergeMemory {
    /** Key columns, the order of the rows and what sorting them needs, about. */
    private static final long KEY_ROW_BYTES = 32;

    private MergeMemory() {}

    /**
     * The limit in rows, less if rows are so wide that they would exceed the limit in bytes. A unit
     * holds its rows of one column, decoded and in order, and the encoded blocks of all columns in
     * buffers that grow by half.
     *
     * @param runs none empty
     */
    static long unitRows(TableSchema schema, List<Merge.Run> runs, MergeLimits limits) {
        long rows = 1;
        for (Merge.Run run : runs) {
            rows += run.reader().rowCount();
        }
        long widest = 0;
        long encoded = 0;
        for (int column = 0; column < schema.columnCount(); column++) {
            long plain = 0;
            for (Merge.Run run : runs) {
                if (MergeDictionaries.has(run.reader(), column)) {
                    plain += plainBytes(run.reader(), column);
                    encoded += run.reader().statistics(column).bytes();
                }
            }
            widest = Math.max(widest, plain);
        }
        long rowBytes = (2 * widest + encoded + encoded / 2) / rows + KEY_ROW_BYTES;
        return Math.clamp(limits.unitBytes() / rowBytes, 1, limits.unitRows());
    }

    /** About the bytes of a column without encoding. */
    private static long plainBytes(SegmentReader reader, int column) {
        return switch (reader.statistics(column).encoding()) {
            case PLAIN, PACKED -> reader.statistics(column).bytes();
            case COMPRESSED -> 3 * reader.statistics(column).bytes();
            case TOKENS -> 5 * reader.statistics(column).bytes();
            case DICTIONARY -> 4 * reader.rowCount();
        };
    }
}
