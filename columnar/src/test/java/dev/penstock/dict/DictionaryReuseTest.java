package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.LongColumn;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a builder keeps from earlier slices must never show in what it makes of the next one. */
class DictionaryReuseTest {
    private static final int ROWS = 20_000;

    private final Random random = new Random(17);
    private final int[] codes = new int[ROWS];

    @Test
    void longsOfASliceAreExactlyItsOwn() {
        LongDictionaryBuilder builder = new LongDictionaryBuilder();
        int refused = 0;
        for (int round = 0; round < 400; round++) {
            LongColumn column = longs();
            int from = random.nextInt(100);
            int count = random.nextInt(4) == 0 ? random.nextInt(10) : slice();
            int limit = 1 + random.nextInt(Dictionary.MAX_ENTRIES);
            TreeSet<Long> expected = new TreeSet<>();
            for (int i = from; i < from + count; i++) {
                expected.add(column.values()[i]);
            }
            boolean fits = builder.run(column.values(), from, count, limit, codes);
            assertThat(fits).isEqualTo(expected.size() <= limit);
            refused += fits ? 0 : 1;
            if (fits) {
                LongDictionary dictionary = builder.dictionary();
                assertThat(dictionary.values())
                        .isEqualTo(expected.stream().mapToLong(Long::longValue).toArray());
                for (int i = 0; i < count; i++) {
                    assertThat(dictionary.value(codes[i])).isEqualTo(column.values()[from + i]);
                }
            }
        }
        assertThat(refused).isBetween(20, 380);
    }

    @Test
    void aSliceThatLeavesAFullTableOfNearValuesIsHashedWithRoom() {
        LongDictionaryBuilder builder = new LongDictionaryBuilder();
        long[] near = random.longs(ROWS, 0, 4000).toArray();
        assertThat(builder.run(near, 0, ROWS, Dictionary.MAX_ENTRIES, codes)).isTrue();
        long[] far = new long[3001];
        Arrays.setAll(far, i -> i == 3000 ? 1L << 60 : i);
        assertThat(builder.run(far, 0, far.length, Dictionary.MAX_ENTRIES, codes)).isTrue();
        assertThat(builder.dictionary().values()).isEqualTo(far);
    }

    @Test
    void byteStringsOfASliceAreExactlyItsOwn() {
        BytesDictionaryBuilder builder = new BytesDictionaryBuilder();
        int refused = 0;
        for (int round = 0; round < 400; round++) {
            BytesColumn column = strings();
            int from = random.nextInt(100);
            int count = random.nextInt(4) == 0 ? random.nextInt(10) : slice();
            int limit = 1 + random.nextInt(Dictionary.MAX_ENTRIES);
            long[] words = random.nextBoolean() ? new long[0] : validity();
            TreeMap<byte[], Integer> expected = new TreeMap<>(Arrays::compareUnsigned);
            for (int row = from; row < from + count; row++) {
                if (isValid(words, row)) {
                    expected.put(column.get(row), row);
                }
            }
            boolean fits =
                    builder.run(column.offsets(), column.data(), from, count, words, limit, codes);
            assertThat(fits).isEqualTo(expected.size() <= limit);
            refused += fits ? 0 : 1;
            if (fits) {
                BytesDictionary dictionary = builder.dictionary();
                assertThat(dictionary.size()).isEqualTo(expected.size());
                int code = 0;
                for (byte[] value : expected.keySet()) {
                    assertThat(dictionary.value(code++)).isEqualTo(value);
                }
                for (int i = 0; i < count; i++) {
                    if (isValid(words, from + i)) {
                        assertThat(dictionary.value(codes[i])).isEqualTo(column.get(from + i));
                    } else {
                        assertThat(codes[i]).isBetween(0, Math.max(0, dictionary.size() - 1));
                    }
                }
            }
        }
        assertThat(refused).isBetween(20, 380);
    }

    @Test
    void longBeginningsAndZeroBytesAreOrderedLikeAnyBytes() {
        for (int shared : new int[] {0, 1, 5, 6, 7, 12, 13, 700}) {
            TreeSet<byte[]> expected = new TreeSet<>(Arrays::compareUnsigned);
            for (int i = 0; i < 600; i++) {
                int same = random.nextInt(4) == 0 ? random.nextInt(shared + 1) : shared;
                byte[] value = new byte[same + random.nextInt(9)];
                Arrays.fill(value, 0, same, (byte) 'x');
                for (int k = same; k < value.length; k++) {
                    value[k] = (byte) (random.nextInt(3) - 1);
                }
                expected.add(value);
            }
            BytesColumn column = new BytesColumn(expected.size(), 64);
            List<byte[]> shuffled = new ArrayList<>(expected);
            Collections.shuffle(shuffled, random);
            for (int row = 0; row < shuffled.size(); row++) {
                byte[] value = shuffled.get(row);
                column.append(row, value, 0, value.length);
            }
            BytesDictionaryBuilder builder = new BytesDictionaryBuilder();
            int most = Dictionary.MAX_ENTRIES;
            long[] all = new long[0];
            int rows = shuffled.size();
            assertThat(builder.run(column.offsets(), column.data(), 0, rows, all, most, codes))
                    .isTrue();
            int code = 0;
            for (byte[] value : expected) {
                assertThat(builder.dictionary().value(code++)).isEqualTo(value);
            }
        }
    }

    @Test
    void stringsThatDifferInOneByteAreTold() {
        int[] lengths = {7, 8, 9, 15, 16, 17, 22, 23, 24, 25, 26, 31, 32, 33, 40, 41, 100};
        for (int length : lengths) {
            BytesColumn column = new BytesColumn(2 * length, 64);
            for (int row = 0; row < 2 * length; row++) {
                byte[] value = new byte[length];
                value[length - 1 - row % length] = 1;
                column.append(row, value, 0, length);
            }
            areTold(column, length);
        }
    }

    @Test
    void stringsThatDifferInLengthAreTold() {
        for (int most : new int[] {7, 8, 15, 16, 23, 24, 25, 40}) {
            BytesColumn column = new BytesColumn(2 * most, 64);
            for (int row = 0; row < 2 * most; row++) {
                column.append(row, new byte[most], 0, 1 + row % most);
            }
            areTold(column, most);
        }
    }

    /** As many strings in ascending order, twice, in two slices that are the same. */
    private void areTold(BytesColumn column, int count) {
        column.ensureBytes(2L * count * count + 64);
        BytesDictionaryBuilder builder = new BytesDictionaryBuilder();
        long[] words = new long[0];
        int rows = 2 * count;
        for (int slice = 0; slice < 2; slice++) {
            assertThat(builder.run(column.offsets(), column.data(), 0, rows, words, 100, codes))
                    .isTrue();
            for (int row = 0; row < rows; row++) {
                assertThat(codes[row]).isEqualTo(row % count);
            }
        }
    }

    @Test
    void fewNewEntriesAreMergedIntoManyThatAreInOrder() {
        BytesDictionaryBuilder builder = new BytesDictionaryBuilder();
        TreeSet<byte[]> all = new TreeSet<>(Arrays::compareUnsigned);
        for (int added : new int[] {400, 1, 100, 3, 40, 2, 500}) {
            while (added > 0) {
                byte[] value = new byte[random.nextInt(12)];
                random.nextBytes(value);
                added -= all.add(value) ? 1 : 0;
            }
            BytesColumn column = new BytesColumn(all.size(), 64);
            int rows = 0;
            for (byte[] value : all) {
                column.append(rows++, value, 0, value.length);
            }
            int most = Dictionary.MAX_ENTRIES;
            long[] words = new long[0];
            assertThat(builder.run(column.offsets(), column.data(), 0, rows, words, most, codes))
                    .isTrue();
            for (int row = 0; row < rows; row++) {
                assertThat(codes[row]).isEqualTo(row);
                assertThat(builder.dictionary().value(row)).isEqualTo(column.get(row));
            }
        }
    }

    @Test
    void resultsOfEarlierSlicesStayAsTheyWere() {
        LongDictionaryBuilder builder = new LongDictionaryBuilder();
        assertThat(builder.run(new long[] {5, 3}, 0, 2, 10, codes)).isTrue();
        LongDictionary first = builder.dictionary();
        assertThat(builder.run(new long[] {4, 3, 5}, 0, 3, 10, codes)).isTrue();
        assertThat(first.values()).containsExactly(3, 5);
        assertThat(builder.dictionary().values()).containsExactly(3, 4, 5);
        assertThat(builder.run(new long[] {Long.MIN_VALUE, Long.MAX_VALUE}, 0, 2, 10, codes))
                .isTrue();
        assertThat(builder.dictionary().values()).containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(codes).startsWith(0, 1);
    }

    @Test
    void aSliceMayLeaveTheDomainOfTheOneBeforeAfterManyValues() {
        for (int many : new int[] {1, 1023, 1024, 1025, 4095}) {
            LongDictionaryBuilder builder = new LongDictionaryBuilder();
            long[] values = new long[5000];
            Arrays.setAll(values, i -> i);
            assertThat(builder.run(values, 0, 5000, Dictionary.MAX_ENTRIES, codes)).isFalse();
            values[many] = 1L << 40;
            assertThat(builder.run(values, 0, many + 1, Dictionary.MAX_ENTRIES, codes)).isTrue();
            assertThat(builder.dictionary().size()).isEqualTo(many + 1);
            assertThat(builder.dictionary().value(codes[many])).isEqualTo(1L << 40);
            assertThat(codes[many - 1]).isEqualTo(many - 1);
        }
    }

    private int slice() {
        return random.nextInt(ROWS - 100);
    }

    /** Values of one of several kinds, so that a builder has to change its ways. */
    private LongColumn longs() {
        LongColumn column = new LongColumn(ROWS);
        int distinct = 1 + random.nextInt(random.nextBoolean() ? 60 : 6000);
        long scale = new long[] {1, 1, 1, 17, 1L << 40, -5}[random.nextInt(6)];
        long base = new long[] {0, 0, 8000, Long.MAX_VALUE - 6000}[random.nextInt(4)];
        for (int i = 0; i < ROWS; i++) {
            column.values()[i] = base + scale * random.nextInt(distinct);
        }
        return column;
    }

    private BytesColumn strings() {
        int distinct = 1 + random.nextInt(random.nextBoolean() ? 60 : 6000);
        int[] lengths = {1, 1, 5, 7, 8, 9, 15, 16, 17, 23, 24, 25, 30, 70};
        int length = lengths[random.nextInt(lengths.length)];
        byte[][] values = new byte[distinct][];
        for (int i = 0; i < distinct; i++) {
            int own = length == 1 || random.nextBoolean() ? length : random.nextInt(length + 1);
            values[i] = new byte[own];
            for (int at = 0; at < own; at++) {
                values[i][at] = (byte) (random.nextInt(5) * 51);
            }
        }
        BytesColumn column = new BytesColumn(ROWS, ROWS * length / 2);
        for (int row = 0; row < ROWS; row++) {
            byte[] value = values[random.nextInt(distinct)];
            column.append(row, value, 0, value.length);
        }
        return column;
    }

    private long[] validity() {
        long[] words = new long[ROWS / 64 + 1];
        for (int i = 0; i < words.length; i++) {
            words[i] =
                    switch (random.nextInt(4)) {
                        case 0 -> 0;
                        case 1 -> -1;
                        default -> random.nextLong();
                    };
        }
        return words;
    }

    private static boolean isValid(long[] words, int row) {
        return words.length == 0 || (words[row >> 6] >>> row & 1) != 0;
    }
}
