package dev.penstock.kv.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Interrupts, which close channels in Java, under a file that others go on to use. */
final class NioFileTest {
    private static final int WRITES = 2_000;
    private static final int WRITES_PER_FORCE = 20;

    @TempDir private Path folder;
    private final NioStorage storage = new NioStorage();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    @Test
    void an_interrupted_thread_writes_forces_and_stays_interrupted() throws IOException {
        Path path = folder.resolve("log");
        StorageFile file = storage.create(path);
        Thread.currentThread().interrupt();
        file.write(number(7), 0, 4);
        file.force();
        file.reserve(100);
        file.cutBack(4);
        assertThat(Thread.interrupted()).isTrue();
        file.write(number(8), 0, 4);
        file.force();
        file.close();
        assertThat(Files.readAllBytes(path)).containsExactly(0, 0, 0, 7, 0, 0, 0, 8);
    }

    @Test
    void interrupts_in_the_middle_lose_nothing_for_anybody() throws Exception {
        Path unfinished = folder.resolve("log.new");
        Path path = folder.resolve("log");
        StorageFile file = storage.create(unfinished);
        storage.rename(unfinished, path);
        file.renamed(path);
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            Thread[] writer = new Thread[1];
            Future<?> writes =
                    executor.submit(() -> {
                        writer[0] = Thread.currentThread();
                        for (int i = 0; i < WRITES; i++) {
                            file.write(number(i), 0, 4);
                            if (i % WRITES_PER_FORCE == 0) {
                                file.force();
                            }
                        }
                    });
            Future<?> forces =
                    executor.submit(() -> {
                        while (!writes.isDone()) {
                            file.force();
                        }
                    });
            while (!writes.isDone()) {
                if (writer[0] != null) {
                    writer[0].interrupt();
                }
            }
            writes.get();
            forces.get();
        }
        file.close();
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
        assertThat(bytes.remaining()).isEqualTo(4 * WRITES);
        for (int i = 0; i < WRITES; i++) {
            assertThat(bytes.getInt()).isEqualTo(i);
        }
    }

    /** A log that is written anew takes the name of the old one, which nobody may write to. */
    @Test
    void another_file_of_the_same_name_is_never_written_to() throws IOException {
        Path path = folder.resolve("log");
        StorageFile old = storage.create(path);
        Path next = Files.write(folder.resolve("next"), number(1));
        storage.rename(next, path);
        interruptWithin(old);
        Thread.interrupted();
        assertThatThrownBy(() -> old.write(number(9), 0, 4))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("it does not exist");
        assertThat(Files.readAllBytes(path)).containsExactly(0, 0, 0, 1);
        old.close();
    }

    /** Interrupts a thread until that has closed the channel under it. */
    private static void interruptWithin(StorageFile file) {
        Thread writer =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                while (true) {
                                    file.force();
                                }
                            } catch (PenstockException e) {
                                // The file cannot be opened again.
                            }
                        });
        while (writer.isAlive()) {
            writer.interrupt();
        }
    }
}
