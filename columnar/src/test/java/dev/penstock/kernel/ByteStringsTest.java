package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class ByteStringsTest {
    private final Random random = new Random(71);

    @Test
    void headIsTheFirstEightBytesWithZerosAfterTheEnd() {
        byte[] data = {1, 2, 3, 4, 5, 6, 7, 8, (byte) 200};
        assertThat(ByteStrings.head(data, 0, 9)).isEqualTo(0x0807060504030201L);
        assertThat(ByteStrings.head(data, 0, 3)).isEqualTo(0x030201L);
        assertThat(ByteStrings.head(data, 8, 1)).isEqualTo(200);
        assertThat(ByteStrings.head(data, 9, 0)).isZero();
    }

    @Test
    void orderedHeadsOrderAsTheBytesDo() {
        for (int round = 0; round < 10_000; round++) {
            byte[] left = bytes(10);
            byte[] right = bytes(10);
            int order = Arrays.compareUnsigned(left, right);
            long leftHead = ByteStrings.orderedHead(left, 0, left.length);
            long rightHead = ByteStrings.orderedHead(right, 0, right.length);
            if (order < 0) {
                assertThat(leftHead).isLessThanOrEqualTo(rightHead);
            } else if (order == 0) {
                assertThat(leftHead).isEqualTo(rightHead);
            }
        }
    }

    @Test
    void gatheredStringsAreTheSourcesInBothForms() {
        for (int maxLength : new int[] {0, 1, 31, 32, 33, 63, 64, 65, 200}) {
            BytesColumn source = new BytesColumn(500, 0);
            for (int row = 0; row < 500; row++) {
                byte[] value = bytes(maxLength);
                source.append(row, value, 0, value.length);
            }
            byte[] exact = Arrays.copyOf(source.data(), source.offsets()[500]);
            int[] order = random.ints(300, 0, 500).toArray();
            check(source, exact, order, true);
            check(source, exact, order, false);
        }
    }

    @Test
    void singleBytesAreGatheredByTheirPlaces() {
        byte[] data = new byte[300];
        random.nextBytes(data);
        int[] offsets = new int[301];
        int[] order = new int[300];
        for (int i = 0; i <= 300; i++) {
            offsets[i] = i;
            order[i % 300] = random.nextInt(300);
        }
        assertThat(ByteStrings.areSingleBytes(offsets, 0, 300)).isTrue();
        int[] out = new int[300];
        byte[] target = new byte[400];
        out[1] = 5;
        ByteStrings.gatherSingleBytes(data, order, 7, 290, out, target, 1);
        for (int i = 0; i < 290; i++) {
            assertThat(target[5 + i]).isEqualTo(data[order[7 + i]]);
            assertThat(out[i + 2]).isEqualTo(6 + i);
        }
        for (int at = 1; at <= 300; at++) {
            offsets[at]++;
            assertThat(ByteStrings.areSingleBytes(offsets, 0, 300)).isFalse();
            offsets[at]--;
        }
        offsets[0] = 0;
        assertThat(ByteStrings.areSingleBytes(offsets, 0, 0)).isTrue();
    }

    private void check(BytesColumn source, byte[] data, int[] order, boolean scalar) {
        BytesColumn target = new BytesColumn(400, 300 * 200 + 64 + 3);
        target.append(0, new byte[] {1, 2, 3}, 0, 3);
        int[] out = target.offsets();
        if (scalar) {
            ByteStrings.gatherScalar(source.offsets(), data, order, 7, 290, out, target.data(), 1);
        } else {
            ByteStrings.gather(source.offsets(), data, order, 7, 290, out, target.data(), 1);
        }
        for (int i = 0; i < 290; i++) {
            assertThat(target.get(i + 1)).isEqualTo(source.get(order[7 + i]));
        }
        assertThat(target.get(0)).containsExactly(1, 2, 3);
    }

    private byte[] bytes(int maxLength) {
        byte[] bytes = new byte[random.nextInt(maxLength + 1)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(3) * 100);
        }
        return bytes;
    }
}
