package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Random;

class TextWordsTest {
    private static final long SEED = 5;

    /** Whatever lies before and behind, and whichever bytes are alike but for a bit. */
    @Test
    void aByteIsFoundWhereItIsAndNowhereElse() {
        Random random = new Random(SEED);
        for (int round = 0; round < 20_000; round++) {
            byte wanted = (byte) (random.nextBoolean() ? '"' : random.nextInt());
            int from = random.nextInt(10);
            int to = from + random.nextInt(30);
            byte[] text = new byte[to + 8];
            for (int i = 0; i < text.length; i++) {
                int kind = random.nextInt(3);
                text[i] = (byte) (kind == 0 ? wanted + 1 : kind == 1 ? wanted ^ 0x80 : 0);
            }
            boolean there = random.nextBoolean() && to > from;
            for (int i = 0; i < text.length; i++) {
                boolean inside = i >= from && i < to;
                text[i] = inside && text[i] == wanted ? (byte) ~wanted : text[i];
                text[i] = !inside && random.nextInt(3) == 0 ? wanted : text[i];
            }
            if (there) {
                text[from + random.nextInt(to - from)] = wanted;
            }
            assertThat(TextWords.holds(text, from, to, wanted))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(there);
        }
    }
}
