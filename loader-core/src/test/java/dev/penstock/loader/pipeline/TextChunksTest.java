package dev.penstock.loader.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.ColumnSums;
import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkEdges;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.WrongGuess;
import dev.penstock.step.ChunkText;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentAck.Outcome;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadSession;
import dev.penstock.target.RegionInfo;
import dev.penstock.target.TextFile;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;

final class TextChunksTest {
    private static final RegionInfo REGION = new RegionInfo(7, KeyRange.ALL, "server");
    private static final int CHUNK_BYTES = 4000;

    @TempDir private Path folder;

    private final List<ChunkText> texts = new ArrayList<>();
    private final List<ChunkLease> run = new ArrayList<>();
    private Inputs inputs;
    private ChunkSupply supply;
    private TextChunks chunks;

    @BeforeEach
    void open() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            text.append(i).append(",\"a\nb\",c\n");
        }
        Path file = Files.writeString(folder.resolve("a.csv"), text);
        inputs = Inputs.open(List.of(file.toString()), ByteArrayInputStream.nullInputStream());
        supply = new ChunkSupply(inputs, Dialect.csv(), new long[1], CHUNK_BYTES);
        supply.guess(3);
        chunks = TextChunks.of(session(), text.length(), true, true, false);
    }

    @AfterEach
    void close() {
        inputs.close();
    }

    /** Takes texts, and keeps what it was told of them. */
    private LoadSession session() {
        return (LoadSession)
                Proxy.newProxyInstance(
                        LoadSession.class.getClassLoader(),
                        new Class<?>[] {LoadSession.class},
                        (_, method, arguments) ->
                                switch (method.getName()) {
                                    case "textUse" -> LoadSession.TextUse.ALL;
                                    case "canSpread" -> true;
                                    case "fileTextBytes" -> CHUNK_BYTES;
                                    case "sendText" -> take(arguments);
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private long take(Object[] arguments) {
        FragmentHeader header = (FragmentHeader) arguments[0];
        assertThat(header.isText()).isTrue();
        assertThat(arguments[2]).isInstanceOf(TextFile.class);
        texts.add((ChunkText) arguments[1]);
        ((Runnable) arguments[3]).run();
        return 1;
    }

    /** Sends all chunks of a supply, or runs those that are not to be sent. */
    private ChunkTotals sendAll(ChunkSupply all) {
        Chunk chunk = new Chunk();
        ChunkEdges edges = new ChunkEdges();
        while (all.take(chunk)) {
            ChunkLease lease = chunk.lease();
            if (chunks.isOpen() && all.find(lease, chunk, edges)) {
                chunks.send(lease, edges, all.text(lease), REGION);
            } else if (chunk.isGuessed()) {
                chunks.defer(lease);
            } else {
                run.add(lease);
            }
        }
        return ChunkTotals.none(3);
    }

    private static FragmentAck ack(int chunkId, Outcome outcome) {
        return new FragmentAck(chunkId, 7, 10, List.of(), new BitSet(), new ColumnSums(3), outcome);
    }

    private ChunkTotals runAll(Runnable flush) {
        return chunks.runAll(supply, this::sendAll, flush, UnaryOperator.identity());
    }

    @Test
    void texts_are_on_their_way_until_they_are_answered() {
        sendAll(supply);
        long all = texts.stream().mapToLong(ChunkText::length).sum();
        assertThat(texts).hasSizeGreaterThan(4);
        assertThat(chunks.bytesOnTheirWay()).isEqualTo(all);
        assertThat(chunks.acknowledged(ack(0, Outcome.TAKEN))).isPresent();
        assertThat(chunks.acknowledged(ack(1, Outcome.UNREAD))).isEmpty();
        assertThat(chunks.acknowledged(ack(1, Outcome.UNREAD))).isEmpty();
        assertThat(chunks.acknowledged(ack(999, Outcome.TAKEN))).isEmpty();
        assertThat(chunks.bytesOnTheirWay())
                .isEqualTo(all - texts.get(0).length() - texts.get(1).length());
        assertThat(chunks.taken()).isEqualTo(1);
    }

    @Test
    void what_a_server_declines_is_run_once_all_are_proved() {
        runAll(() -> {
            for (int id = 0; id < texts.size(); id++) {
                chunks.acknowledged(ack(id, id == 2 ? Outcome.DECLINED : Outcome.TAKEN));
            }
        });
        assertThat(supply.isGuessed()).isFalse();
        assertThat(run)
                .singleElement()
                .satisfies(lease -> {
                    assertThat(lease.chunkId()).isEqualTo(2);
                    assertThat(lease.from()).isEqualTo(texts.get(2).position());
                });
        assertThat(chunks.bytesOnTheirWay()).isZero();
        assertThat(chunks.isOpen()).isFalse();
    }

    /** As long as a guess is not proved nobody knows whether a bad record is one. */
    @Test
    void a_failure_for_a_record_is_none_before_all_are_proved() {
        PenstockException bad = PenstockException.data("bad");
        assertThatThrownBy(() ->
                        runAll(() -> {
                            throw bad;
                        }))
                .isInstanceOf(WrongGuess.class)
                .hasCause(bad);
        PenstockException lost = PenstockException.io("lost", new IOException());
        assertThatThrownBy(() ->
                        runAll(() -> {
                            throw lost;
                        }))
                .isSameAs(lost);
    }
}
