package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

class DictionaryTest {
    private final Random random = new Random(61);

    @Test
    void longCodesOrderAsValuesDo() {
        LongDictionaryBuilder builder = new LongDictionaryBuilder();
        for (int distinct : new int[] {1, 2, 255, 256, 4095, 4096}) {
            for (long scale : new long[] {1, 1000, Long.MAX_VALUE / 5000, -3}) {
                long[] values = new long[2 * distinct + 100];
                TreeSet<Long> expected = new TreeSet<>();
                for (int i = 0; i < values.length; i++) {
                    values[i] = (i < distinct ? i : random.nextInt(distinct)) * scale - 17;
                    expected.add(values[i]);
                }
                int[] codes = new int[values.length];
                assertThat(run(builder, values, values.length, codes)).isTrue();
                LongDictionary dictionary = builder.dictionary();
                assertThat(dictionary.values())
                        .isEqualTo(expected.stream().mapToLong(Long::longValue).toArray());
                for (int i = 0; i < values.length; i++) {
                    assertThat(dictionary.value(codes[i])).isEqualTo(values[i]);
                }
            }
        }
    }

    @Test
    void oneDistinctValueTooManyIsRefused() {
        for (long scale : new long[] {1, 1 << 30}) {
            long[] values = new long[Dictionary.MAX_ENTRIES + 1];
            for (int i = 0; i < values.length; i++) {
                values[i] = i * scale;
            }
            LongDictionaryBuilder builder = new LongDictionaryBuilder();
            int[] codes = new int[values.length];
            assertThat(run(builder, values, values.length, codes)).isFalse();
            assertThat(run(builder, values, values.length - 1, codes)).isTrue();
            assertThat(builder.dictionary().size()).isEqualTo(Dictionary.MAX_ENTRIES);
        }
    }

    @Test
    void byteStringsThatDifferAnywhereHaveDifferentCodes() {
        for (int length : new int[] {0, 1, 2, 7, 8, 9, 15, 16, 17, 24, 25, 40}) {
            List<byte[]> strings = new ArrayList<>();
            strings.add(new byte[length]);
            for (int at = 0; at < length; at++) {
                byte[] string = new byte[length];
                string[at] = (byte) (1 + random.nextInt(255));
                strings.add(string);
            }
            strings.add(new byte[length + 1]);
            BytesColumn column = column(strings);
            BytesDictionaryBuilder builder = new BytesDictionaryBuilder();
            int[] codes = new int[strings.size()];
            assertThat(run(builder, column, strings.size(), codes)).isTrue();
            assertThat(builder.dictionary().size()).isEqualTo(strings.size());
            checkCodes(builder.dictionary(), strings, codes);
        }
    }

    @Test
    void byteStringsOfAnyLengthComeBack() {
        BytesDictionaryBuilder builder = new BytesDictionaryBuilder();
        for (int round = 0; round < 50; round++) {
            List<byte[]> distinct = strings(1 + random.nextInt(500), 30);
            List<byte[]> strings = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                strings.add(distinct.get(random.nextInt(distinct.size())));
            }
            int[] codes = new int[strings.size()];
            assertThat(run(builder, column(strings), strings.size(), codes)).isTrue();
            checkCodes(builder.dictionary(), strings, codes);
        }
    }

    @Test
    void tooManyStringsOrBytesAreRefused() {
        List<byte[]> strings = new ArrayList<>();
        for (int i = 0; i <= Dictionary.MAX_ENTRIES; i++) {
            strings.add(("v" + i).getBytes(StandardCharsets.UTF_8));
        }
        BytesDictionaryBuilder builder = new BytesDictionaryBuilder();
        int[] codes = new int[strings.size()];
        assertThat(run(builder, column(strings), strings.size(), codes)).isFalse();
        assertThat(run(builder, column(strings), strings.size() - 1, codes)).isTrue();
        List<byte[]> large = List.of(new byte[Dictionary.MAX_BYTES], new byte[1]);
        assertThat(run(builder, column(large), 1, codes)).isTrue();
        assertThat(run(builder, column(large), 2, codes)).isFalse();
    }

    @Test
    void unionsHoldBothAndRemapsKeepValues() {
        long[] bases = {0, Long.MIN_VALUE + 30, Long.MAX_VALUE - 30};
        for (int round = 0; round < 2000; round++) {
            long base = bases[round % 3];
            LongDictionary left = longs(random.nextInt(60), base);
            LongDictionary right = longs(random.nextInt(60), bases[round % 7 == 0 ? 1 : round % 3]);
            LongDictionary union = left.union(right);
            TreeSet<Long> expected = new TreeSet<>();
            for (long value : left.values()) {
                expected.add(value);
            }
            boolean adds = false;
            for (long value : right.values()) {
                adds |= expected.add(value);
            }
            assertThat(union.values())
                    .isEqualTo(expected.stream().mapToLong(Long::longValue).toArray());
            assertThat(union == left).isEqualTo(!adds);
            assertThat(union.union(right)).isSameAs(union);
            assertThat(left.holds(right)).isEqualTo(!adds);
            assertThat(union.holds(right)).isTrue();
            char[] remap = right.remapTo(union);
            for (int code = 0; code < right.size(); code++) {
                assertThat(union.value(remap[code])).isEqualTo(right.value(code));
            }
        }
    }

    @Test
    void byteUnionsHoldBothAndRemapsKeepValues() {
        for (int round = 0; round < 600; round++) {
            int maxLength = round % 3 == 0 ? 2 : round % 3 == 1 ? 10 : 20;
            BytesDictionary left = bytes(strings(1 + random.nextInt(20), maxLength));
            BytesDictionary right = bytes(strings(1 + random.nextInt(20), maxLength));
            BytesDictionary union = left.union(right);
            for (BytesDictionary part : List.of(left, right)) {
                char[] remap = part.remapTo(union);
                for (int code = 0; code < part.size(); code++) {
                    assertThat(union.value(remap[code])).isEqualTo(part.value(code));
                    assertThat(union.lowerBound(part.value(code))).isEqualTo(remap[code]);
                }
            }
            assertThat(union.union(right)).isSameAs(union);
            assertThat(union.union(left)).isSameAs(union);
        }
    }

    @Test
    void aUnionThatGrewTooLargeStaysOverflowed() {
        DictionaryUnion union = new DictionaryUnion();
        long[] even = new long[3000];
        long[] odd = new long[3000];
        for (int i = 0; i < 3000; i++) {
            even[i] = 2L * i;
            odd[i] = 2L * i + 1;
        }
        union.add(new LongDictionary(even));
        assertThat(union.overflowed()).isFalse();
        union.add(new LongDictionary(odd));
        assertThat(union.overflowed()).isTrue();
        union.add(new LongDictionary(new long[] {1}));
        assertThat(union.overflowed()).isTrue();
        assertThat(union.dictionary()).isNull();
    }

    /** Near values, most of 60 if many; one in three with a far one. */
    private LongDictionary longs(int count, long base) {
        long[] values = random.longs(count, -30, 30).map(value -> base + value).toArray();
        if (count > 0 && random.nextInt(3) == 0) {
            values[0] = random.nextLong();
        }
        return new LongDictionary(Arrays.stream(values).distinct().sorted().toArray());
    }

    private BytesDictionary bytes(List<byte[]> strings) {
        BytesDictionaryBuilder builder = new BytesDictionaryBuilder();
        assertThat(run(builder, column(strings), strings.size(), new int[strings.size()])).isTrue();
        return builder.dictionary();
    }

    private List<byte[]> strings(int count, int maxLength) {
        List<byte[]> strings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] string = new byte[random.nextInt(maxLength + 1)];
            for (int at = maxLength > 2 && i % 2 == 0 ? string.length / 2 : 0;
                    at < string.length;
                    at++) {
                string[at] = (byte) (random.nextInt(3) * 127);
            }
            strings.add(string);
        }
        return strings;
    }

    private static BytesColumn column(List<byte[]> strings) {
        BytesColumn column = new BytesColumn(strings.size(), 16);
        for (int row = 0; row < strings.size(); row++) {
            column.append(row, strings.get(row), 0, strings.get(row).length);
        }
        return column;
    }

    private static boolean run(
            LongDictionaryBuilder builder, long[] values, int count, int[] codes) {
        return builder.run(values, 0, count, Dictionary.MAX_ENTRIES, codes);
    }

    private static boolean run(
            BytesDictionaryBuilder builder, BytesColumn column, int count, int[] codes) {
        int limit = Dictionary.MAX_ENTRIES;
        return builder.run(column.offsets(), column.data(), 0, count, new long[0], limit, codes);
    }

    private static void checkCodes(BytesDictionary dictionary, List<byte[]> strings, int[] codes) {
        for (int i = 0; i < strings.size(); i++) {
            assertThat(dictionary.value(codes[i])).isEqualTo(strings.get(i));
        }
        for (int code = 1; code < dictionary.size(); code++) {
            assertThat(
                            java.util.Arrays.compareUnsigned(
                                    dictionary.value(code - 1), dictionary.value(code)))
                    .isNegative();
        }
    }

    @Test
    void codesOfUnorderedValuesAreTheirPlaces() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            long base = random.nextLong(-1L << 40, 1L << 40);
            int span = 1 + random.nextInt(9000);
            long[] entries =
                    random.longs(1 + random.nextInt(300), base, base + span)
                            .sorted()
                            .distinct()
                            .toArray();
            LongDictionary dictionary = new LongDictionary(entries);
            long[] values = new long[random.nextInt(70)];
            for (int i = 0; i < values.length; i++) {
                values[i] = entries[random.nextInt(entries.length)];
            }
            int[] codes = new int[values.length + 3];
            boolean cheap = entries[entries.length - 1] - entries[0] < 1 << 13;
            assertThat(dictionary.isSeenToHold(values, values.length) || !cheap).isTrue();
            if (dictionary.codesOf(values, values.length, codes, 3)) {
                for (int i = 0; i < values.length; i++) {
                    assertThat(entries[codes[3 + i]]).isEqualTo(values[i]);
                }
            } else {
                assertThat(cheap).isFalse();
            }
            if (values.length > 0) {
                long stranger = base + random.nextLong(-20_000, 20_000);
                if (Arrays.binarySearch(entries, stranger) < 0) {
                    values[random.nextInt(values.length)] = stranger;
                    assertThat(dictionary.isSeenToHold(values, values.length)).isFalse();
                    assertThat(dictionary.codesOf(values, values.length, codes, 3)).isFalse();
                }
            }
        }
    }
}
