package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class LogTest {
    private static final long IDENTITY = 42;

    @TempDir Path folder;
    private Path path = Path.of("unset");
    private final Storage storage = new NioStorage();

    @BeforeEach
    void choosePath() {
        path = folder.resolve("log");
    }

    private LogWriter create() {
        return LogWriter.create(storage, path, LogKind.WRITE_AHEAD, IDENTITY);
    }

    private static void append(LogWriter writer, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        writer.append(payload, payload.length);
    }

    private List<String> recover() {
        return recover(path);
    }

    private List<String> recover(Path log) {
        List<String> records = new ArrayList<>();
        LogReader.recover(
                storage,
                log,
                LogKind.WRITE_AHEAD,
                IDENTITY,
                (sequence, payload) -> {
                    assertThat(sequence).isEqualTo(records.size() + 1);
                    records.add(new String(payload, StandardCharsets.UTF_8));
                });
        return records;
    }

    private void writeForced(String... texts) {
        try (LogWriter writer = create()) {
            for (String text : texts) {
                append(writer, text);
                writer.force();
            }
        }
    }

    @Test
    void recordsComeBackInOrderAndTheLogGoesOn() {
        writeForced("one", "", "three");
        assertThat(recover()).containsExactly("one", "", "three");
        try (LogWriter writer = LogWriter.resume(storage, path, LogKind.WRITE_AHEAD, IDENTITY, 3)) {
            append(writer, "four");
            writer.force();
        }
        assertThat(recover()).containsExactly("one", "", "three", "four");
    }

    @Test
    void aLogCutAnywhereGivesBackAPrefix() throws IOException {
        writeForced("first record", "second record", "third record");
        byte[] whole = Files.readAllBytes(path);
        List<String> all = List.of("first record", "second record", "third record");
        int previous = 0;
        for (int length = LogDescriptor.HEADER_BYTES; length <= whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            List<String> records = recover();
            assertThat(all.subList(0, records.size())).isEqualTo(records);
            assertThat(records.size()).isGreaterThanOrEqualTo(previous);
            previous = records.size();
            assertThat(Files.size(path)).isLessThanOrEqualTo(length);
        }
        assertThat(previous).isEqualTo(3);
    }

    /** What says that a damaged record was forced may lie anywhere behind it. */
    @Test
    void damageOfALongRecordIsRefusedToo() throws IOException {
        int window = LogReader.SEARCH_BYTES;
        for (int length = window - 50; length < window + 10; length++) {
            try (LogWriter writer = create()) {
                writer.append(new byte[length], length);
                writer.force();
            }
            byte[] bytes = Files.readAllBytes(path);
            bytes[LogDescriptor.HEADER_BYTES + LogDescriptor.RECORD_HEADER_BYTES + 9] ^= 1;
            Files.write(path, bytes);
            assertThatThrownBy(this::recover)
                    .as("%d bytes", length)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(
                            "damaged at byte " + LogDescriptor.HEADER_BYTES + ": record 1");
        }
    }

    @Test
    void aFlippedBitInAForcedRecordIsRefusedByNameAndPosition() throws IOException {
        writeForced("first record", "second record", "third record");
        byte[] whole = Files.readAllBytes(path);
        int lastSeal = whole.length - LogDescriptor.RECORD_HEADER_BYTES;
        for (int at = 0; at < lastSeal; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(path, damaged);
            assertThatThrownBy(this::recover)
                    .as("byte %d", at)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("damaged at byte")
                    .extracting(e -> ((PenstockException) e).category())
                    .isEqualTo(ErrorCategory.CORRUPT);
        }
    }

    @Test
    void aFlippedBitInTheLastSealLosesNothing() throws IOException {
        writeForced("first record", "second record");
        byte[] damaged = Files.readAllBytes(path);
        damaged[damaged.length - 3] ^= 1;
        Files.write(path, damaged);
        assertThat(recover()).containsExactly("first record", "second record");
    }

    @Test
    void recordsThatWereNeverForcedMayBeLostInAnyOrder() throws IOException {
        long forcedLength;
        try (LogWriter writer = create()) {
            append(writer, "kept");
            writer.force();
            forcedLength = writer.bytes();
            append(writer, "lost by the disk");
            append(writer, "kept by the disk");
        }
        byte[] whole = Files.readAllBytes(path);
        whole[(int) forcedLength + LogDescriptor.RECORD_HEADER_BYTES + 2] ^= 1;
        Files.write(path, whole);
        assertThat(recover()).containsExactly("kept");
    }

    @Test
    void theZerosThatALogHasReservedAreNoRecords() throws IOException {
        List<String> texts = new ArrayList<>();
        try (LogWriter writer = create()) {
            for (int i = 0; i < 3_000; i++) {
                texts.add("record " + i + " that is one of many");
                append(writer, texts.getLast());
                writer.force();
                if (i % 100 == 0 || i >= 2_990) {
                    Path copy = Files.copy(path, folder.resolve("copy-" + i));
                    assertThat(Files.size(copy)).isGreaterThan(writer.bytes());
                    assertThat(recover(copy)).isEqualTo(texts);
                    assertThat(Files.size(copy)).isEqualTo(writer.bytes());
                }
            }
        }
        assertThat(recover()).isEqualTo(texts);
    }

    @Test
    void aRecordTornWithinReservedZerosIsLostAlone() throws IOException {
        Path copy = folder.resolve("copy");
        long forcedLength;
        try (LogWriter writer = create()) {
            append(writer, "kept");
            writer.force();
            forcedLength = writer.bytes();
            append(writer, "torn by the disk");
            Files.copy(path, copy);
        }
        byte[] torn = Files.readAllBytes(copy);
        Arrays.fill(torn, (int) forcedLength + 30, torn.length, (byte) 0);
        Files.write(copy, torn);
        assertThat(recover(copy)).containsExactly("kept");
    }

    @Test
    void aLogOfAnotherKindOrOwnerIsRefused() {
        writeForced("record");
        assertThatThrownBy(() ->
                        LogReader.recover(storage, path, LogKind.MANIFEST, IDENTITY, (s, p) -> {}))
                .hasMessageContaining("header");
        assertThatThrownBy(() ->
                        LogReader.recover(storage, path, LogKind.WRITE_AHEAD, 7, (s, p) -> {}))
                .hasMessageContaining("header");
    }

    @Test
    void ofARecordThatDoesNotFitOnTheDiskNothingStays() {
        FaultyStorage faulty = new FaultyStorage(storage);
        try (LogWriter writer = LogWriter.create(faulty, path, LogKind.WRITE_AHEAD, IDENTITY)) {
            append(writer, "one");
            faulty.failWriteAfter(10);
            assertThatThrownBy(() -> append(writer, "too long for the disk"))
                    .hasMessageContaining("No space");
            append(writer, "two");
            writer.force();
        }
        assertThat(recover()).containsExactly("one", "two");
    }

    @Test
    void afterAFailedForceNothingIsAcknowledged() {
        FaultyStorage faulty = new FaultyStorage(storage);
        try (LogWriter writer = LogWriter.create(faulty, path, LogKind.WRITE_AHEAD, IDENTITY)) {
            append(writer, "one");
            faulty.failForces();
            assertThatThrownBy(writer::force).isInstanceOf(PenstockException.class);
            assertThat(writer.forcedSequence()).isZero();
        }
    }
}
