package dev.penstock.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

final class AscendingKeysTest {
    private final Random random = new Random(5);

    @Test
    void keys_compare_as_unsigned_bytes() {
        for (int round = 0; round < 60; round++) {
            List<byte[]> some = keys(40);
            List<byte[]> others = keys(40);
            AscendingKeys left = ascending(some);
            AscendingKeys right = ascending(others);
            for (int i = 0; i < some.size(); i++) {
                assertThat(left.get(i)).isEqualTo(some.get(i));
                assertThat(left.compare(i, left, i)).isZero();
                for (int j = 0; j < others.size(); j++) {
                    assertThat(Integer.signum(left.compare(i, right, j)))
                            .isEqualTo(
                                    Integer.signum(
                                            Arrays.compareUnsigned(some.get(i), others.get(j))));
                }
            }
        }
    }

    @Test
    void the_first_that_is_not_less_is_found_from_any_row_up_to_any() {
        for (int round = 0; round < 300; round++) {
            List<byte[]> some = keys(1 + random.nextInt(round % 50 == 0 ? 3_000 : 60));
            List<byte[]> others = keys(20);
            AscendingKeys keys = ascending(some);
            AscendingKeys wanted = ascending(others);
            for (int other = 0; other < others.size(); other++) {
                int from = random.nextInt(keys.size() + 1);
                int to = from + random.nextInt(keys.size() - from + 1);
                int expected = from;
                while (expected < to
                        && Arrays.compareUnsigned(some.get(expected), others.get(other)) < 0) {
                    expected++;
                }
                assertThat(keys.firstNotLess(from, to, wanted, other)).isEqualTo(expected);
            }
        }
    }

    private static AscendingKeys ascending(List<byte[]> keys) {
        BytesColumn column = new BytesColumn(1, 1);
        for (int row = 0; row < keys.size(); row++) {
            column.append(row, keys.get(row), 0, keys.get(row).length);
        }
        AscendingKeys ascending = new AscendingKeys();
        ascending.set(column, keys.size());
        assertThat(ascending.size()).isEqualTo(keys.size());
        return ascending;
    }

    /** Of up to 20 bytes, mostly zeros, so that many begin alike and some are prefixes. */
    private List<byte[]> keys(int most) {
        TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
        for (int i = 0; i < most; i++) {
            byte[] key = new byte[random.nextInt(21)];
            for (int at = 0; at < key.length; at++) {
                key[at] = (byte) (random.nextInt(8) == 0 ? random.nextInt(256) : 0);
            }
            sorted.add(key);
        }
        return new ArrayList<>(sorted);
    }
}
