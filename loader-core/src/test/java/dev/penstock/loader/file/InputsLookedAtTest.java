package dev.penstock.loader.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** How early the supply of chunks finds that somebody writes to an input. */
final class InputsLookedAtTest {
    private static final int CHUNK_BYTES = 1 << 10;

    @TempDir private Path folder;

    private List<Path> write(int count) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(
                    Files.writeString(
                            folder.resolve("in-%03d.csv".formatted(i)),
                            "1,some text\n".repeat(200)));
        }
        return files;
    }

    private Inputs open() {
        return Inputs.open(List.of(folder.toString()), InputStream.nullInputStream());
    }

    /** One to which an hour passes from chunk to chunk. */
    private static ChunkSupply supply(Inputs inputs, Dialect dialect) {
        AtomicLong hours = new AtomicLong();
        return new ChunkSupply(
                inputs,
                dialect,
                new long[inputs.count()],
                CHUNK_BYTES,
                () -> TimeUnit.HOURS.toNanos(hours.incrementAndGet()));
    }

    private static void append(Path file) throws IOException {
        Files.writeString(file, "2,more\n", StandardOpenOption.APPEND);
    }

    /** The input of the last chunk that is handed out before the change is found. */
    private static int lastSource(ChunkSupply supply, Path changed) {
        Chunk chunk = new Chunk();
        List<Integer> sources = new ArrayList<>(List.of(0));
        assertThatThrownBy(
                        () -> {
                            ChunkLease lease = supply.lease(chunk);
                            while (lease != null) {
                                sources.add(lease.source());
                                lease = supply.lease(chunk);
                            }
                        })
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.DATA))
                .hasMessageContaining(changed + " changed from ")
                .hasMessageContaining("load it again when it stays as it is");
        return sources.getLast();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void any_of_a_few_is_found_with_the_next_chunk(boolean quoted) throws IOException {
        List<Path> files = write(OpenFiles.OTHERS_LOOKED_AT);
        try (Inputs inputs = open()) {
            ChunkSupply supply = supply(inputs, quoted ? Dialect.csv() : Dialect.tpch());
            supply.lease(new Chunk());
            append(files.getLast());
            assertThat(lastSource(supply, files.getLast())).isZero();
        }
    }

    @Test
    void one_of_many_is_found_when_its_turn_comes() throws IOException {
        List<Path> files = write(300);
        try (Inputs inputs = open()) {
            ChunkSupply supply = supply(inputs, Dialect.tpch());
            supply.lease(new Chunk());
            append(files.getLast());
            assertThat(lastSource(supply, files.getLast()))
                    .isLessThanOrEqualTo(300 / OpenFiles.OTHERS_LOOKED_AT);
        }
    }

    @Test
    void one_that_changed_before_the_first_chunk_is_found_before_any_is_read() throws IOException {
        write(2);
        Path empty = Files.createFile(folder.resolve("z.log"));
        try (Inputs inputs = open()) {
            append(empty);
            assertThatThrownBy(() -> supply(inputs, Dialect.csv()).lease(new Chunk()))
                    .hasMessageContaining("z.log changed from 0 to 7 bytes while it was loaded");
        }
    }

    @Test
    void none_is_looked_at_again_at_once() throws IOException {
        List<Path> files = write(3);
        try (Inputs inputs = open()) {
            ChunkSupply supply =
                    new ChunkSupply(
                            inputs, Dialect.tpch(), new long[inputs.count()], CHUNK_BYTES, () -> 7);
            Chunk chunk = new Chunk();
            supply.lease(chunk);
            append(files.getFirst());
            int chunks = 1;
            while (supply.lease(chunk) != null) {
                chunks++;
            }
            assertThat(chunks).isEqualTo(9);
            assertThatThrownBy(inputs::checkUnchanged)
                    .hasMessageContaining(files.getFirst() + " changed from ");
        }
    }
}
