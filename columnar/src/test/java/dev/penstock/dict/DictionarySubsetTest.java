package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;

class DictionarySubsetTest {
    private final DictionarySubset subset = new DictionarySubset();

    @Test
    void itHasTheEntriesThatOccurAndCodesThatMeanTheSame() {
        Random random = new Random(91);
        for (int size : new int[] {1, 2, 63, 64, 65, 300, 2500, 4096}) {
            for (int count : new int[] {1, 100, 5000}) {
                for (int codesOf : new int[] {1, (size + 1) / 2, size}) {
                    int[] codes = random.ints(count, 0, codesOf).toArray();
                    check(longs(size), codes);
                    check(strings(size), codes);
                }
            }
        }
    }

    @Test
    void aDictionaryWhoseEntriesAllOccurStaysAsItIs() {
        Dictionary all = longs(3000);
        int[] codes = new int[9000];
        Arrays.setAll(codes, i -> i % 3000);
        subset.begin(all);
        assertThat(subset.count(codes, codes.length)).isEqualTo(3000);
        assertThat(subset.reduce(codes, codes.length)).isSameAs(all);
        assertThat(codes[3001]).isEqualTo(1);
    }

    /** Many of them are kept until a chunk is encoded. */
    @Test
    void aFewOfManyStringsTakeTheBytesOfAFew() {
        BytesDictionary all = strings(4096);
        int[] codes = {17, 4000, 17};
        subset.begin(all);
        assertThat(subset.count(codes, codes.length)).isEqualTo(2);
        BytesDictionary some = (BytesDictionary) subset.reduce(codes, codes.length);
        int bytes = all.length(17) + all.length(4000);
        assertThat(some.data()).hasSize(bytes + BytesDictionary.SLACK);
    }

    private void check(Dictionary all, int[] codes) {
        TreeSet<Integer> occurring = new TreeSet<>();
        Arrays.stream(codes).forEach(occurring::add);
        int[] given = Arrays.copyOf(codes, codes.length + 1);
        given[codes.length] = -7;
        subset.begin(all);
        assertThat(subset.count(given, codes.length)).isEqualTo(occurring.size());
        Dictionary some = subset.reduce(given, codes.length);
        assertThat(some.size()).isEqualTo(occurring.size());
        int code = 0;
        for (int old : occurring) {
            assertThat(value(some, code++)).isEqualTo(value(all, old));
        }
        for (int i = 0; i < codes.length; i++) {
            assertThat(given[i]).isEqualTo(occurring.headSet(codes[i]).size());
        }
        assertThat(given[codes.length]).isEqualTo(-7);
    }

    private static Object value(Dictionary dictionary, int code) {
        return switch (dictionary) {
            case LongDictionary longs -> longs.value(code);
            case BytesDictionary bytes -> new String(bytes.value(code), StandardCharsets.UTF_8);
        };
    }

    private static LongDictionary longs(int size) {
        return new LongDictionary(LongStream.range(0, size).map(i -> 3 * i - 70).toArray());
    }

    private static BytesDictionary strings(int size) {
        int[] offsets = new int[size + 1];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < size; i++) {
            text.append(10_000 + i).append("x".repeat(i % 3));
            offsets[i + 1] = text.length();
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] data = Arrays.copyOf(bytes, bytes.length + BytesDictionary.SLACK);
        return new BytesDictionary(size, offsets, data);
    }
}
