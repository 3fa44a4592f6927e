package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import java.util.Random;
import java.util.stream.IntStream;

final class GatherTest {
    private static final int ROWS = 3_000;

    /** Few of many byte strings take room for themselves, not for all. */
    @RepeatedTest(20)
    void strings_are_appended_in_order_and_get_the_room_they_need(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        BytesColumn source = new BytesColumn(0, 0);
        for (int row = 0; row < ROWS; row++) {
            byte[] value = new byte[random.nextInt(random.nextBoolean() ? 12 : 70)];
            random.nextBytes(value);
            source.append(row, value, 0, value.length);
        }
        int[] order = IntStream.range(0, ROWS).toArray();
        for (int i = ROWS - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int row = order[i];
            order[i] = order[other];
            order[other] = row;
        }
        int count = random.nextInt(40);
        int from = random.nextInt(ROWS - count);
        BytesColumn target = new BytesColumn(0, 0);
        byte[] before = {1, 2, 3};
        target.append(0, before, 0, before.length);

        Gather.strings(source.offsets(), source.data(), ROWS, order, from, count, target, 1);

        assertThat(target.get(0)).isEqualTo(before);
        for (int i = 0; i < count; i++) {
            assertThat(target.get(1 + i)).isEqualTo(source.get(order[from + i]));
        }
        assertThat(target.data().length).isLessThan(3 + 70 * count + 128);
    }
}
