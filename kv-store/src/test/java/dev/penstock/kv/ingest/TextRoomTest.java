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
}
