package dev.penstock.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;

final class PumpedInputTest {
    @Test
    void all_bytes_come_through_in_order() throws IOException {
        byte[] bytes = new byte[5_000_003];
        new Random(20_261_123).nextBytes(bytes);
        assertThat(new PumpedInput(new ByteArrayInputStream(bytes)).readAllBytes())
                .isEqualTo(bytes);
        assertThat(new PumpedInput(InputStream.nullInputStream()).read()).isEqualTo(-1);
    }

    @Test
    @Timeout(60)
    void a_source_that_breaks_fails_the_read() {
        InputStream broken =
                new InputStream() {
                    @Override
                    public int read() {
                        throw new IllegalStateException("no more of it");
                    }

                    @Override
                    public int read(byte[] into, int offset, int length) {
                        return read();
                    }
                };
        assertThatThrownBy(() -> new PumpedInput(broken).read())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no more of it");
    }

    @Test
    @Timeout(60)
    void a_read_that_waits_for_ever_can_be_given_up() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        InputStream silent =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        return read(new byte[1], 0, 1);
                    }

                    @Override
                    public int read(byte[] target, int offset, int length) throws IOException {
                        asked.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                        return -1;
                    }
                };
        PumpedInput input = new PumpedInput(silent);
        CompletableFuture<Integer> read =
                CompletableFuture.supplyAsync(() -> {
                    try {
                        return input.read();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
        asked.await();
        input.giveUp();
        assertThatThrownBy(read::get)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("the input was given up");
    }

    @Test
    void a_failing_source_fails_the_reader_after_what_it_gave() throws IOException {
        InputStream failing =
                new InputStream() {
                    private int count;

                    @Override
                    public int read() throws IOException {
                        throw new IOException("pulled out");
                    }

                    @Override
                    public int read(byte[] target, int offset, int length) throws IOException {
                        if (count++ > 0) {
                            throw new IOException("pulled out");
                        }
                        target[offset] = 7;
                        return 1;
                    }
                };
        PumpedInput input = new PumpedInput(failing);
        assertThat(input.read()).isEqualTo(7);
        assertThatThrownBy(input::read).hasMessage("pulled out");
    }
}
