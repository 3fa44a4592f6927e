package dev.penstock.kv.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.AckListener;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class StoreLoadSessionTest {
    private static final ServerDescriptor SERVER = new ServerDescriptor("id", "host:1");
    private static final FragmentHeader HEADER = new FragmentHeader(3, 7, FragmentForm.SORTED, 10);

    /**
     * Fails fragments a given number of times, on this thread or the listener's, then takes them.
     */
    private static class FakeCluster implements Cluster {
        final AtomicInteger attempts = new AtomicInteger();
        final List<Byte> firstBytes = Collections.synchronizedList(new ArrayList<>());
        private final int failures;
        private final ErrorCategory category;
        private final boolean answersAtOnce;

        FakeCluster(int failures, ErrorCategory category) {
            this(failures, category, false);
        }

        FakeCluster(int failures, ErrorCategory category, boolean answersAtOnce) {
            this.failures = failures;
            this.category = category;
            this.answersAtOnce = answersAtOnce;
        }

        @Override
        public void fragment(
                ServerDescriptor server,
                String loadId,
                FragmentHeader header,
                byte[] payload,
                int length,
                FragmentListener listener) {
            int attempt = attempts.incrementAndGet();
            firstBytes.add(payload[0]);
            if (attempt > failures) {
                listener.acknowledged(
                        new FragmentAck(
                                header.chunkId(), header.regionId(), 10, List.of(), new BitSet()));
            } else if (attempt % 2 == 0) {
                listener.failed(new PenstockException(category, "lost on the way " + attempt));
            } else {
                throw new PenstockException(category, "not sent " + attempt);
            }
        }

        @Override
        public MetadataService metadata() {
            throw new UnsupportedOperationException();
        }

        @Override
        public RegionService locate(ServerDescriptor server) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String address() {
            return "fake:";
        }

        @Override
        public boolean answersAtOnce() {
            return answersAtOnce;
        }

        @Override
        public long transferNanos() {
            return 0;
        }

        @Override
        public Invitation invite(String table) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    /** Answers nothing. */
    private static final class SilentCluster extends FakeCluster {
        SilentCluster() {
            super(0, ErrorCategory.RETRY);
        }

        @Override
        public void fragment(
                ServerDescriptor server,
                String loadId,
                FragmentHeader header,
                byte[] payload,
                int length,
                FragmentListener listener) {
            attempts.incrementAndGet();
        }
    }

    @Test
    void nobodyWaitsForAnswersOnceALoadIsGivenUp() throws Exception {
        StoreLoadSession session = session(new SilentCluster(), _ -> {});
        session.flush();
        session.send(HEADER, new byte[10], 10);
        CompletableFuture<ErrorCategory> ended = new CompletableFuture<>();
        Thread flushing =
                new Thread(() -> {
                    try {
                        session.flush();
                    } catch (PenstockException e) {
                        ended.complete(e.category());
                    }
                });
        flushing.start();
        while (flushing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        session.giveUp();
        assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo(ErrorCategory.CONFLICT);
        assertThatThrownBy(session::flush).hasMessageContaining("load-1 was given up");
    }

    @Test
    void whatIsAcknowledgedAlreadyIsFlushedNevertheless() {
        try (StoreLoadSession session = session(new FakeCluster(0, ErrorCategory.RETRY), _ -> {})) {
            session.send(HEADER, new byte[10], 10);
            session.giveUp();
            session.flush();
        }
    }

    private static StoreLoadSession session(Cluster cluster, AckListener acks) {
        return session(cluster, acks, Long.MAX_VALUE);
    }

    private static StoreLoadSession session(
            Cluster cluster, AckListener acks, long maxWaitingBytes) {
        LoadRequest request =
                LoadRequest.intoExisting(
                        "t",
                        "",
                        DuplicatePolicy.ERROR,
                        Dialect.csv(),
                        List.of(0),
                        List.of("x"),
                        false);
        LoadDescriptor load =
                new LoadDescriptor(
                        "load-1",
                        1,
                        new TableDescriptor(1, Ddl.parseCreateTable("CREATE TABLE t (a INT)")),
                        request,
                        List.of(new RegionAssignment(7, 1, KeyRange.ALL, SERVER)));
        return new StoreLoadSession(cluster, load, acks, false, 1, maxWaitingBytes);
    }

    @ParameterizedTest
    @EnumSource(names = {"RETRY", "REROUTE"})
    void whatALostConnectionOrAnotherServerPreventedIsSentAgain(ErrorCategory category) {
        FakeCluster cluster = new FakeCluster(3, category);
        AtomicInteger acks = new AtomicInteger();
        try (StoreLoadSession session = session(cluster, ack -> acks.incrementAndGet())) {
            session.send(HEADER, new byte[10], 10);
            session.flush();
        }
        assertThat(acks).hasValue(1);
        assertThat(cluster.attempts).hasValue(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsSentAgainIsWhatWasSentAtFirst(boolean answersAtOnce) {
        FakeCluster cluster = new FakeCluster(2, ErrorCategory.RETRY, answersAtOnce);
        byte[] payload = {1, 2};
        try (StoreLoadSession session = session(cluster, ack -> {})) {
            session.send(HEADER, payload, 2);
            payload[0] = 9;
            session.flush();
        }
        assertThat(cluster.firstBytes).containsExactly((byte) 1, (byte) 1, (byte) 1);
    }

    /** The first is sent four times; whoever sends meanwhile waits until it has got through. */
    @Test
    void noMoreIsSentWhileTooMuchWaitsToBeSentAgain() {
        FakeCluster cluster = new FakeCluster(3, ErrorCategory.RETRY);
        try (StoreLoadSession session = session(cluster, ack -> {}, 9)) {
            session.send(HEADER, new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 10);
            session.send(HEADER, new byte[] {2, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 10);
            session.flush();
        }
        assertThat(cluster.firstBytes)
                .containsExactly((byte) 1, (byte) 1, (byte) 1, (byte) 1, (byte) 2);
    }

    @Test
    void whoWaitsToSendIsToldThatTheLoadHasFailed() {
        FakeCluster cluster = new FakeCluster(1000, ErrorCategory.RETRY);
        try (StoreLoadSession session = session(cluster, ack -> {}, 9)) {
            session.send(HEADER, new byte[10], 10);
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    session.send(HEADER, new byte[10], 10);
                                }
                            })
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("not sent");
        }
    }

    @Test
    void itIsNotSentAgainForEver() {
        FakeCluster cluster = new FakeCluster(1000, ErrorCategory.RETRY);
        try (StoreLoadSession session = session(cluster, ack -> {})) {
            session.send(HEADER, new byte[10], 10);
            assertThatThrownBy(session::flush)
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("not sent 7");
            assertThatThrownBy(() -> session.send(HEADER, new byte[10], 10))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("not sent 7");
        }
        assertThat(cluster.attempts).hasValue(1 + Resender.MAX_ATTEMPTS);
    }

    @Test
    void aRefusedFragmentEndsTheLoadAtOnce() {
        FakeCluster cluster = new FakeCluster(1000, ErrorCategory.CONFLICT);
        try (StoreLoadSession session = session(cluster, ack -> {})) {
            assertThatThrownBy(() -> session.send(HEADER, new byte[10], 10))
                    .isInstanceOfSatisfying(
                            PenstockException.class,
                            e -> assertThat(e.category()).isEqualTo(ErrorCategory.CONFLICT))
                    .hasMessageContaining("not sent 1");
            assertThatThrownBy(session::flush).isInstanceOf(PenstockException.class);
            assertThatThrownBy(() -> session.publish("")).isInstanceOf(PenstockException.class);
        }
        assertThat(cluster.attempts).hasValue(1);
    }

    @Test
    void aFailingListenerEndsTheLoad() {
        FakeCluster cluster = new FakeCluster(0, ErrorCategory.RETRY);
        AckListener failing =
                ack -> {
                    throw new IllegalStateException("no more");
                };
        try (StoreLoadSession session = session(cluster, failing)) {
            assertThatThrownBy(() -> session.send(HEADER, new byte[10], 10))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("no more");
        }
    }

    @Test
    void nothingIsPublishedThatHasNotFinished() {
        try (StoreLoadSession session =
                session(new FakeCluster(0, ErrorCategory.RETRY), ack -> {})) {
            session.send(HEADER, new byte[10], 10);
            assertThatThrownBy(() -> session.publish(""))
                    .isInstanceOf(PenstockException.class)
                    .hasMessageContaining("not finished");
        }
    }
}
