package dev.penstock.kv.fuzz;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.region.TestTable;
import dev.penstock.predicate.Predicate;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.segment.SegmentScanner;
import dev.penstock.step.Encode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** Segments: as they are, and with checksums that fit what was changed. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class SegmentFuzzTest {
    private static final int HEADER_BYTES = 40;
    private static final int TRAILER_BYTES = 32;

    private static List<byte[]> good() {
        List<byte[]> good = new ArrayList<>();
        for (int rows : new int[] {1, 9, 70, 700}) {
            for (Encode.Choice choice : List.of(Encode.Choice.PLAIN, Encode.Choice.DICTIONARY)) {
                Encode.Choice[] choices = {choice, choice, choice};
                ByteBuilder out = new ByteBuilder(1024);
                new Encode(TestTable.SCHEMA)
                        .run(
                                TestTable.batch(TestTable.items(0, rows, rows)),
                                0,
                                rows,
                                choices,
                                true,
                                new SegmentIdentity(1, 2, 3),
                                out);
                good.add(out.toByteArray());
            }
        }
        return good;
    }

    private static void read(byte[] bytes) {
        SegmentReader reader =
                SegmentReader.open(TestTable.SCHEMA, MemorySegment.ofArray(bytes), "a test");
        reader.verify();
        SegmentScanner scanner =
                new SegmentScanner(
                        reader, KeyRange.ALL, new int[] {0, 1, 2}, Predicate.ALWAYS, true);
        ColumnBatch batch = TestTable.emptyBatch();
        while (scanner.next(batch)) {
            TestTable.read(batch);
        }
    }

    @Test
    void damagedSegmentsAreRefused() {
        Fuzzer.run("segments", good(), (message, bytes) -> read(bytes));
    }

    @Test
    void footersThatSomebodyMadeUpAreReadOrRefused() {
        List<byte[]> footers = new ArrayList<>();
        List<byte[]> bodies = new ArrayList<>();
        for (byte[] segment : good()) {
            int at = footerAt(segment);
            bodies.add(Arrays.copyOf(segment, at));
            footers.add(Arrays.copyOfRange(segment, at, segment.length - TRAILER_BYTES));
        }
        Fuzzer.run(
                "segment footers",
                footers,
                (message, footer) -> read(segment(bodies.get(message), footer)));
    }

    @Test
    void blocksThatSomebodyMadeUpAreReadOrRefused() {
        List<byte[]> good = good();
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            seeds.add(new byte[] {(byte) i, (byte) (7 * i), 1, 2, 3, 4, 5, 6});
        }
        Fuzzer.runOnAny(
                "segment blocks",
                seeds,
                (message, choice) -> {
                    byte[] segment = good.get(message % good.size());
                    Random random = new Random(Arrays.hashCode(choice));
                    read(withChangedBlocks(segment, random));
                });
    }

    private static int footerAt(byte[] segment) {
        return (int) ByteAccess.getLong(segment, segment.length - TRAILER_BYTES);
    }

    private static byte[] segment(byte[] body, byte[] footer) {
        byte[] segment = Arrays.copyOf(body, body.length + footer.length + TRAILER_BYTES);
        System.arraycopy(footer, 0, segment, body.length, footer.length);
        int trailer = body.length + footer.length;
        ByteAccess.putLong(segment, trailer, body.length);
        ByteAccess.putInt(segment, trailer + 8, footer.length);
        ByteAccess.putInt(segment, trailer + 12, crc(footer, 0, footer.length));
        ByteAccess.putInt(segment, trailer + 16, ByteAccess.getInt(body, 8));
        ByteAccess.putInt(segment, trailer + 20, crc(segment, trailer, 20));
        ByteAccess.putLong(segment, trailer + 24, ~ByteAccess.getLong(body, 0));
        return segment;
    }

    /** A segment with changes in its blocks and the checksums that go with them. */
    private static byte[] withChangedBlocks(byte[] segment, Random random) {
        int footerAt = footerAt(segment);
        byte[] body = Arrays.copyOf(segment, footerAt);
        byte[] footer = Arrays.copyOfRange(segment, footerAt, segment.length - TRAILER_BYTES);
        for (int at = 0; at + 16 <= footer.length; at++) {
            long offset = ByteAccess.getLong(footer, at);
            int length = ByteAccess.getInt(footer, at + 8);
            boolean plausible = offset >= HEADER_BYTES && length > 0 && offset + length <= footerAt;
            if (plausible && random.nextBoolean()) {
                int place =
                        place(segment, (int) offset, length, ByteAccess.getInt(footer, at + 12));
                if (place != -1) {
                    change(body, (int) offset, length, random);
                    ByteAccess.putInt(footer, at + 12, crc(place, body, (int) offset, length));
                }
            }
        }
        return segment(body, footer);
    }

    private static void change(byte[] body, int offset, int length, Random random) {
        byte[] block = Arrays.copyOfRange(body, offset, offset + length);
        byte[] changed = Mutation.of(List.of(block), 0, random);
        System.arraycopy(changed, 0, body, offset, Math.min(length, changed.length));
    }

    /** Column and block that a checksum is for, or -1 if it is none. */
    private static int place(byte[] segment, int offset, int length, int checksum) {
        for (int column = 0; column < 3; column++) {
            for (int block = -2; block < 1; block++) {
                int place = column << 8 | (block & 0xFF);
                if (crc(place, segment, offset, length) == checksum) {
                    return place;
                }
            }
        }
        return -1;
    }

    private static int crc(int place, byte[] bytes, int offset, int length) {
        byte[] start = new byte[8];
        ByteAccess.putInt(start, 0, place >> 8);
        ByteAccess.putInt(start, 4, (byte) place);
        CRC32C crc = new CRC32C();
        crc.update(start);
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    private static int crc(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
