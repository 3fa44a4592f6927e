package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.batch.BytesColumn;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** One dictionary of many slices, and the codes that their strings have in it. */
class StringLookupTest {
    private static final int[] LONGEST = {1, 7, 8, 15, 16, 23, 24, 25, 70};
    private static final int MAX_ROWS = 300;

    private final Random random = new Random(23);
    private final DistinctStrings distinct = new DistinctStrings();
    private final StringLookup lookup = new StringLookup();
    private final int[] codes = new int[MAX_ROWS];

    private record Slice(BytesColumn column, int rows, long[] words) {
        boolean isValid(int row) {
            return words.length == 0 || (words[row >> 6] >>> row & 1) != 0;
        }
    }

    @Test
    void slicesHaveOneDictionaryInWhichTheirStringsAreFound() {
        for (int longest : LONGEST) {
            for (int round = 0; round < 4; round++) {
                Slice[] slices = new Slice[1 + random.nextInt(9)];
                Arrays.setAll(slices, i -> slice(longest));
                BytesDictionary dictionary = dictionaryOf(slices);
                TreeSet<byte[]> expected = new TreeSet<>(Arrays::compareUnsigned);
                for (Slice slice : slices) {
                    addTo(expected, slice);
                }
                assertThat(dictionary.size()).isEqualTo(expected.size());
                int code = 0;
                for (byte[] value : expected) {
                    assertThat(dictionary.value(code++)).isEqualTo(value);
                }
                for (Slice slice : slices) {
                    areFound(slice, dictionary);
                }
            }
        }
    }

    private static void addTo(Set<byte[]> values, Slice slice) {
        for (int row = 0; row < slice.rows; row++) {
            if (slice.isValid(row)) {
                values.add(slice.column.get(row));
            }
        }
    }

    private void areFound(Slice slice, BytesDictionary dictionary) {
        lookup.begin(dictionary);
        assertThat(find(slice)).isTrue();
        for (int row = 0; row < slice.rows; row++) {
            if (slice.isValid(row)) {
                assertThat(dictionary.value(codes[row])).isEqualTo(slice.column.get(row));
            } else {
                assertThat(codes[row]).isBetween(0, Math.max(0, dictionary.size() - 1));
            }
        }
    }

    private boolean find(Slice slice) {
        BytesColumn column = slice.column;
        return lookup.find(column.offsets(), column.data(), slice.rows, slice.words, codes);
    }

    @Test
    void whatADictionaryLacksIsNotFound() {
        BytesDictionary one = dictionaryOf(strings("b", "dd", "f"));
        BytesDictionary other = dictionaryOf(strings("a", "b", "a string of many bytes and more"));
        lookup.begin(one);
        assertThat(find(strings("f", "b"))).isTrue();
        assertThat(codes).startsWith(2, 0);
        assertThat(find(strings("b", "a"))).isFalse();
        assertThat(find(strings("b", "ddd"))).isFalse();
        assertThat(find(strings("f", "dd", "b"))).isTrue();
        assertThat(codes).startsWith(2, 1, 0);
        lookup.begin(other);
        assertThat(find(strings("a string of many bytes and more", "b"))).isTrue();
        assertThat(codes).startsWith(1, 2);
        assertThat(find(strings("a string of many bytes anD more"))).isFalse();
        assertThat(find(strings("dd"))).isFalse();
    }

    @Test
    void moreStringsThanADictionaryMayHaveAreTooMany() {
        distinct.clear();
        int added = 0;
        while (added < Dictionary.MAX_ENTRIES) {
            assertThat(add(numbers(added, 256))).isTrue();
            added += 256;
        }
        assertThat(add(numbers(0, 256))).isTrue();
        assertThat(add(numbers(added, 1))).isFalse();
        distinct.clear();
        assertThat(add(numbers(added, 1))).isTrue();
        assertThat(distinct.dictionary().value(0)).asString().isEqualTo("4096");
    }

    private static Slice numbers(int first, int count) {
        String[] values = new String[count];
        Arrays.setAll(values, i -> Integer.toString(first + i));
        return strings(values);
    }

    private boolean add(Slice slice) {
        BytesColumn column = slice.column;
        return distinct.add(column.offsets(), column.data(), slice.rows, slice.words);
    }

    private BytesDictionary dictionaryOf(Slice... slices) {
        distinct.clear();
        for (Slice slice : slices) {
            assertThat(add(slice)).isTrue();
        }
        return distinct.dictionary();
    }

    private static Slice strings(String... values) {
        BytesColumn column = new BytesColumn(values.length, 64);
        for (int row = 0; row < values.length; row++) {
            byte[] value = values[row].getBytes(UTF_8);
            column.append(row, value, 0, value.length);
        }
        return new Slice(column, values.length, new long[0]);
    }

    private Slice slice(int longest) {
        int rows = random.nextInt(MAX_ROWS);
        long[] words = random.nextBoolean() ? new long[0] : random.longs(5).toArray();
        BytesColumn column = new BytesColumn(MAX_ROWS, 64);
        for (int row = 0; row < rows; row++) {
            byte[] value = new byte[longest == 1 ? 1 : random.nextInt(longest + 1)];
            for (int at = 0; at < value.length; at++) {
                value[at] = (byte) (random.nextInt(3) * 100);
            }
            column.append(row, value, 0, value.length);
        }
        return new Slice(column, rows, words);
    }
}
