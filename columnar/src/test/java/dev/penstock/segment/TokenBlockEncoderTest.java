package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.TokenColumn;
import dev.penstock.dict.TokenEncoder;
import dev.penstock.dict.TokenTable;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

final class TokenBlockEncoderTest {
    private static final List<String> WORDS =
            List.of(
                    "carefully ",
                    "the ",
                    "deposits ",
                    "furiously ",
                    "ironic. ",
                    "",
                    "x",
                    "Unknown");
    private static final TokenTable TABLE =
            new TokenTable(
                    Stream.of("carefully ", "the ", "deposits ", "furiously ", "ironic. ")
                            .map(word -> word.getBytes(StandardCharsets.UTF_8))
                            .toList());

    /** Rows of many words become codes, those of bytes that are no words stay bytes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 500, 8192})
    void lengths_at_hand_are_those_that_the_codes_have(int rows) {
        SplittableRandom random = new SplittableRandom(rows);
        for (int words : new int[] {0, 1, 5}) {
            check(strings(random, rows, words), rows / 3, rows - rows / 3);
        }
    }

    private static void check(BytesColumn strings, int from, int rows) {
        TokenColumn codes = new TokenColumn();
        int[] offsets = strings.offsets();
        new TokenEncoder().encode(TABLE, offsets, strings.data(), from, rows, codes, 0);
        TokenBlockEncoder encoder = new TokenBlockEncoder(new BlockEncoder());
        ByteBuilder expected = new ByteBuilder(0);
        EncodedBlock measured = encoder.run(TABLE, codes, 0, rows, new long[0], 0, false, expected);
        ByteBuilder actual = new ByteBuilder(0);
        assertThat(encoder.run(TABLE, codes, rows, offsets, from, actual)).isEqualTo(measured);
        assertThat(actual.toByteArray()).isEqualTo(expected.toByteArray());
        int longest = 0;
        for (int row = from; row < from + rows; row++) {
            longest = Math.max(longest, offsets[row + 1] - offsets[row]);
        }
        assertThat(measured.maxLength()).isEqualTo(longest);
    }

    private static BytesColumn strings(SplittableRandom random, int rows, int mostWords) {
        BytesColumn column = new BytesColumn(0, 0);
        for (int row = 0; row < rows; row++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(mostWords + 1); i > 0; i--) {
                text.append(WORDS.get(random.nextInt(WORDS.size())));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            column.append(row, bytes, 0, bytes.length);
        }
        return column;
    }
}
