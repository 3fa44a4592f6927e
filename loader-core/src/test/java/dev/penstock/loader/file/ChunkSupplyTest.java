package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

class ChunkSupplyTest {
    @TempDir Path folder;

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String lines(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i).append('|').append("x".repeat(random.nextInt(300))).append('\n');
        }
        return text.toString();
    }

    private static List<String> chunks(Inputs inputs, Dialect dialect, int chunkBytes) {
        ChunkSupply supply = new ChunkSupply(inputs, dialect, new long[inputs.count()], chunkBytes);
        Chunk chunk = new Chunk();
        ChunkReader reader = new ChunkReader();
        List<String> chunks = new ArrayList<>();
        long position = 0;
        while (supply.next(chunk, reader)) {
            assertThat(chunk.chunkId()).isEqualTo(chunks.size());
            StringBuilder text = new StringBuilder();
            do {
                if (chunk.length() > 0 && inputs.count() == 1) {
                    assertThat(chunk.position()).isEqualTo(position);
                    position += chunk.length();
                }
                text.append(part(chunk));
            } while (chunk.next());
            chunks.add(text.toString());
        }
        return chunks;
    }

    private static String part(Chunk chunk) {
        return new String(chunk.text(), chunk.from(), chunk.length(), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100, 301, 4096, 1 << 20})
    void chunksAreWholeRecordsAndTogetherTheInput(int chunkBytes) {
        String text = lines(500, chunkBytes);
        Path file = write("a.tbl", text);
        for (Dialect dialect : List.of(Dialect.tpch(), Dialect.csv())) {
            try (Inputs inputs =
                    Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream())) {
                List<String> chunks = chunks(inputs, dialect, chunkBytes);
                assertThat(String.join("", chunks)).isEqualTo(text);
                assertThat(chunks).allMatch(chunk -> chunk.isEmpty() || chunk.endsWith("\n"));
            }
        }
    }

    @Test
    void partsAreWholeRecordsAndTogetherTheChunk() {
        SplittableRandom random = new SplittableRandom(77);
        StringBuilder text = new StringBuilder();
        while (text.length() < 5 << 20) {
            int length = random.nextInt(20) == 0 ? random.nextInt(600_000) : random.nextInt(300);
            text.append("y".repeat(length)).append('\n');
        }
        Path file = write("a.tbl", text.append("end").toString());
        for (int chunkBytes : new int[] {ChunkReader.PART_BYTES, 1_000_000, 3 << 20}) {
            try (Inputs inputs =
                    Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream())) {
                long[] starts = {0};
                ChunkSupply supply = new ChunkSupply(inputs, Dialect.tpch(), starts, chunkBytes);
                Chunk chunk = new Chunk();
                Chunk whole = new Chunk();
                ChunkReader reader = new ChunkReader();
                ChunkReader other = new ChunkReader();
                int parts = 0;
                for (ChunkLease lease = supply.lease(chunk);
                        lease != null;
                        lease = supply.lease(chunk)) {
                    supply.read(lease, whole, other);
                    whole.readAll();
                    assertThat(whole.next()).isFalse();
                    supply.read(lease, chunk, reader);
                    assertThat(chunk.position()).isEqualTo(whole.position());
                    StringBuilder joined = new StringBuilder();
                    do {
                        parts++;
                        assertThat(chunk.position() - whole.position()).isEqualTo(joined.length());
                        String part = part(chunk);
                        assertThat(part.isEmpty() || part.endsWith("\n") || part.endsWith("end"))
                                .isTrue();
                        joined.append(part);
                    } while (chunk.next());
                    assertThat(joined.toString().equals(part(whole))).isTrue();
                }
                assertThat(parts).isGreaterThan(9);
            }
        }
    }

    @Test
    void theLastRecordNeedsNoLineEnd() {
        Path file = write("a.tbl", "1|x\n2|y");
        try (Inputs inputs =
                Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream())) {
            assertThat(chunks(inputs, Dialect.tpch(), 4)).containsExactly("1|x\n", "2|y");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1000, 100_000})
    void aPipeGivesTheSameRecordsAsAFileEvenAfterALookAtItsHead(int chunkBytes) {
        String text = lines(300, 9);
        try (Inputs inputs =
                Inputs.open(
                        List.of("-"),
                        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
            assertThat(inputs.head(0, 1000)).hasSize(1000);
            assertThat(inputs.head(0, 5000)).hasSize(5000);
            assertThat(String.join("", chunks(inputs, Dialect.tpch(), chunkBytes))).isEqualTo(text);
        }
    }

    @Test
    void aQuoteThatNeverClosesDoesNotStopTheCutting() {
        String text = "1,\"never closed\n" + "2,x\n".repeat(6_000_000);
        Path file = write("a.csv", text);
        try (Inputs inputs =
                Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream())) {
            List<String> chunks = chunks(inputs, Dialect.csv(), 1 << 20);
            assertThat(chunks.get(0).startsWith("1,\"never closed\n")).isTrue();
            assertThat(chunks.size()).isGreaterThan(1);
            assertThat(chunks.stream().mapToLong(String::length).sum()).isEqualTo(text.length());
        }
    }

    /** Part of its text may be gone with whoever asked: the next one would begin in the middle. */
    @Test
    void afterAFailureNoChunkIsHandedOut() throws IOException {
        String text = ("1,\"" + "y".repeat(90) + "\"\n").repeat(30_000);
        Path file = write("a.csv", text);
        try (Inputs inputs =
                Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream())) {
            ChunkSupply supply = new ChunkSupply(inputs, Dialect.csv(), new long[1], 1 << 20);
            Chunk chunk = new Chunk();
            ChunkReader reader = new ChunkReader();
            assertThat(supply.next(chunk, reader)).isTrue();
            long cut = chunk.to();
            write("a.csv", text.substring(0, (int) cut + 600_000));
            assertThatThrownBy(() -> supply.next(chunk, reader))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("shorter");
            write("a.csv", text);
            assertThat(supply.next(chunk, reader)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 20, 15 << 20, 64 << 20})
    void aRecordLongerThanAnyMayBeIsCutAndWhatFollowsIsNot(int chunkBytes) {
        String text = "1|a\n" + "x".repeat(40 << 20) + "\n2|b\n";
        Path file = write("a.tbl", text);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (Inputs inputs =
                Inputs.open(List.of(file.toString(), "-"), new ByteArrayInputStream(bytes))) {
            List<String> chunks = chunks(inputs, Dialect.tpch(), chunkBytes);
            // What is left of it ends without a line end where it is the end of its chunk.
            String whole = String.join("", chunks).replace("x2|", "x\n2|");
            assertThat(
                            whole.lines()
                                    .map(line ->
                                            line.length() > 3
                                                    ? "long: " + (line.length() > 16 << 20)
                                                    : line))
                    .containsExactly("1|a", "long: true", "2|b", "1|a", "long: true", "2|b");
        }
    }

    /** What a supply hands out that leaves some chunks out. */
    private static List<ChunkLease> leases(
            Inputs inputs, Dialect dialect, int chunkBytes, Map<Integer, ChunkLease> done) {
        ChunkSupply supply = new ChunkSupply(inputs, dialect, new long[inputs.count()], chunkBytes);
        supply.leaveOut(done);
        Chunk scratch = new Chunk();
        List<ChunkLease> leases = new ArrayList<>();
        for (ChunkLease lease = supply.lease(scratch);
                lease != null;
                lease = supply.lease(scratch)) {
            leases.add(lease);
        }
        return leases;
    }

    private static void checkAnyCanBeLeftOut(Inputs inputs, int chunkBytes) {
        List<ChunkLease> all = leases(inputs, Dialect.csv(), chunkBytes, Map.of());
        assertThat(all).hasSizeGreaterThan(2);
        for (ChunkLease missing : all) {
            Map<Integer, ChunkLease> done = new HashMap<>();
            all.forEach(lease -> done.put(lease.chunkId(), lease));
            done.remove(missing.chunkId());
            assertThat(leases(inputs, Dialect.csv(), chunkBytes, done)).containsExactly(missing);
        }
    }

    @Test
    void aChunkThatIsMissingAfterAQuoteThatNeverClosesIsCutAsBefore() {
        String text = "1,x\n2,\"never closed\n" + ("3," + "y".repeat(1_000) + "\n").repeat(24_000);
        Path file = write("a.csv", text);
        try (Inputs inputs =
                Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream())) {
            checkAnyCanBeLeftOut(inputs, 4 << 20);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 20, 64})
    void aChunkThatIsMissingAmongLongRecordsIsCutAsBefore(int chunkBytes) {
        String text = "1,x\n".repeat(5) + lines(20, chunkBytes) + "2,y\n".repeat(5) + "3,z";
        Path file = write("a.csv", text);
        Path other = write("b.csv", lines(3, 5));
        try (Inputs inputs =
                Inputs.open(
                        List.of(file.toString(), other.toString()),
                        ByteArrayInputStream.nullInputStream())) {
            checkAnyCanBeLeftOut(inputs, chunkBytes);
        }
    }

    @Test
    void chunksThatDoNotJoinAreRefused() {
        Path file = write("a.csv", "1,x\n".repeat(10));
        try (Inputs inputs =
                Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream())) {
            for (Dialect dialect : List.of(Dialect.csv(), Dialect.tpch())) {
                for (ChunkLease wrong :
                        List.of(
                                new ChunkLease(1, 0, 12, 16, true),
                                new ChunkLease(1, 1, 8, 16, true),
                                new ChunkLease(9, 0, 36, 40, true))) {
                    assertThatThrownBy(() ->
                                    leases(inputs, dialect, 8, Map.of(wrong.chunkId(), wrong)))
                            .isInstanceOf(PenstockException.class)
                            .hasMessageContaining("--resume");
                }
            }
        }
    }
}
