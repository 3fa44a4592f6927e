package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.storage.NioStorage;
import dev.penstock.step.ChunkInFile;
import dev.penstock.step.ChunkText;
import dev.penstock.step.Deserialize;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;

/** Chunks that come as text: taken as a whole, or not at all. */
class TextFragmentTest {
    @Test
    void aTextIsTakenOnceAndAnsweredTheSameEachTime(@TempDir Path folder) {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            FragmentAck first = send(store, load, 1, text(0, 500), FragmentHeader::ofText);
            FragmentAck again = send(store, load, 1, text(0, 500), FragmentHeader::ofText);
            assertThat(first.declined()).isFalse();
            assertThat(first.rowsAccepted()).isEqualTo(500);
            assertThat(first.rejects()).isEmpty();
            assertThat(again).usingRecursiveComparison().isEqualTo(first);
            List<RegionReceipt> receipts = store.finish(load);
            assertThat(receipts.stream().mapToLong(RegionReceipt::rowCount).sum()).isEqualTo(500);
            store.publish(load);
            assertThat(store.scan()).hasSize(500);
        }
    }

    @Test
    void aTextWithABadRecordIsDeclinedAndTheChunkCanStillCome(@TempDir Path folder) {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            String bad = text(0, 300) + "300,bad,number\n" + text(301, 400);
            for (int i = 0; i < 2; i++) {
                FragmentAck ack = send(store, load, 1, bad, FragmentHeader::ofText);
                assertThat(ack.declined()).isTrue();
                assertThat(ack.rowsAccepted()).isZero();
            }
            assertThat(send(store, load, 1, text(0, 300), FragmentHeader::ofText).declined())
                    .isFalse();
            store.finish(load);
            store.publish(load);
            assertThat(store.scan()).hasSize(300);
        }
    }

    @Test
    void aTextWithRowsOfAnotherRegionIsDeclined(@TempDir Path folder) {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            FragmentAck ack =
                    send(store, load, 1, text(0, 5) + text(2999, 3000), FragmentHeader::ofText);
            assertThat(ack.declined()).isTrue();
            assertThat(store.finish(load)).allMatch(receipt -> receipt.rowCount() == 0);
        }
    }

    @Test
    void aTextWhoseRowsHaveComeInAnotherFormIsTakenAsAWholeOrNotAtAllToo(@TempDir Path folder) {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            Headers spread = (chunk, region) -> FragmentHeader.ofText(chunk, region).spread();
            FragmentAck first = send(store, load, 1, text(0, 200), spread);
            FragmentAck again = send(store, load, 1, text(0, 200), FragmentHeader::ofText);
            assertThat(again.declined()).isFalse();
            assertThat(again.rowsAccepted()).isEqualTo(200);
            assertThat(again.parsed()).usingRecursiveComparison().isEqualTo(first.parsed());
            for (String more : List.of(text(2999, 3000), "300,bad,number\n")) {
                String rows = text(0, 200) + more;
                assertThat(send(store, load, 1, rows, FragmentHeader::ofText).declined())
                        .as(more)
                        .isTrue();
            }
            assertThat(store.finish(load).stream().mapToLong(RegionReceipt::rowCount).sum())
                    .isEqualTo(200);
        }
    }

    @Test
    void aRehearsalIsNoPartOfTheLoad(@TempDir Path folder) {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            FragmentAck ack =
                    send(
                            store,
                            load,
                            1,
                            text(0, 500),
                            (chunk, region) -> FragmentHeader.ofText(chunk, region).forRehearsal());
            assertThat(ack.declined()).isTrue();
            assertThat(store.finish(load)).allMatch(receipt -> receipt.rowCount() == 0);
        }
    }

    @Test
    void damageIsRefused(@TempDir Path folder) {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            long region = load.regions().getFirst().regionId();
            byte[] payload = new byte[200];
            assertThatThrownBy(() ->
                            store.service()
                                    .fragment(
                                            load.loadId(),
                                            FragmentHeader.ofText(1, region),
                                            payload,
                                            100))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("does not end as one");
        }
    }

    @Test
    void aTextIsReadWhereItIs(@TempDir Path folder) throws IOException {
        Path file = write(folder, "in.csv", "header\n" + text(0, 500) + text(500, 600));
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            ChunkText chunk = new ChunkText(0, 7, text(0, 500).length());
            ChunkInFile place = new ChunkInFile(chunk, file.toString(), key(file), size(file));
            FragmentAck sent = send(store, load, 2, text(0, 500), FragmentHeader::ofText);
            FragmentAck read = send(store, load, 1, place);
            FragmentAck again = send(store, load, 1, place);
            assertThat(read.declined()).isFalse();
            assertThat(read.rowsAccepted()).isEqualTo(500);
            assertThat(read.parsed()).usingRecursiveComparison().isEqualTo(sent.parsed());
            assertThat(again).usingRecursiveComparison().isEqualTo(read);
        }
    }

    @Test
    void aFileThatIsNotTheOneThatIsMeantIsDeclined(@TempDir Path folder) throws IOException {
        Path file = write(folder, "in.csv", text(0, 500));
        Path other = write(folder, "other.csv", text(0, 500));
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            ChunkText chunk = new ChunkText(0, 0, (int) size(file));
            List<ChunkInFile> places =
                    List.of(
                            new ChunkInFile(chunk, other.toString(), key(file), size(file)),
                            new ChunkInFile(chunk, file.toString(), key(file), size(file) + 1),
                            new ChunkInFile(chunk, file + ".no", key(file), size(file)),
                            new ChunkInFile(chunk, file + "\0", key(file), size(file)),
                            new ChunkInFile(chunk, "", key(file), size(file)),
                            new ChunkInFile(
                                    new ChunkText(0, 0, 10),
                                    folder.toString(),
                                    key(folder),
                                    size(folder)));
            for (ChunkInFile place : places) {
                assertThat(send(store, load, 1, place).declined()).as("%s", place).isTrue();
            }
            // One that has been taken may be asked for again when it has gone.
            ChunkInFile there = new ChunkInFile(chunk, file.toString(), key(file), size(file));
            assertThat(send(store, load, 2, there).declined()).isFalse();
            Files.writeString(file, text(0, 400));
            assertThat(send(store, load, 2, there).outcome()).isEqualTo(FragmentAck.Outcome.UNREAD);
            ChunkInFile before = new ChunkInFile(chunk, file.toString(), key(file), chunk.length());
            assertThat(send(store, load, 1, before).declined()).isTrue();
            assertThat(store.finish(load))
                    .element(0)
                    .extracting(RegionReceipt::rowCount)
                    .isEqualTo(500L);
        }
    }

    @Test
    void rowsOfAnyRegionAreSpreadOnceOrNotAtAll(@TempDir Path folder) {
        try (TestStore store = TestStore.open(folder, new NioStorage())) {
            store.createItems();
            LoadDescriptor load = store.begin(DuplicatePolicy.ERROR);
            Headers spread = (chunk, region) -> FragmentHeader.ofText(chunk, region).spread();
            String rows = text(2000, 2300) + text(0, 200) + text(1000, 1100);
            FragmentAck bad = send(store, load, 1, rows + "x,bad,1\n", spread);
            assertThat(bad.declined()).isTrue();
            FragmentAck first = send(store, load, 1, rows, spread);
            FragmentAck again = send(store, load, 1, rows, spread);
            assertThat(first.declined()).isFalse();
            assertThat(first.rowsAccepted()).isEqualTo(600);
            assertThat(again).usingRecursiveComparison().isEqualTo(first);
            List<RegionReceipt> receipts = store.finish(load);
            assertThat(receipts.stream().map(RegionReceipt::rowCount))
                    .containsExactly(200L, 100L, 300L);
            store.publish(load);
            assertThat(store.scan()).hasSize(600);
        }
    }

    private static Path write(Path folder, String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toRealPath();
    }

    private static String key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey().toString();
    }

    private static long size(Path file) throws IOException {
        return Files.size(file);
    }

    private static FragmentAck send(
            TestStore store, LoadDescriptor load, int chunkId, ChunkInFile place) {
        ByteBuilder payload = new ByteBuilder(64);
        place.put(payload);
        long region = load.regions().getFirst().regionId();
        return store.service()
                .fragment(
                        load.loadId(),
                        FragmentHeader.ofText(chunkId, region).inFile(),
                        payload.array(),
                        payload.length());
    }

    private interface Headers {
        FragmentHeader of(int chunkId, long regionId);
    }

    private static FragmentAck send(
            TestStore store, LoadDescriptor load, int chunkId, String csv, Headers headers) {
        byte[] text = csv.getBytes(StandardCharsets.US_ASCII);
        ChunkText chunk = new ChunkText(0, 0, text.length);
        byte[] payload = Arrays.copyOf(text, chunk.payloadLength() + Deserialize.PADDING);
        System.arraycopy(chunk.trailer(), 0, payload, text.length, ChunkText.TRAILER_BYTES);
        long region = load.regions().getFirst().regionId();
        return store.service()
                .fragment(
                        load.loadId(), headers.of(chunkId, region), payload, chunk.payloadLength());
    }

    private static String text(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i).append(",name,").append(i * 3).append('\n');
        }
        return text.toString();
    }
}
