package dev.penstock.kv.storage;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.fuzz.Fuzzer;
import dev.penstock.kv.region.TestTable;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.StepTimes;
import dev.penstock.target.ColumnOutcome;
import dev.penstock.target.RegionReceipt;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records of manifests and journals, and whole logs. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class StorageFuzzTest {
    private static final SegmentIdentity IDENTITY = new SegmentIdentity(3, 4, 0);
    private static final List<SegmentDescriptor> SEGMENTS =
            List.of(
                    new SegmentDescriptor("load-a-0.seg", 1000, 10),
                    new SegmentDescriptor("load-a-1.seg", 2000, 20));
    private static final LayerDescriptor LAYER =
            new LayerDescriptor(5, 6, 7, true, false, IDENTITY, SEGMENTS);

    private static List<ManifestRecord> manifestRecords() {
        RegionDescriptor region =
                new RegionDescriptor(
                        3, 1, TestTable.SCHEMA, new KeyRange(TestTable.key(0), TestTable.key(9)));
        return List.of(
                new ManifestRecord.Created(region),
                new ManifestRecord.Flushed(LAYER, 2),
                new ManifestRecord.Installed(LAYER),
                new ManifestRecord.Compacted(List.of(1L, 2L, 3L), LAYER),
                new ManifestRecord.Snapshot(List.of(LAYER, LAYER), 1, 2, 3));
    }

    private static PreparedLoad load(boolean comparesStored) {
        Reject reject =
                new Reject(
                        RejectReason.values()[0], 1, 2, 3, "name", "value", "wanted", new byte[9]);
        RegionReceipt receipt =
                new RegionReceipt(
                        3,
                        "server",
                        10,
                        1,
                        2,
                        100,
                        List.of(new ColumnOutcome("id", "PACKED", 10, 100)),
                        ColumnSums.of(10, new long[] {1, 2, 3}),
                        ColumnSums.of(1, new long[] {4, 5, 6}),
                        List.of(reject, reject),
                        new StepTimes());
        return new PreparedLoad("a", IDENTITY, comparesStored, SEGMENTS, receipt);
    }

    @Test
    void manifestRecordsAreReadOrRefused() {
        List<byte[]> good = new ArrayList<>();
        for (ManifestRecord change : manifestRecords()) {
            ByteBuilder out = new ByteBuilder(64);
            ManifestRecordCodec.put(change, out);
            good.add(out.toByteArray());
        }
        Fuzzer.run(
                "manifest records",
                good,
                (message, bytes) -> ManifestRecordCodec.get(new ByteParser(bytes, "a test")));
    }

    private static List<byte[]> journal() {
        List<JournalRecord> records = new ArrayList<>();
        manifestRecords().forEach(change -> records.add(new JournalRecord.Changed(3, change)));
        records.add(new JournalRecord.Grown(3));
        records.add(new JournalRecord.Dropped(3));
        records.add(new JournalRecord.Prepared(3, load(true)));
        records.add(new JournalRecord.Prepared(3, load(false)));
        records.add(new JournalRecord.Ended(3, "a"));
        return records.stream()
                .map(entry -> {
                    ByteBuilder out = new ByteBuilder(64);
                    JournalRecordCodec.put(entry, out);
                    return out.toByteArray();
                })
                .toList();
    }

    @Test
    void journalRecordsAreReadOrRefused() {
        Fuzzer.run(
                "journal records",
                journal(),
                (message, bytes) -> JournalRecordCodec.get(new ByteParser(bytes, "a test")));
    }

    @Test
    void logsAreReadOrRefused() {
        Path folder = Path.of("/logs");
        Path path = folder.resolve("log");
        List<byte[]> good = new ArrayList<>();
        for (int records = 0; records < 8; records++) {
            MemoryDisk disk = new MemoryDisk(folder);
            try (LogWriter writer = LogWriter.create(disk, path, LogKind.JOURNAL, 5)) {
                for (byte[] payload : journal().subList(0, records)) {
                    writer.append(payload, payload.length);
                    if (records % 3 > 0) {
                        writer.force();
                    }
                }
            }
            good.add(disk.files().get(path));
        }
        MemoryDisk disk = new MemoryDisk(folder);
        Fuzzer.run(
                "logs",
                good,
                (message, bytes) -> {
                    disk.tamper(path, bytes);
                    LogReader.recover(disk, path, LogKind.JOURNAL, 5, (sequence, payload) -> {});
                });
    }
}
