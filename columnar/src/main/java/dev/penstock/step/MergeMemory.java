package dev.penstock.step;

import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentReader;

import java.util.List;

/** How many rows a unit of a merge may have, so that what it holds of them stays within a limit. */
final class MergeMemory {
    /** Key columns, the order of the rows and what sorting them needs, about. */
    private static final long KEY_ROW_BYTES = 32;

    /** Rows may have the longer ones of a dictionary's entries more often than others. */
    private static final int ENTRY_SKEW = 4;

    private MergeMemory() {}

    /**
     * The limit in rows, less if rows are so wide that they would exceed the limit in bytes. A unit
     * holds its rows of one column, decoded and in order, and the encoded blocks of all columns in
     * buffers that grow by half.
     *
     * @param runs none empty
     * @param dictionaries of the output: byte strings of a column that has none are decoded
     */
    static long unitRows(
            TableSchema schema,
            List<Merge.Run> runs,
            MergeLimits limits,
            MergeDictionaries dictionaries) {
        long rows = 1;
        for (Merge.Run run : runs) {
            rows += run.reader().rowCount();
        }
        long widest = 0;
        long encoded = 0;
        for (int column = 0; column < schema.columnCount(); column++) {
            boolean codes =
                    dictionaries.dictionary(column) != null
                            || schema.column(column).type().kind() == PhysicalKind.LONG;
            long plain = 0;
            for (Merge.Run run : runs) {
                if (MergeDictionaries.has(run.reader(), column)) {
                    plain += plainBytes(run.reader(), column, codes);
                    encoded += run.reader().statistics(column).bytes();
                }
            }
            widest = Math.max(widest, plain);
        }
        long rowBytes = (2 * widest + encoded + encoded / 2) / rows + KEY_ROW_BYTES;
        return Math.clamp(limits.unitBytes() / rowBytes, 1, limits.unitRows());
    }

    /**
     * About the bytes of a column without encoding.
     *
     * @param codes whether values from a dictionary stay codes, or become numbers
     */
    private static long plainBytes(SegmentReader reader, int column, boolean codes) {
        return switch (reader.statistics(column).encoding()) {
            case PLAIN, PACKED -> reader.statistics(column).bytes();
            case COMPRESSED -> 3 * reader.statistics(column).bytes();
            case TOKENS -> 5 * reader.statistics(column).bytes();
            case DICTIONARY -> reader.rowCount() * (codes ? 4 : entryBytes(reader, column));
        };
    }

    private static long entryBytes(SegmentReader reader, int column) {
        int entries = Math.max(1, reader.dictionaryEntries(column));
        long mean = reader.dictionaryLength(column) / entries + 1L;
        return Math.min(reader.statistics(column).maxLength(), ENTRY_SKEW * mean) + 4;
    }
}
