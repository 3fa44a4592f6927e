package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnSums;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.kv.fuzz.Fuzzer;
import dev.penstock.kv.storage.MemoryDisk;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectCodec;
import dev.penstock.reject.RejectReason;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Logs of fragments, their records, and the rejects within. */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class FragmentLogFuzzTest {
    private static final String LOAD = "00000000-0000-0007-0000-000000000001";
    private static final Path FOLDER = Path.of("/resume/" + LOAD);
    private static final Path LOG = FOLDER.resolve("fragments");

    private static List<Reject> rejects(int count) {
        List<Reject> rejects = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rejects.add(
                    new Reject(
                            RejectReason.values()[i],
                            i,
                            100L * i,
                            Reject.LINE_UNKNOWN,
                            "name",
                            "value",
                            "wanted",
                            "1,one,x".getBytes(StandardCharsets.UTF_8)));
        }
        return rejects;
    }

    private static ColumnSums sums(int rows) {
        return rows == 0 ? ColumnSums.NONE : ColumnSums.of(rows, new long[] {rows, -rows, 7});
    }

    /** Logs of none to seven fragments. */
    private static List<byte[]> logs() {
        List<byte[]> logs = new ArrayList<>();
        for (int count = 0; count < 8; count++) {
            MemoryDisk disk = new MemoryDisk(FOLDER);
            try (FragmentLog log = FragmentLog.open(disk, FOLDER, LOAD, entry -> {})) {
                for (int i = 0; i < count; i++) {
                    log.append(i, 3 + i % 2, i, sums(i), rejects(i % 4), new byte[40], 40);
                }
                log.force();
            }
            logs.add(disk.files().get(LOG));
        }
        return logs;
    }

    @Test
    void logsAreReadOrRefused() {
        MemoryDisk disk = new MemoryDisk(FOLDER);
        Fuzzer.run(
                "fragment logs",
                logs(),
                (message, bytes) -> {
                    disk.tamper(LOG, bytes);
                    FragmentLog.open(disk, FOLDER, LOAD, entry -> {}).close();
                });
    }

    @Test
    void recordsAreReadOrRefused() {
        List<byte[]> good = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ByteBuilder out = new ByteBuilder(64);
            FragmentLog.putHead(i, 3, i, sums(i), rejects(i % 4), out);
            good.add(out.toByteArray());
        }
        Fuzzer.run(
                "fragment log records", good, (message, bytes) -> FragmentLog.entry(bytes, "it"));
    }

    @Test
    void rejectsAreReadOrRefused() {
        List<byte[]> good = new ArrayList<>();
        for (int count = 0; count < 5; count++) {
            ByteBuilder out = new ByteBuilder(64);
            RejectCodec.put(rejects(count), out);
            good.add(out.toByteArray());
        }
        Fuzzer.run(
                "rejects",
                good,
                (message, bytes) -> RejectCodec.get(new ByteParser(bytes, "a test")));
    }
}
