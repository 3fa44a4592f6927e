package dev.penstock.loader.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.key.KeyCodec;
import dev.penstock.key.KeyRange;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.fake.TestTables;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkReader;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.Inputs;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.RegionMap;
import dev.penstock.target.Verification;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keys that are looked for in one chunk of many pieces. */
final class KeySearchTest {
    private static final int RECORDS = 20_000;
    private static final List<Integer> WANTED = List.of(0, 7, 1_700, 12_000, RECORDS - 1);

    @TempDir private Path folder;

    private static LoadSetup setup(Dialect dialect) {
        return new LoadSetup(
                TestTables.ORDERS,
                dialect,
                List.of(0, 1, 2, 3, 4),
                "load",
                1,
                OffloadPolicy.SELECT,
                FragmentForm.SORTED,
                DuplicatePolicy.REJECT,
                Verification.OFF,
                TokenTables.NONE,
                new RegionMap(
                        "orders",
                        List.of(new RegionInfo(1, new KeyRange(new byte[0], new byte[0]), "s"))));
    }

    private static byte[] key(int id) {
        ColumnBatch batch = ColumnBatch.forColumns(TestTables.ORDERS.columns(), 1);
        batch.longs(0).values()[0] = id;
        return new KeyCodec(TestTables.ORDERS).encode(batch, 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void they_are_found_where_they_are_with_the_memory_of_a_piece(boolean quoted) throws Exception {
        Dialect dialect = quoted ? Dialect.csv() : Dialect.csv().withQuote(Dialect.NONE);
        String note =
                quoted ? "\"a \"\"note\"\",\nof two lines" + "x".repeat(60) + "\"" : "n".repeat(80);
        StringBuilder text = new StringBuilder();
        List<Long> expected = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            if (WANTED.contains(i)) {
                expected.add((long) text.length());
            }
            text.append(i == 4 ? "bad" : "" + i).append(",open,1.50,2024-01-01,").append(note);
            text.append('\n');
        }
        Path file = Files.writeString(folder.resolve("orders.csv"), text);
        KeySearch<Integer> search = new KeySearch<>(setup(dialect));
        WANTED.forEach(id -> search.add(key(id), () -> id));
        List<Integer> found = new ArrayList<>();
        List<Long> positions = new ArrayList<>();
        try (Inputs inputs = Inputs.open(List.of(file.toString()), InputStream.nullInputStream())) {
            ChunkSupply supply = new ChunkSupply(inputs, dialect, new long[1], 16 << 20);
            Chunk chunk = new Chunk();
            assertThat(supply.next(chunk, new ChunkReader())).isTrue();
            search.visit(
                    chunk,
                    (id, from, _) -> {
                        found.add(id);
                        positions.add(chunk.position() + from - chunk.from());
                    });
            assertThat(search.rowCapacity()).isLessThan(RECORDS / 2);
        }
        assertThat(found).isEqualTo(WANTED);
        assertThat(positions).isEqualTo(expected);
    }
}
