package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dialect.Dialect;
import dev.penstock.step.ChunkText;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** The edges of chunks are those that reading them finds. */
class ChunkEdgesTest {
    @TempDir Path folder;

    private String record = "";

    @ParameterizedTest
    @ValueSource(ints = {90, 301, 4096, 50_000, 1 << 20})
    void edgesAreThoseOfTheChunkReader(int chunkBytes) throws IOException {
        for (boolean openEnd : new boolean[] {false, true}) {
            String text = lines(3000, chunkBytes, 80);
            check(openEnd ? text.substring(0, text.length() - 1) : text, chunkBytes, 0);
            check(text, chunkBytes, text.indexOf('\n') + 1);
        }
    }

    private void check(String text, int chunkBytes, int dataStart) throws IOException {
        Path file = Files.writeString(folder.resolve("a.tbl"), text);
        try (Inputs inputs = open(file)) {
            ChunkSupply supply =
                    new ChunkSupply(inputs, Dialect.tpch(), new long[] {dataStart}, chunkBytes);
            Chunk chunk = new Chunk();
            ChunkReader reader = new ChunkReader();
            ChunkEdges edges = new ChunkEdges();
            long end = dataStart;
            while (supply.take(chunk)) {
                boolean found = supply.find(chunk.lease(), chunk, edges);
                supply.readTaken(chunk.lease(), chunk, reader);
                chunk.readAll();
                assertThat(found).isEqualTo(chunk.length() > 0);
                if (found) {
                    assertThat(edges.from()).isEqualTo(chunk.position()).isEqualTo(end);
                    assertThat(edges.to() - edges.from()).isEqualTo(chunk.length());
                    end = edges.to();
                    String all = text.substring((int) edges.from(), (int) end);
                    edges.first(this::take);
                    assertThat(record).isEqualTo(all.substring(0, lineEnd(all)));
                    edges.last(this::take);
                    assertThat(record)
                            .isEqualTo(all.substring(all.lastIndexOf('\n', all.length() - 2) + 1));
                }
            }
            assertThat(end).isEqualTo(text.length());
        }
    }

    private static int lineEnd(String text) {
        int at = text.indexOf('\n');
        return at < 0 ? text.length() : at + 1;
    }

    private int take(byte[] text, int from, int to) {
        record = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
        return 0;
    }

    @Test
    void theBorderIsTheFirstRecordBehindIt() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        String text = lines(6000, 1, 120);
        Path file = Files.writeString(folder.resolve("a.tbl"), text);
        try (Inputs inputs = open(file)) {
            for (int round = 0; round < 60; round++) {
                int chunkBytes = 200 + random.nextInt(300_000);
                ChunkSupply supply =
                        new ChunkSupply(inputs, Dialect.tpch(), new long[1], chunkBytes);
                Chunk chunk = new Chunk();
                ChunkEdges edges = new ChunkEdges();
                assertThat(supply.take(chunk)).isTrue();
                assertThat(supply.find(chunk.lease(), chunk, edges)).isTrue();
                int last = number(text.substring(0, (int) edges.to()), (int) edges.to() - 1);
                int border = 1 + random.nextInt(Math.max(1, last));
                long found =
                        edges.border((bytes, from, to) -> {
                            take(bytes, from, to);
                            return number(record, record.length() - 1) < border;
                        });
                assertThat(found).isEqualTo(text.indexOf("\n" + border + "|") + 1);
            }
        }
    }

    /** The number of the line that ends at a place. */
    private static int number(String text, int end) {
        int from = text.lastIndexOf('\n', end - 1) + 1;
        return Integer.parseInt(text.substring(from, text.indexOf('|', from)));
    }

    /** Fields between quotes, with line ends in them. */
    @ParameterizedTest
    @ValueSource(ints = {700, 4096, 50_000, 1 << 20})
    void edgesOfQuotedTextAreThoseOfItsRecords(int chunkBytes) throws IOException {
        SplittableRandom random = new SplittableRandom(chunkBytes);
        StringBuilder text = new StringBuilder();
        NavigableSet<Integer> starts = new TreeSet<>();
        for (int i = 0; i < 2000; i++) {
            starts.add(text.length());
            String field = "a,\n\"\"b\r\n".repeat(random.nextInt(4)) + "x".repeat(i % 50);
            text.append(i).append(',');
            text.append(random.nextBoolean() ? "\"" + field + "\"" : "plain").append('\n');
        }
        starts.add(text.length());
        Path file = Files.writeString(folder.resolve("a.csv"), text);
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = new ChunkSupply(inputs, Dialect.csv(), new long[1], chunkBytes);
            Chunk chunk = new Chunk();
            ChunkEdges edges = new ChunkEdges();
            int chunks = 0;
            int known = 0;
            while (supply.take(chunk)) {
                if (supply.find(chunk.lease(), chunk, edges)) {
                    chunks++;
                    known += chunk.quotes().areKnown() ? 1 : 0;
                    checkQuoted(text.toString(), starts, chunk, edges, random);
                }
            }
            assertThat(chunks).isGreaterThanOrEqualTo(text.length() / chunkBytes);
            assertThat(known).isGreaterThanOrEqualTo(text.length() / chunkBytes / 2);
        }
    }

    private void checkQuoted(
            String text,
            NavigableSet<Integer> starts,
            Chunk chunk,
            ChunkEdges edges,
            SplittableRandom random) {
        int from = (int) edges.from();
        int to = (int) edges.to();
        assertThat(starts).contains(from, to);
        edges.first(this::take);
        assertThat(record).isEqualTo(text.substring(from, starts.higher(from)));
        edges.last(this::take);
        assertThat(record).isEqualTo(text.substring(starts.lower(to), to));
        if (starts.higher(from) < to) {
            int first = Integer.parseInt(text.substring(from, text.indexOf(',', from)));
            int count = starts.subSet(from, to).size();
            int border = first + 1 + random.nextInt(count - 1);
            long found =
                    edges.border((bytes, start, end) -> {
                        take(bytes, start, end);
                        return Integer.parseInt(record.substring(0, record.indexOf(','))) < border;
                    });
            boolean known = chunk.quotes().areKnown();
            assertThat(found).isEqualTo(known ? List.copyOf(starts).get(border) : -1L);
            assertThat(chunk.lease().after(found).from()).isEqualTo(found);
        }
    }

    /** More quotes than are kept: where records end between the first and the last is not known. */
    @Test
    void textFullOfQuotesHasEdgesAndNoBorders() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 90_000; i++) {
            text.append('"').append(i).append("\",\"\n\"\n");
        }
        Path file = Files.writeString(folder.resolve("a.csv"), text);
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = new ChunkSupply(inputs, Dialect.csv(), new long[1], 1 << 22);
            Chunk chunk = new Chunk();
            ChunkEdges edges = new ChunkEdges();
            assertThat(supply.take(chunk)).isTrue();
            assertThat(chunk.quotes().areKnown()).isFalse();
            assertThat(supply.find(chunk.lease(), chunk, edges)).isTrue();
            assertThat(edges.from()).isZero();
            assertThat(edges.to()).isEqualTo(text.length());
            edges.first(this::take);
            assertThat(record).isEqualTo("\"0\",\"\n\"\n");
            edges.last(this::take);
            assertThat(record).isEqualTo("\"89999\",\"\n\"\n");
            assertThat(edges.border((bytes, from, to) -> true)).isEqualTo(-1);
        }
    }

    /** Of which only the beginning is there. */
    @Test
    void linesThatAreNoRecordsHaveNoEdges() throws IOException {
        byte[] text = new byte[40 << 20];
        Arrays.fill(text, (byte) 'x');
        text[0] = '"';
        text[text.length - 3] = '\n';
        Path file = Files.write(folder.resolve("a.csv"), text);
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = new ChunkSupply(inputs, Dialect.csv(), new long[1], 1 << 20);
            Chunk chunk = new Chunk();
            assertThat(supply.take(chunk)).isTrue();
            assertThat(chunk.lease().to()).isEqualTo(text.length - 2);
            assertThat(supply.find(chunk.lease(), chunk, new ChunkEdges())).isFalse();
        }
    }

    @Test
    void longRecordsAtAnEdgeAreNotLookedFor() throws IOException {
        String text = "1|" + "x".repeat(40_000) + "\n2|y\n3|z\n";
        Path file = Files.writeString(folder.resolve("a.tbl"), text);
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = new ChunkSupply(inputs, Dialect.tpch(), new long[1], 1 << 20);
            Chunk chunk = new Chunk();
            assertThat(supply.take(chunk)).isTrue();
            assertThat(supply.find(chunk.lease(), chunk, new ChunkEdges())).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void textsThatNoMessageHoldsDoNotTravel(int more) throws IOException {
        int length = ChunkText.MOST_BYTES + more;
        byte[] text = new byte[length + 2];
        Arrays.fill(text, (byte) '\n');
        Path file = Files.write(folder.resolve("a.tbl"), text);
        try (Inputs inputs = open(file)) {
            ChunkSupply supply = new ChunkSupply(inputs, Dialect.tpch(), new long[1], length);
            Chunk chunk = new Chunk();
            assertThat(supply.take(chunk)).isTrue();
            assertThat(chunk.lease().to()).isEqualTo(length);
            assertThat(supply.find(chunk.lease(), chunk, new ChunkEdges())).isEqualTo(more == 0);
        }
    }

    private static Inputs open(Path file) {
        return Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream());
    }

    private static String lines(int count, long seed, int most) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i).append('|').append("x".repeat(random.nextInt(most))).append('\n');
        }
        return text.toString();
    }
}
