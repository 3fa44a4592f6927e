package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

final class DoubledBytesTest {
    private static final long SEED = 77L;

    @Test
    void eightAtATimeAreOneByOne() {
        Random random = new Random(SEED);
        for (int round = 0; round < 50_000; round++) {
            StringBuilder single = new StringBuilder();
            int length = random.nextInt(70);
            // Bytes that differ from the doubled one by a bit, where borrowing would show.
            String others = "#!\"\u00a2a\u0000";
            for (int i = 0; i < length; i++) {
                single.append(others.charAt(random.nextInt(1 + random.nextInt(others.length()))));
            }
            String doubled = single.toString().replace("\"", "\"\"");
            int from = random.nextInt(9);
            byte[] text = text(from, doubled, CopyKernels.SLACK);
            int at = random.nextInt(9);
            byte[] out = new byte[at + length + CopyKernels.SLACK];
            int end = DoubledBytes.halve(text, from, from + doubled.length(), (byte) '"', out, at);
            assertThat(new String(Arrays.copyOfRange(out, at, end), ISO_8859_1))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(single.toString());
            assertThat(Arrays.copyOf(out, at)).isEqualTo(new byte[at]);
        }
    }

    /** What lies around it must not matter. */
    private static byte[] text(int before, String content, int after) {
        return ("\"".repeat(before) + content + "\"".repeat(after)).getBytes(ISO_8859_1);
    }
}
