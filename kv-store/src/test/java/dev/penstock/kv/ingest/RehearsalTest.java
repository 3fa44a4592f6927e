package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dialect.Dialect;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.region.TestTable;
import dev.penstock.step.ChunkText;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/** A server's steps run over a text that was kept, while no load is open. */
class RehearsalTest {
    private static final int ROWS = 100;

    /** Of one text. */
    private static final long BYTES = text().length() + (long) ChunkText.TRAILER_BYTES;

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    /** So often it is said that no load is open. */
    private int idle;

    private long nanos;

    private final Rehearsal rehearsal =
            new Rehearsal(
                    tasks::add,
                    this::isIdle,
                    () -> nanos,
                    new Rehearsal.Limits(1000, 10 * BYTES, 10));

    private boolean isIdle() {
        return idle-- > 0;
    }

    @Test
    void theStepsRunUntilTheServerIsReady() {
        rehearsal.loadEnded();
        assertThat(tasks).isEmpty();
        keep(text());
        idle = 1;
        rehearsal.loadEnded();
        assertThat(rehearsal.isReady()).isFalse();
        idle = Integer.MAX_VALUE;
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isTrue();
        assertThat(Integer.MAX_VALUE - idle).isEqualTo(10);
        rehearsal.loadEnded();
        assertThat(tasks).isEmpty();
    }

    @Test
    void aLoadInterruptsItAndItGoesOnAfterwards() {
        keep(text());
        idle = 4;
        rehearsal.loadEnded();
        rehearsal.loadEnded();
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isFalse();
        rehearsal.loadEnded();
        assertThat(tasks).isEmpty();
        idle = 100;
        rehearsal.loadEnded();
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isTrue();
    }

    @Test
    void whereLoadsFollowEachOtherItRunsBesideThemAfterAWhile() {
        keep(text());
        nanos = 9;
        rehearsal.loadEnded();
        assertThat(tasks).isEmpty();
        nanos++;
        rehearsal.loadEnded();
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isTrue();
        rehearsal.loadEnded();
        assertThat(tasks).isEmpty();
    }

    @Test
    void aLoadThatComesLateDoesNotInterruptIt() {
        keep(text());
        idle = 2;
        rehearsal.loadEnded();
        nanos = 10;
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isTrue();
    }

    @Test
    void nothingRunsOnceItIsClosed() {
        keep(text());
        nanos = 10;
        rehearsal.loadEnded();
        rehearsal.close();
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isFalse();
        rehearsal.loadEnded();
        assertThat(tasks).isEmpty();
    }

    @Test
    void aTextThatIsNoGoodMakesRoomForAnother() {
        keep(text() + "x,y,z\n");
        idle = 100;
        rehearsal.loadEnded();
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isFalse();
        keep(text());
        rehearsal.loadEnded();
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isTrue();
    }

    @Test
    void fewRowsAreNotKept() {
        keep("1,name,3\n");
        idle = 100;
        rehearsal.loadEnded();
        assertThat(tasks).isEmpty();
    }

    @Test
    void textOfLoadsCountsToo() {
        rehearsal.parsed(10 * BYTES - 1);
        assertThat(rehearsal.isReady()).isFalse();
        rehearsal.parsed(1);
        assertThat(rehearsal.isReady()).isTrue();
        keep(text());
        idle = 100;
        rehearsal.loadEnded();
        assertThat(tasks).isEmpty();
    }

    @Test
    void textWhoseRowsAreToBeSpreadIsRehearsedSo() {
        keep(text(), FragmentHeader.ofText(0, 1).forRehearsal().spread());
        idle = Integer.MAX_VALUE;
        rehearsal.loadEnded();
        tasks.remove().run();
        assertThat(rehearsal.isReady()).isTrue();
    }

    private void keep(String csv) {
        keep(csv, FragmentHeader.ofText(0, 1).forRehearsal());
    }

    private void keep(String csv, FragmentHeader header) {
        byte[] text = csv.getBytes(StandardCharsets.US_ASCII);
        ChunkText chunk = new ChunkText(0, 0, text.length);
        byte[] payload = Arrays.copyOf(text, chunk.payloadLength());
        System.arraycopy(chunk.trailer(), 0, payload, text.length, ChunkText.TRAILER_BYTES);
        rehearsal.keep(load(), header, payload, payload.length);
    }

    private static String text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            text.append(i).append(",name,").append(i * 3).append('\n');
        }
        return text.toString();
    }

    private static LoadDescriptor load() {
        LoadRequest request =
                LoadRequest.intoExisting(
                        "items",
                        "",
                        DuplicatePolicy.ERROR,
                        Dialect.csv(),
                        List.of(0, 1, 2),
                        List.of("test.csv"),
                        false);
        return new LoadDescriptor(
                "00000000-0000-0007-0000-000000000001",
                5,
                new TableDescriptor(1, TestTable.SCHEMA),
                request,
                List.of(
                        new RegionAssignment(
                                1, 1, KeyRange.ALL, new ServerDescriptor("server", "here"))));
    }
}
