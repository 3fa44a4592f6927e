package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.reject.Reject;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/** A chunk that travels as text must become the same rows and rejects as one that does not. */
final class RawRouterTest {
    private static final long SEED = 8080L;

    /** Of all texts that are routed here. */
    private static final int CHUNK = 4;

    private static final TableSchema TABLE =
            TextRun.table(
                    List.of(
                            new Column("id", new ColumnType.IntegerType(), false),
                            new Column("n", new ColumnType.IntegerType(), true),
                            new Column("name", new ColumnType.VarcharType(30), true)));

    private record Routed(Map<Integer, byte[]> payloads, List<Reject> rejects) {
        byte[] payload(int region) {
            return Objects.requireNonNull(payloads.get(region));
        }
    }

    @Test
    void regionsTogetherGetTheRowsAndRejectsOfTheChunk() {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            Dialect dialect =
                    round % 2 == 0
                            ? Dialect.csv()
                            : Dialect.csv().withNewline(Dialect.Newline.ANY).withComment('#');
            byte[] text = text(random, 1 + random.nextInt(200)).getBytes(UTF_8);
            TextRun whole = TextRun.whole(TABLE, dialect, text);
            Routed routed = route(TABLE, dialect, text, List.of(key(0), key(30), key(60)));
            List<String> rows = new ArrayList<>();
            List<Reject> rejects = new ArrayList<>(routed.rejects());
            Deserialize server = new Deserialize(TABLE, dialect, List.of(0, 1, 2), 1);
            ColumnBatch batch = ColumnBatch.forColumns(TABLE.columns(), 1);
            for (byte[] payload : routed.payloads().values()) {
                batch.clear();
                server.runRaw(payload, payload.length, CHUNK, batch, rejects::add);
                rows.addAll(TextRun.of(TABLE, batch).rows);
            }
            String where = "seed " + SEED + ", round " + round;
            assertThat(rows).as(where).containsExactlyInAnyOrderElementsOf(whole.rows);
            rejects.sort(Comparator.comparingLong(Reject::bytePosition));
            assertThat(rejects.stream().map(RawRouterTest::shown).toList())
                    .as(where)
                    .isEqualTo(whole.rejects.stream().map(RawRouterTest::shown).toList());
        }
    }

    @Test
    void eachRegionGetsTheKeysFromItsStartOn() {
        byte[] text = "10,1,a\n30,2,b\n29,3,c\n60,4,d\n-5,5,e\n31,6,f\n".getBytes(UTF_8);
        Routed routed =
                route(TABLE, Dialect.csv(), text, List.of(new byte[0], key(30), key(60), key(90)));
        assertThat(rows(routed.payload(0))).containsExactly("10|1|a", "29|3|c", "-5|5|e");
        assertThat(rows(routed.payload(1))).containsExactly("30|2|b", "31|6|f");
        assertThat(rows(routed.payload(2))).containsExactly("60|4|d");
        assertThat(routed.payloads()).hasSize(3);
    }

    @Test
    void chunksInTheOrderOfKeysLeaveNoBufferForEachOfTheirRegions() {
        List<byte[]> starts = new ArrayList<>(List.of(new byte[0]));
        for (int region = 1; region < 50; region++) {
            starts.add(key(region));
        }
        Dialect dialect = Dialect.csv();
        RawRouter router = new RawRouter(TABLE, dialect, List.of(0, 1, 2), 1, starts);
        for (int region = 0; region < 50; region++) {
            byte[] text = (region + ",1,abcdefghijkl\n").repeat(20_000).getBytes(UTF_8);
            byte[] padded = Arrays.copyOf(text, text.length + Deserialize.PADDING);
            List<Integer> taken = new ArrayList<>();
            router.run(
                    padded,
                    0,
                    text.length,
                    7,
                    0,
                    region,
                    (to, payload, length, records) -> {
                        taken.add(to);
                        assertThat(records).isEqualTo(20_000);
                    },
                    reject -> taken.add(-1));
            assertThat(taken).containsExactly(region);
            assertThat(router.keptBytes()).isLessThan(5L * text.length);
        }
    }

    @Test
    void hiddenRowIdsAreThoseOfTheChunk() {
        TableSchema schema =
                TableSchema.declare(
                        "t",
                        List.of(new Column("n", new ColumnType.IntegerType(), true)),
                        List.of());
        byte[] text = "1\nx\n3\n4\n".getBytes(UTF_8);
        Deserialize step = new Deserialize(schema, Dialect.csv(), List.of(0), 1);
        ColumnBatch direct = ColumnBatch.forColumns(schema.columns(), 1);
        byte[] padded = Arrays.copyOf(text, text.length + Deserialize.PADDING);
        step.run(padded, 0, text.length, 7, 1000, 4, direct, r -> {});
        byte[] split = direct(schema, direct, 1);
        Routed routed = route(schema, Dialect.csv(), text, List.of(new byte[0], split));
        List<Long> ids = new ArrayList<>();
        for (byte[] payload : routed.payloads().values()) {
            ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 1);
            step.runRaw(payload, payload.length, CHUNK, batch, r -> {});
            for (int i = 0; i < batch.rowCount(); i++) {
                ids.add(((LongColumn) batch.column(1)).values()[i]);
            }
        }
        assertThat(routed.payloads()).hasSize(2);
        long base = 1L << 44 | 4L << 23;
        assertThat(ids).containsExactly(base, base | 2, base | 3);
    }

    @Test
    void aDamagedFragmentIsRefusedAsCorrupt() {
        byte[] text = "10,1,a\n30,2,\"b\n\"\n29,x,c\n".getBytes(UTF_8);
        byte[] payload = route(TABLE, Dialect.csv(), text, List.of(new byte[0])).payload(0);
        Deserialize step = new Deserialize(TABLE, Dialect.csv(), List.of(0, 1, 2), 1);
        ColumnBatch batch = ColumnBatch.forColumns(TABLE.columns(), 1);
        for (int length = 0; length < payload.length; length++) {
            int cut = length;
            assertThatThrownBy(() ->
                            step.runRaw(Arrays.copyOf(payload, cut), cut, CHUNK, batch, r -> {}))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT));
        }
        for (int bit = 0; bit < 8 * payload.length; bit++) {
            byte[] damaged = payload.clone();
            damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
            batch.clear();
            try {
                step.runRaw(damaged, damaged.length, CHUNK, batch, r -> {});
            } catch (PenstockException e) {
                assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT);
            }
        }
    }

    /** Its rows would have the ids of another chunk's, and its rejects that one's place. */
    @Test
    void aFragmentOfAnotherChunkIsRefusedAsCorrupt() {
        byte[] text = "10,1,a\n".getBytes(UTF_8);
        byte[] payload = route(TABLE, Dialect.csv(), text, List.of(new byte[0])).payload(0);
        Deserialize step = new Deserialize(TABLE, Dialect.csv(), List.of(0, 1, 2), 1);
        ColumnBatch batch = ColumnBatch.forColumns(TABLE.columns(), 1);
        assertThatThrownBy(() -> step.runRaw(payload, payload.length, CHUNK + 1, batch, r -> {}))
                .hasMessage("a raw fragment of chunk 4 came as of 5");
    }

    private static Routed route(
            TableSchema schema, Dialect dialect, byte[] text, List<byte[]> starts) {
        RawRouter router = new RawRouter(schema, dialect, TextRun.allFields(schema), 1, starts);
        byte[] padded = Arrays.copyOf(text, text.length + Deserialize.PADDING);
        Routed routed = new Routed(new TreeMap<>(), new ArrayList<>());
        router.run(
                padded,
                0,
                text.length,
                7,
                1000,
                CHUNK,
                (region, payload, length, records) -> {
                    byte[] copy = Arrays.copyOf(payload, length);
                    assertThat(RawFragment.read(copy, length).recordCount()).isEqualTo(records);
                    routed.payloads().put(region, copy);
                },
                routed.rejects()::add);
        return routed;
    }

    private static List<String> rows(byte[] payload) {
        ColumnBatch batch = ColumnBatch.forColumns(TABLE.columns(), 1);
        new Deserialize(TABLE, Dialect.csv(), List.of(0, 1, 2), 1)
                .runRaw(payload, payload.length, CHUNK, batch, r -> {});
        return TextRun.of(TABLE, batch).rows;
    }

    private static byte[] key(int id) {
        ColumnBatch batch = ColumnBatch.forColumns(TABLE.columns(), 1);
        batch.longs(0).values()[0] = id;
        return new KeyCodec(TABLE).encode(batch, 0);
    }

    private static byte[] direct(TableSchema schema, ColumnBatch batch, int row) {
        return new KeyCodec(schema).encode(batch, row);
    }

    private static String shown(Reject reject) {
        return reject.reason()
                + " "
                + reject.sourceIndex()
                + " "
                + reject.bytePosition()
                + " "
                + reject.columnName()
                + " "
                + reject.value()
                + " "
                + reject.expected()
                + " "
                + new String(reject.record(), UTF_8);
    }

    private static String text(Random random, int records) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < records; i++) {
            String id = random.nextInt(12) == 0 ? "x" : "" + random.nextInt(90);
            String n = random.nextInt(12) == 0 ? "y" : random.nextInt(4) == 0 ? "" : "" + i;
            String name =
                    switch (random.nextInt(12)) {
                        case 0 -> "\"a\n" + i + "\"";
                        case 1 -> "\"a\"\"b\r\n,\"";
                        case 2 -> "\"\"";
                        case 3 -> "stray\"quote";
                        case 4 -> random.nextInt(4) == 0 ? "\"bad\"text" : "e\r";
                        case 5 -> "much too long to be a name in this table";
                        case 6 -> "f,g";
                        default -> "n" + i;
                    };
            text.append(id).append(',').append(n).append(',').append(name);
            boolean last = i == records - 1;
            text.append(last && random.nextBoolean() ? "" : random.nextBoolean() ? "\n" : "\r\n");
            if (random.nextInt(20) == 0) {
                text.append("#comment \"\n");
            }
        }
        if (random.nextInt(5) == 0) {
            text.append("1,2,\"never closed\n3,4,z");
        }
        return text.toString();
    }
}
