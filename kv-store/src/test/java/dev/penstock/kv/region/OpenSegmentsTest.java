package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.kv.storage.OpenSegments;
import dev.penstock.kv.storage.RegionFiles;
import dev.penstock.kv.storage.RegionJournal;
import dev.penstock.predicate.Predicate;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** What is known of segments stays in heap as far as there is room, and is read again else. */
class OpenSegmentsTest {
    private static final long LAYERS = 9;
    private static final long ROWS = 700;

    @TempDir Path folder;

    private long neededBytes;

    @BeforeEach
    void storeLayers() {
        OpenSegments roomy = new OpenSegments(Long.MAX_VALUE, 1 << 16);
        RegionContext context = context(roomy);
        RegionFiles files = RegionFiles.in(folder, 7);
        context.storage().createDirectories(files.directory());
        RegionDescriptor descriptor = new RegionDescriptor(7, 1, TestTable.SCHEMA, KeyRange.ALL);
        try (Region region = Region.create(context, files, descriptor)) {
            for (long i = 0; i < LAYERS; i++) {
                region.put(TestTable.batch(TestTable.items(ROWS * i, ROWS * (i + 1), (int) i)));
                region.flush();
            }
            neededBytes = roomy.readerBytes();
            assertThat(roomy.files()).isEqualTo(LAYERS);
        }
        assertThat(roomy.files()).isZero();
        assertThat(roomy.readerBytes()).isZero();
    }

    @Test
    void allStayWhereThereIsRoom() {
        assertThat(bytesAfterReading(new OpenSegments(neededBytes, 1 << 16)))
                .isEqualTo(neededBytes);
    }

    @Test
    void someAreReadAgainWhereThereIsNot() {
        assertThat(bytesAfterReading(new OpenSegments(neededBytes / 2, 1 << 16)))
                .isBetween(neededBytes / 3, neededBytes / 2);
    }

    @Test
    void allAreReadAgainWhereThereIsNoRoom() {
        assertThat(bytesAfterReading(new OpenSegments(0, 1 << 16))).isZero();
    }

    /** Opens the region and finds all rows, one by one and together. */
    private long bytesAfterReading(OpenSegments segments) {
        try (Region region = Region.open(context(segments), RegionFiles.in(folder, 7))) {
            List<byte[]> keys = new ArrayList<>();
            for (long id = 0; id < LAYERS * ROWS; id += 97) {
                keys.add(TestTable.key(id));
            }
            assertThat(region.count(0, KeyRange.ALL, Predicate.ALWAYS)).isEqualTo(LAYERS * ROWS);
            for (byte[] key : keys) {
                assertThat(region.get(key, 0)).isPresent();
            }
            return segments.readerBytes();
        } finally {
            assertThat(segments.readerBytes()).isZero();
        }
    }

    private RegionContext context(OpenSegments segments) {
        NioStorage storage = new NioStorage();
        return new RegionContext(
                storage,
                RegionJournal.open(storage, folder.resolve("journal")),
                segments,
                () -> Instant.ofEpochSecond(1000),
                1 << 30,
                new RowMemory(1 << 30),
                new Semaphore(2));
    }
}
