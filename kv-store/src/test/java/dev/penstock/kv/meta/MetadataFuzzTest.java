package dev.penstock.kv.meta;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.dialect.Dialect;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.fuzz.Fuzzer;
import dev.penstock.kv.region.TestTable;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records of the metadata log, and logs of what loaders have recorded. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class MetadataFuzzTest {
    @Test
    void recordsAreReadOrRefused() {
        LoadRequest request =
                LoadRequest.intoExisting(
                        "items",
                        "label",
                        DuplicatePolicy.REPLACE,
                        Dialect.csv(),
                        List.of(0, 1, 2),
                        List.of("test.csv", "other.csv"),
                        true);
        KeyRange range = new KeyRange(TestTable.key(0), TestTable.key(9));
        List<MetadataRecord> records =
                List.of(
                        new MetadataRecord.ServerJoined(new ServerDescriptor("server", "host:1")),
                        new MetadataRecord.TableCreated(1, TestTable.SCHEMA, 2, "server"),
                        new MetadataRecord.TableDropped(1),
                        new MetadataRecord.RegionSplit(
                                2,
                                List.of(
                                        new MetadataRecord.Part(3, KeyRange.ALL, "server"),
                                        new MetadataRecord.Part(4, range, "server"))),
                        new MetadataRecord.LoadBegun("a", 1, 1, request),
                        new MetadataRecord.LoadBegun("b", 2, 1, request.withPlan("plan")),
                        new MetadataRecord.LoaderHeard("a", 7, 1_000_000),
                        new MetadataRecord.LoadPublished("a", 1, 10, "report"),
                        new MetadataRecord.LoadAborted("a"),
                        new MetadataRecord.TableSnapshot(
                                1,
                                TestTable.SCHEMA,
                                List.of(new MetadataRecord.Part(3, range, "server"))),
                        new MetadataRecord.LoadSnapshot(
                                new PublishedLoad("a", 1, 1, 1, "label", 5, new long[] {3, 4}),
                                "report"),
                        new MetadataRecord.EndedLoads(
                                List.of(
                                        new MetadataRecord.EndedLoad("a", 0),
                                        new MetadataRecord.EndedLoad("b", 7))),
                        new MetadataRecord.SnapshotEnd(4, 2, 1, List.of(1L, 5L)));
        List<byte[]> good = new ArrayList<>();
        for (MetadataRecord one : records) {
            ByteBuilder out = new ByteBuilder(64);
            MetadataRecordCodec.put(one, out);
            good.add(out.toByteArray());
        }
        Fuzzer.run(
                "metadata records",
                good,
                (message, bytes) -> MetadataRecordCodec.get(new ByteParser(bytes, "a test")));
    }

    @Test
    void logsOfCheckpointsAreReadOrRefused() {
        String load = "00000000-0000-0007-0000-000000000001";
        Path folder = Path.of("/checkpoints");
        List<byte[]> good = new ArrayList<>();
        for (int count = 1; count < 8; count++) {
            MemoryDisk disk = new MemoryDisk(folder);
            try (CheckpointLogs logs = new CheckpointLogs(disk, folder, _ -> true)) {
                for (int i = 0; i < count; i++) {
                    logs.append(load, new byte[10 * i]);
                }
            }
            good.add(disk.files().get(folder.resolve(load)));
        }
        MemoryDisk disk = new MemoryDisk(folder);
        Fuzzer.run(
                "checkpoint logs",
                good,
                (message, bytes) -> {
                    disk.tamper(folder.resolve(load), bytes);
                    try (CheckpointLogs logs = new CheckpointLogs(disk, folder, _ -> true)) {
                        int read = logs.read(load, 0).size();
                        logs.append(load, new byte[3]);
                        if (logs.read(load, read).size() != 1) {
                            throw new AssertionError("what was appended is not read");
                        }
                    }
                });
    }
}
