package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

final class WordBordersTest {
    @Test
    void wordsKeepWhatFollowsThem() {
        assertThat(words("the deposits. sleep, ")).containsExactly("the ", "deposits. ", "sleep, ");
        assertThat(words("http://www.a-b.org/x?q=1"))
                .containsExactly("http://", "www.", "a-", "b.", "org/", "x?", "q=", "1");
        assertThat(words("  Zoë@x_y Ünder")).containsExactly("  ", "Zoë@", "x_", "y ", "Ünder");
        assertThat(words("")).isEmpty();
    }

    private static List<String> words(String text) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        long[] borders = new long[2 + WordBorders.SLACK];
        Arrays.fill(borders, -1L);
        WordBorders.find(data, 0, data.length, borders);
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int i = 1; i <= data.length; i++) {
            if (i == data.length || (borders[i >> 6] >>> i & 1) != 0) {
                words.add(new String(data, start, i - start, StandardCharsets.UTF_8));
                start = i;
            }
        }
        return words;
    }

    @Test
    void agreesWithTheDefinitionAtAnyPlace() {
        Random random = new Random(7);
        for (int round = 0; round < 2000; round++) {
            int length = random.nextInt(round % 50 == 0 ? 10_000 : 300);
            int from = random.nextInt(9);
            byte[] data = new byte[from + length + random.nextInt(9)];
            random.nextBytes(data);
            if (round % 2 == 0) {
                for (int i = 0; i < data.length; i++) {
                    data[i] = (byte) "ab z09/:@AZ[`{".charAt((data[i] & 0xFF) % 14);
                }
            }
            int words = (length + 64) >> 6;
            long[] borders = new long[words + WordBorders.SLACK];
            Arrays.fill(borders, -1L);
            WordBorders.find(data, from, length, borders);
            for (int i = 0; i < words << 6; i++) {
                boolean expected =
                        i > 0
                                && i < length
                                && letter(data[from + i])
                                && !letter(data[from + i - 1]);
                assertThat((borders[i >> 6] >>> i & 1) != 0).as("bit " + i).isEqualTo(expected);
            }
        }
    }

    private static boolean letter(byte b) {
        return b < 0 || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z';
    }
}
