package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

/** Byte by byte: each byte at each place of texts around a word's length, at an array's end too. */
class SpecialBytesTest {
    @Test
    void findsEachByteAtEachPlace() {
        for (int length = 0; length <= 20; length++) {
            for (int place = 0; place < Math.max(1, length); place++) {
                for (int b = -128; b < 128 && length > 0; b++) {
                    byte[] text = new byte[length];
                    Arrays.fill(text, (byte) 'x');
                    text[place] = (byte) b;
                    check(text, 0, length);
                }
            }
        }
    }

    /** What is before and after the text does not count. */
    @Test
    void looksAtTheTextOnly() {
        Random random = new Random(41);
        String bytes = ",\"\n\r\\\t\0 a~\u007f";
        for (int round = 0; round < 20_000; round++) {
            byte[] text = new byte[random.nextInt(40)];
            for (int i = 0; i < text.length; i++) {
                text[i] = (byte) bytes.charAt(random.nextInt(bytes.length()));
            }
            int from = random.nextInt(text.length + 1);
            int to = from + random.nextInt(text.length - from + 1);
            if (random.nextBoolean()) {
                Arrays.fill(text, from, to, (byte) (random.nextBoolean() ? 'a' : 0xE9));
            }
            check(text, from, to);
        }
    }

    private static void check(byte[] text, int from, int to) {
        boolean quotes = false;
        boolean escapes = false;
        for (int i = from; i < to; i++) {
            quotes |= text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
            escapes |= text[i] == '"' || text[i] == '\\' || text[i] >= 0 && text[i] < ' ';
        }
        assertThat(SpecialBytes.needQuotes(text, from, to)).isEqualTo(quotes);
        assertThat(SpecialBytes.needEscapes(text, from, to)).isEqualTo(escapes);
    }
}
