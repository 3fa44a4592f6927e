package dev.penstock.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.Validity;

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
        int[] order = shuffled(random);
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

    /** From any row on, at any place, of rows that are NULL in a part and of those around it. */
    @RepeatedTest(40)
    void which_rows_are_null_goes_with_them_and_changes_no_others(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        Validity source = new Validity();
        for (int row = 0; row < ROWS; row++) {
            if (random.nextInt(3) == 0) {
                source.setNull(row, ROWS);
            }
        }
        int[] order = shuffled(random);
        int count = random.nextInt(random.nextBoolean() ? 300 : 66);
        int from = random.nextInt(ROWS - count);
        int to = random.nextInt(130);
        Validity target = new Validity();
        for (int row = 0; row < 500; row += 3) {
            target.setNull(row, 500);
        }

        Gather.validity(source, ROWS, order, from, count, target, to);

        for (int row = 0; row < 500; row++) {
            boolean inside = row >= to && row < to + count;
            boolean expected = inside ? source.isValid(order[from + row - to]) : row % 3 != 0;
            assertThat(target.isValid(row)).as("row %d", row).isEqualTo(expected);
        }
    }

    private static int[] shuffled(Random random) {
        int[] order = IntStream.range(0, ROWS).toArray();
        for (int i = ROWS - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int row = order[i];
            order[i] = order[other];
            order[other] = row;
        }
        return order;
    }
}
