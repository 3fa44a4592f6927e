package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Chunks of quoted text that nobody has read when they are handed out. */
final class GuessedChunksTest {
    private static final int CHUNK_BYTES = 8000;
    private static final int FIELDS = 3;

    @TempDir private Path folder;

    private final StringBuilder text = new StringBuilder();
    private final NavigableSet<Integer> starts = new TreeSet<>();
    private Path file;
    private String record = "";

    @BeforeEach
    void write() throws IOException {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 5000; i++) {
            starts.add(text.length());
            String field = "a,\n\"\"b\r\n".repeat(random.nextInt(4)) + "x".repeat(i % 50);
            text.append(i).append(',');
            text.append(random.nextBoolean() ? "\"" + field + "\"" : "plain").append(",z\n");
        }
        starts.add(text.length());
        file = Files.writeString(folder.resolve("a.csv"), text);
    }

    private static Inputs open(Path... files) {
        List<String> names = new ArrayList<>();
        for (Path each : files) {
            names.add(each.toString());
        }
        return Inputs.open(names, ByteArrayInputStream.nullInputStream());
    }

    private static ChunkSupply supply(Inputs inputs) {
        return new ChunkSupply(inputs, Dialect.csv(), new long[inputs.count()], CHUNK_BYTES);
    }

    private static ChunkSupply guessing(Inputs inputs) {
        ChunkSupply supply = supply(inputs);
        supply.guess(FIELDS);
        return supply;
    }

    private static List<ChunkLease> rest(ChunkSupply supply, boolean guessed) {
        List<ChunkLease> leases = new ArrayList<>();
        Chunk chunk = new Chunk();
        while (supply.take(chunk)) {
            assertThat(chunk.isGuessed()).isEqualTo(guessed);
            leases.add(chunk.lease());
        }
        return leases;
    }

    @Test
    void chunks_are_whole_records_and_all_of_the_files() throws IOException {
        try (Inputs inputs = open(file, Files.copy(file, folder.resolve("b.csv")))) {
            ChunkSupply supply = guessing(inputs);
            long end = 0;
            int source = 0;
            for (ChunkLease lease : rest(supply, true)) {
                if (lease.source() != source) {
                    assertThat(end).isEqualTo(text.length());
                    source = lease.source();
                    end = 0;
                }
                assertThat(lease.from()).isEqualTo(end);
                assertThat(starts).contains((int) lease.to());
                assertThat(lease.to() - lease.from()).isBetween(1L, (long) CHUNK_BYTES);
                end = lease.to();
            }
            assertThat(source).isEqualTo(1);
            assertThat(end).isEqualTo(text.length());
            assertThat(supply.storedBytes()).isEqualTo(2L * text.length());
            assertThat(supply.isGuessed()).isTrue();
            assertThat(supply.prove(List.of())).isFalse();
            assertThat(supply.isGuessed()).isFalse();
        }
    }

    /** Chunks that are read at once to find a border, and longer ones, which are halved. */
    @ParameterizedTest
    @ValueSource(ints = {CHUNK_BYTES, 90_000})
    void edges_and_borders_are_those_of_records(int chunkBytes) {
        SplittableRandom random = new SplittableRandom(4);
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = new ChunkSupply(inputs, Dialect.csv(), new long[1], chunkBytes);
            supply.guess(FIELDS);
            Chunk chunk = new Chunk();
            ChunkReader reader = new ChunkReader();
            ChunkEdges edges = new ChunkEdges();
            while (supply.take(chunk)) {
                assertThat(supply.find(chunk.lease(), chunk, edges)).isTrue();
                int from = (int) edges.from();
                int to = (int) edges.to();
                assertThat(from).isEqualTo((int) chunk.lease().from());
                assertThat(to).isEqualTo((int) chunk.lease().to());
                edges.first(this::take);
                assertThat(record).isEqualTo(text.substring(from, starts.higher(from)));
                edges.last(this::take);
                assertThat(record).isEqualTo(text.substring(starts.lower(to), to));
                int first = number(text.substring(from, to));
                int border = first + 1 + random.nextInt(starts.subSet(from, to).size() - 1);
                long found =
                        edges.border((bytes, start, end) -> {
                            take(bytes, start, end);
                            return number(record) < border;
                        });
                assertThat(found).isEqualTo((long) List.copyOf(starts).get(border));
                ChunkLease rest = chunk.lease().after(found);
                supply.readTaken(rest, chunk, reader);
                assertThat(read(chunk)).isEqualTo(text.substring((int) found, to));
            }
        }
    }

    private int take(byte[] bytes, int from, int to) {
        record = new String(bytes, from, to - from, StandardCharsets.US_ASCII);
        return 0;
    }

    private static int number(String records) {
        return Integer.parseInt(records.substring(0, records.indexOf(',')));
    }

    private static String read(Chunk chunk) {
        return new String(chunk.text(), chunk.from(), chunk.length(), StandardCharsets.US_ASCII);
    }

    /** Until those that were guessed are proved. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7})
    void nothing_is_handed_out_once_guesses_have_ended(int guesses) {
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = guessing(inputs);
            Chunk chunk = new Chunk();
            List<ChunkLease> all = new ArrayList<>();
            for (int i = 0; i < guesses; i++) {
                assertThat(supply.take(chunk)).isTrue();
                all.add(chunk.lease());
            }
            supply.endGuesses();
            if (guesses > 0) {
                assertThat(supply.take(chunk)).isFalse();
                assertThat(supply.prove(List.copyOf(all))).isTrue();
            }
            all.addAll(rest(supply, false));
            long end = 0;
            for (ChunkLease lease : all) {
                assertThat(lease.from()).isEqualTo(end);
                end = lease.to();
            }
            assertThat(end).isEqualTo(text.length());

            ChunkSupply again = supply(inputs);
            again.repeat(supply);
            List<ChunkLease> repeated = new ArrayList<>();
            ChunkReader reader = new ChunkReader();
            while (again.next(chunk, reader)) {
                repeated.add(chunk.lease());
                assertThat(read(chunk))
                        .isEqualTo(
                                text.substring(
                                        (int) chunk.lease().from(), (int) chunk.lease().to()));
            }
            assertThat(repeated).isEqualTo(all);
        }
    }

    @Test
    void a_chunk_that_ends_within_a_record_is_found() {
        int open = text.indexOf("\n\"\"b") + 1;
        assertThat(starts).doesNotContain(open);
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = guessing(inputs);
            assertThat(supply.take(new Chunk())).isTrue();
            ChunkLease wrong = new ChunkLease(0, 0, 0, open, true);
            assertThatThrownBy(() -> supply.prove(List.of(wrong)))
                    .isInstanceOf(WrongGuess.class)
                    .hasMessageContaining("a.csv was cut within a record, at byte " + open);
            assertThat(supply.isGuessed()).isTrue();
        }
    }

    /** Long records are cut exactly, without a guess before. */
    @Test
    void text_of_which_nothing_can_be_told_is_read() throws IOException {
        StringBuilder longRecords = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            longRecords.append(i).append(",\"").append("y\n".repeat(3000)).append("\",z\n");
        }
        Path other = Files.writeString(folder.resolve("b.csv"), longRecords);
        try (Inputs inputs = open(other)) {
            ChunkSupply supply = guessing(inputs);
            assertThat(rest(supply, false)).hasSizeGreaterThan(10);
            assertThat(supply.isGuessed()).isFalse();
        }
        // After some that can be guessed: once these are proved.
        try (Inputs inputs = open(file, other)) {
            ChunkSupply supply = guessing(inputs);
            List<ChunkLease> guessed = rest(supply, true);
            assertThat(guessed.getLast().to()).isEqualTo(text.length());
            assertThat(supply.prove(List.of())).isTrue();
            assertThat(rest(supply, false)).hasSizeGreaterThan(10);
        }
    }

    @Test
    void records_of_one_field_are_not_guessed() {
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = supply(inputs);
            supply.guess(1);
            assertThat(rest(supply, false)).hasSizeGreaterThan(10);
        }
    }

    @Test
    void text_without_quotes_is_cut_by_arithmetic_as_ever() {
        try (Inputs inputs = open(file)) {
            ChunkSupply plain = new ChunkSupply(inputs, Dialect.tpch(), new long[1], CHUNK_BYTES);
            plain.guess(FIELDS);
            List<ChunkLease> leases = rest(plain, false);
            assertThat(leases.getFirst()).isEqualTo(new ChunkLease(0, 0, 0, CHUNK_BYTES, false));
        }
    }
}
