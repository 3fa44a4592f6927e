package dev.penstock.loader.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Workers that say nothing; intervals pass when the test says so. */
final class WorkerWatchTest {
    /** Reads its input, and never says a word. */
    private static final List<String> SILENT = List.of("sh", "-c", "cat > /dev/null");

    @Test
    void a_worker_that_is_waited_for_in_vain_ends_the_load_by_name() throws Exception {
        try (WorkerProcess worker = WorkerProcess.start(2, SILENT);
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            List<PenstockException> said = new ArrayList<>();
            WorkerWatch watch = new WorkerWatch(List.of(worker), said::add);
            for (int i = 0; i <= Patience.MOST_INTERVALS; i++) {
                watch.look();
            }
            assertThat(said).as("nobody waits for it").isEmpty();
            Future<Message> answer = threads.submit(worker::receive);
            while (said.isEmpty()) {
                watch.look();
            }
            assertThat(answer).isNotDone();
            assertThat(said.getFirst())
                    .hasMessage(
                            worker.name() + " gave no sign of life for 60 s; the load was aborted.")
                    .returns(ErrorCategory.IO, PenstockException::category);
            end(worker);
            assertThatThrownBy(answer::get).hasMessageContaining("in the middle of the load");
        }
    }

    private static void end(WorkerProcess worker) {
        worker.close();
    }

    /** It takes as much as the pipe does. */
    @Test
    void a_worker_that_reads_nothing_is_noticed_too() {
        try (WorkerProcess worker = WorkerProcess.start(1, List.of("sleep", "1000"));
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            List<PenstockException> said = new ArrayList<>();
            WorkerWatch watch = new WorkerWatch(List.of(worker), said::add);
            Message message = new Message.Failed(ErrorCategory.IO, "x".repeat(4 << 20));
            Future<?> sending = threads.submit(() -> worker.send(message));
            while (said.isEmpty()) {
                watch.look();
            }
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
    void a_worker_says_that_it_is_there_once_in_each_interval() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Wire wire = new Wire(new PrintStream(out, true, StandardCharsets.UTF_8));
        Iterator<Boolean> passes = List.of(true, true, true, false).iterator();
        Heartbeat.beat(wire, passes::next);
        assertThat(out.toString(StandardCharsets.UTF_8).lines().map(Message::parse))
                .containsExactly(new Message.Alive(), new Message.Alive(), new Message.Alive());
    }
}
