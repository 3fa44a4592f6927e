package dev.penstock.kv.region;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.KeyReader;
import dev.penstock.segment.SegmentReader;

import java.util.List;

/** Keys that decide what older layers say about them, deleted ones included. */
sealed interface NewerKeys {
    /** How many keys the range has, perhaps a few more; not counted much further than a limit. */
    long count(KeyRange range, long limit);

    /** The keys of a range in order, without values. */
    KeyedCursor cursor(KeyRange range);

    /** Whether a key is among them; asked by one thread, of keys that ascend if possible. */
    boolean has(byte[] key);

    /** Those of rows in memory. */
    record InMemory(Delta.Snapshot delta, TableSchema schema, RowCodec codec) implements NewerKeys {
        @Override
        public long count(KeyRange range, long limit) {
            return delta.range(range).keySet().stream().limit(limit + 1).count();
        }

        @Override
        public KeyedCursor cursor(KeyRange range) {
            return new DeltaCursor(delta, range, schema, codec, KeyedCursor.NO_COLUMNS);
        }

        @Override
        public boolean has(byte[] key) {
            return delta.get(key) != null;
        }
    }

    /** Those of a segment, whose schema may have a hidden column. */
    record InSegment(SegmentFile file, TableSchema schema, SegmentReader reader, KeyReader keys)
            implements NewerKeys {
        static InSegment of(SegmentFile file, TableSchema schema) {
            SegmentReader reader = file.reader();
            return new InSegment(file, schema, reader, new KeyReader(reader));
        }

        @Override
        public long count(KeyRange range, long limit) {
            long end =
                    range.end().length == 0
                            ? reader.rowCount()
                            : reader.lowerBound(range.end(), keys);
            return end - reader.lowerBound(range.start(), keys);
        }

        @Override
        public KeyedCursor cursor(KeyRange range) {
            return new SegmentsCursor(List.of(file), range, schema, false, KeyedCursor.NO_COLUMNS);
        }

        @Override
        public boolean has(byte[] key) {
            return keys.find(reader, key) >= 0;
        }
    }
}
