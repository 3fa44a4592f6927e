package dev.penstock.loader.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Workers that say nothing; intervals pass when the test says so. */
@Timeout(60)
final class WorkerWatchTest {
    /** Reads its input, and never says a word. */
    private static final List<String> SILENT = List.of("sh", "-c", "cat > /dev/null");

    /** More than a pipe takes. */
    private static final Message LONG = new Message.Failed(ErrorCategory.IO, "x".repeat(4 << 20));

    /** Closed after processes, for whose end they may wait. */
    private static ExecutorService threads() {
        return Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    }

    @Test
    void a_worker_that_is_waited_for_in_vain_ends_the_load_by_name() throws Exception {
        try (ExecutorService threads = threads();
                WorkerProcess worker = WorkerProcess.start(2, SILENT)) {
            List<PenstockException> said = new ArrayList<>();
            WorkerWatch watch = new WorkerWatch(List.of(worker), said::add);
            for (int i = 0; i <= Patience.MOST_INTERVALS; i++) {
                watch.look();
            }
            assertThat(said).as("nobody waits for it").isEmpty();
            Future<Message> answer = threads.submit(worker::receive);
            lookUntilSaid(watch, said);
            assertThat(answer).isNotDone();
            assertThat(said.getFirst())
                    .hasMessage(
                            worker.name() + " gave no sign of life for 60 s, which ended the load.")
                    .returns(ErrorCategory.IO, PenstockException::category);
            end(worker);
            assertThatThrownBy(answer::get).hasMessageContaining("in the middle of the load");
        }
    }

    /** Looks until something is said, or the test has taken too long. */
    private static void lookUntilSaid(WorkerWatch watch, List<PenstockException> said) {
        while (said.isEmpty() && !Thread.currentThread().isInterrupted()) {
            watch.look();
        }
        assertThat(said).isNotEmpty();
    }

    private static void end(WorkerProcess worker) {
        worker.close();
    }

    /** It takes as much as the pipe does. */
    @Test
    void a_worker_that_reads_nothing_is_noticed_too() {
        try (ExecutorService threads = threads();
                WorkerProcess worker = WorkerProcess.start(1, List.of("sleep", "1000"))) {
            List<PenstockException> said = new ArrayList<>();
            WorkerWatch watch = new WorkerWatch(List.of(worker), said::add);
            Future<?> sending = threads.submit(() -> worker.send(LONG));
            lookUntilSaid(watch, said);
            end(worker);
            assertThatThrownBy(sending::get).hasMessageContaining("in the middle of the load");
        }
    }

    @Test
    void a_sign_of_life_renews_the_patience() {
        Patience patience = new Patience();
        for (int times = 0; times < 3; times++) {
            patience.begin();
            for (int i = 0; i < Patience.MOST_INTERVALS; i++) {
                assertThat(patience.count()).isFalse();
            }
            patience.end();
            assertThat(patience.count()).isFalse();
        }
        patience.begin();
        for (int i = 0; i < Patience.MOST_INTERVALS; i++) {
            assertThat(patience.count()).isFalse();
        }
        assertThat(patience.count()).isTrue();
    }

    @Test
    void what_a_worker_that_was_given_up_has_said_counts_for_nothing() throws Exception {
        String alive = new Message.Alive().line();
        String twice = "printf '%s\\n%s\\n' '" + alive + "' '" + alive + "'; exec sleep 1000";
        try (WorkerProcess worker = WorkerProcess.start(1, List.of("sh", "-c", twice))) {
            assertThat(worker.receive()).isEqualTo(new Message.Alive());
            end(worker);
            assertThatThrownBy(worker::receive).hasMessageContaining("in the middle of the load");
        }
    }

    /**
     * The worker takes one byte, and leaves a process that keeps its pipe open, as one does that
     * cannot be killed.
     */
    @Test
    void who_gives_up_a_worker_does_not_wait_for_whoever_writes_to_it(@TempDir Path folder)
            throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        String leaving =
                "exec 3<&0; cat '%s' 2> /dev/null & head -c 1 > /dev/null; echo '%s'; exec sleep 1000"
                        .formatted(pipe, new Message.Alive().line());
        try (ExecutorService threads = threads();
                WorkerProcess worker = WorkerProcess.start(1, List.of("sh", "-c", leaving))) {
            Future<?> sending;
            try (OutputStream _ = Files.newOutputStream(pipe)) {
                sending = threads.submit(() -> worker.send(LONG));
                assertThat(worker.receive()).isEqualTo(new Message.Alive());
                threads.submit(() -> end(worker)).get();
                assertThat(sending).isNotDone();
            }
            assertThatThrownBy(sending::get).hasMessageContaining("in the middle of the load");
        }
    }

    @Test
    void memory_that_is_used_up_for_a_moment_does_not_end_the_signs_of_life() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Iterator<Boolean> full = List.of(true, false, true, false).iterator();
        PrintStream sometimesFull =
                new PrintStream(out, true, StandardCharsets.UTF_8) {
                    @Override
                    public void write(byte[] bytes, int offset, int length) {
                        if (full.next()) {
                            throw new OutOfMemoryError("as the test says");
                        }
                        super.write(bytes, offset, length);
                    }
                };
        Iterator<Boolean> passes = List.of(true, true, true, true, false).iterator();
        assertThatCode(() -> Heartbeat.beat(new Wire(sometimesFull), passes::next))
                .doesNotThrowAnyException();
        assertThat(out.toString(StandardCharsets.UTF_8).lines().map(Message::parse))
                .containsExactly(new Message.Alive(), new Message.Alive());
    }

    @Test
    void a_worker_says_that_it_is_there_once_in_each_interval() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Wire wire = new Wire(new PrintStream(out, true, StandardCharsets.UTF_8));
        Iterator<Boolean> passes = List.of(true, true, true, false).iterator();
        Heartbeat.beat(wire, passes::next);
        assertThat(out.toString(StandardCharsets.UTF_8).lines().map(Message::parse))
                .containsExactly(new Message.Alive(), new Message.Alive(), new Message.Alive());
    }
}
