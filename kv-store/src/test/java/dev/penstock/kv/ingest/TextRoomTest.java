package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class TextRoomTest {
    @Test
    void aTextWaitsForRoomAndOneThatIsTooLongGoesAlone() throws Exception {
        TextRoom room = new TextRoom(700);
        room.take(60);
        CountDownLatch taken = new CountDownLatch(1);
        Thread second =
                Thread.ofPlatform()
                        .start(() -> {
                            room.take(1_000_000);
                            taken.countDown();
                        });
        while (second.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(taken.getCount()).isEqualTo(1);
        room.giveBack(60);
        assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
        room.giveBack(1_000_000);
        room.take(100);
    }

    @Test
    void aTextSuitsTheHeapAndTheProcessors() {
        long gibibyte = 1L << 30;
        TextRoom room = new TextRoom(gibibyte / 3);
        assertThat(room.suitingBytes(2, gibibyte / 8)).isEqualTo(16 << 20);
        assertThat(room.suitingBytes(4, gibibyte / 8)).isEqualTo((int) (gibibyte / 3 / 7 / 4));
        assertThat(room.suitingBytes(64, gibibyte / 8)).isEqualTo(6 << 20);
        assertThat(room.suitingBytes(2, 64 << 20)).isEqualTo(8 << 20);
        assertThat(room.suitingBytes(64, 8 << 20)).isEqualTo(1 << 20);
    }
}
