package dev.penstock.dict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

final class TokenTest {
    private static final String[] WORDS = {
        "the ",
        "furiously ",
        "deposits. ",
        "Ünïcödé ",
        "a",
        "http://",
        "www.",
        "example.",
        "com/",
        "dependencies: ",
        "\u0000\u0000",
        "pinto ",
        "beans ",
        "user",
        "123",
        "456",
        "12345",
        "7, "
    };

    @Test
    void anyBytesRoundTripWithAnyTable() {
        Random random = new Random(11);
        List<TokenTable> tables = List.of(new TokenTable(List.of()), trained(), crowded(random));
        for (int round = 0; round < 60; round++) {
            int rows = random.nextInt(400);
            BytesColumn values = values(random, rows, round % 3);
            for (TokenTable table : tables) {
                roundTrip(table, values, rows);
            }
        }
    }

    @Test
    void longValuesRoundTrip() {
        BytesColumn values = new BytesColumn(3, 0);
        values.append(0, new byte[0], 0, 0);
        byte[] same = new byte[300_000];
        Arrays.fill(same, (byte) 'x');
        values.append(1, same, 0, same.length);
        byte[] text = "the furiously pinto ".repeat(20_000).getBytes(StandardCharsets.UTF_8);
        values.append(2, text, 0, text.length);
        roundTrip(trained(), values, 3);
    }

    private static void roundTrip(TokenTable table, BytesColumn values, int rows) {
        TokenColumn codes = new TokenColumn();
        TokenEncoder encoder = new TokenEncoder();
        int half = rows / 2;
        encoder.encode(table, values.offsets(), values.data(), 0, half, codes, 0);
        encoder.encode(table, values.offsets(), values.data(), half, rows - half, codes, half);
        int[] ends = codes.offsets();
        for (int row = 0; row < rows; row++) {
            byte[] out = new byte[(int) (15L * (ends[row + 1] - ends[row])) + TokenTable.SLACK];
            int length = table.decode(codes.codes(), ends[row], ends[row + 1], out, 0);
            assertThat(Arrays.copyOf(out, length)).as("row " + row).isEqualTo(values.get(row));
            assertThat(table.byteCount(codes.codes(), ends[row], ends[row + 1])).isEqualTo(length);
        }
    }

    @Test
    void codesOfAValueDoNotDependOnWhereItLies() {
        Random random = new Random(5);
        TokenTable table = trained();
        BytesColumn values = values(random, 500, 2);
        TokenColumn together = new TokenColumn();
        new TokenEncoder().encode(table, values.offsets(), values.data(), 0, 500, together, 0);
        for (int row = 0; row < 500; row++) {
            byte[] value = values.get(row);
            TokenColumn alone = new TokenColumn();
            new TokenEncoder().encode(table, new int[] {0, value.length}, value, 0, 1, alone, 0);
            assertThat(codes(alone, 0)).isEqualTo(codes(together, row));
        }
    }

    @Test
    void knownWordsAreOneCodeAndOthersAreTakenApart() {
        TokenTable table =
                new TokenTable(List.of(bytes("the "), bytes("dep"), bytes("de"), bytes("its ")));
        assertThat(codes(table, "the the dep")).containsExactly(256, 256, 257);
        assertThat(codes(table, "deposits ")).containsExactly(257, 'o', 's', 259);
        assertThat(codes(table, "dex ")).containsExactly(258, 'x', ' ');
        assertThat(codes(table, "t")).containsExactly('t');
    }

    private static int[] codes(TokenTable table, String value) {
        TokenColumn codes = new TokenColumn();
        byte[] data = bytes(value);
        new TokenEncoder().encode(table, new int[] {0, data.length}, data, 0, 1, codes, 0);
        return codes(codes, 0);
    }

    private static int[] codes(TokenColumn column, int row) {
        return IntStream.range(column.offsets()[row], column.offsets()[row + 1])
                .map(column::code)
                .toArray();
    }

    @Test
    void wordsSeenBeforeAreTakenApartAsTheFirstTime() {
        Random random = new Random(13);
        List<TokenTable> tables = List.of(trained(), new TokenTable(List.of()), crowded(random));
        TokenEncoder encoder = new TokenEncoder();
        BytesColumn values = values(random, 3000, 2);
        for (int round = 0; round < 6; round++) {
            TokenTable table = tables.get(round % tables.size());
            TokenColumn again = new TokenColumn();
            encoder.encode(table, values.offsets(), values.data(), 0, 3000, again, 0);
            TokenColumn first = new TokenColumn();
            new TokenEncoder().encode(table, values.offsets(), values.data(), 0, 3000, first, 0);
            for (int row = 0; row < 3000; row++) {
                assertThat(codes(again, row)).isEqualTo(codes(first, row));
            }
        }
    }

    @Test
    void headsAreBounds() {
        TokenTable table = trained();
        Random random = new Random(3);
        BytesColumn values = values(random, 300, 2);
        TokenColumn codes = new TokenColumn();
        new TokenEncoder().encode(table, values.offsets(), values.data(), 0, 300, codes, 0);
        for (int row = 0; row < 300; row++) {
            byte[] value = values.get(row);
            if (value.length > 0) {
                long head = dev.penstock.kernel.ByteStrings.orderedHead(value, 0, value.length);
                int first = codes.code(codes.offsets()[row]);
                assertThat(table.lowestHead(first)).isLessThanOrEqualTo(head);
                assertThat(table.highestHead(first)).isGreaterThanOrEqualTo(head);
            }
        }
    }

    @Test
    void tablesAreWrittenAndRead() {
        for (TokenTable table :
                List.of(new TokenTable(List.of()), trained(), crowded(new Random(1)))) {
            ByteBuilder out = new ByteBuilder(16);
            table.write(out);
            assertThat(out.length()).isLessThanOrEqualTo(TokenTable.MAX_BYTES);
            TokenTable back = TokenTable.read(new ByteParser(out.toByteArray(), "it"), "it");
            assertThat(back).isEqualTo(table);
            assertThat(back.fingerprint()).isEqualTo(table.fingerprint());
        }
        assertThat(trained().fingerprint()).isNotEqualTo(crowded(new Random(1)).fingerprint());
    }

    @Test
    void damagedTablesAreRefused() {
        refused(new ByteBuilder(16).putInt(4000));
        refused(new ByteBuilder(16).putInt(-1));
        refused(new ByteBuilder(16).putInt(1).putByte(1).putByte('a').putByte(0));
        refused(new ByteBuilder(16).putInt(1).putByte(16).putLong(1).putLong(2));
        refused(new ByteBuilder(16).putInt(1).putByte(9).putLong(1));
        refused(new ByteBuilder(16).putInt(2).putByte(2).putShort(9).putByte(2).putShort(9));
        ByteBuilder many = new ByteBuilder(16).putInt(3841);
        for (int i = 0; i < 3841; i++) {
            many.putByte(4).putInt(i);
        }
        refused(many);
    }

    private static void refused(ByteBuilder bytes) {
        ByteParser parser = new ByteParser(bytes.toByteArray(), "table");
        assertThatThrownBy(() -> TokenTable.read(parser, "table"))
                .isInstanceOf(PenstockException.class)
                .hasMessageContaining("table");
    }

    @Test
    void textIsWorthATableAndNoiseIsNot() {
        Random random = new Random(2);
        int rows = 5000;
        TokenTable table = new TokenTrainer().run(values(random, rows, 1), rows).orElseThrow();
        assertThat(table.codeCount()).isGreaterThan(TokenTable.BYTE_CODES);
        BytesColumn again = values(new Random(2), rows, 1);
        assertThat(new TokenTrainer().run(again, rows)).isEqualTo(Optional.of(table));
        assertThat(new TokenTrainer().run(values(random, rows, 0), rows)).isEmpty();
        assertThat(new TokenTrainer().run(new BytesColumn(0, 0), 0)).isEmpty();
    }

    @Test
    void aWordThatOccursOnceSavesNothingButMayFillATable() {
        BytesColumn once = new BytesColumn(0, 0);
        BytesColumn often = new BytesColumn(0, 0);
        int rows = 1000;
        for (int row = 0; row < rows; row++) {
            append(once, row, "word" + row);
            append(often, row, "word" + row / 4);
        }
        assertThat(new TokenTrainer().run(once, rows)).isEmpty();
        TokenTable table = new TokenTrainer().run(often, rows).orElseThrow();
        assertThat(table.codeCount()).isEqualTo(TokenTable.BYTE_CODES + rows / 4);
        append(often, rows, "once");
        assertThat(new TokenTrainer().run(often, rows + 1).orElseThrow().codeCount())
                .isEqualTo(TokenTable.BYTE_CODES + rows / 4 + 1);
    }

    private static void append(BytesColumn column, int row, String value) {
        column.append(row, bytes(value), 0, bytes(value).length);
    }

    @Test
    void theLongestTokenWinsOverThreeDigits() {
        TokenTable table =
                new TokenTable(
                        List.of(
                                bytes("123"),
                                bytes("12345"),
                                bytes("45"),
                                bytes("6, "),
                                bytes("9x")));
        assertThat(codes(table, "12345")).containsExactly(257);
        assertThat(codes(table, "123456, ")).containsExactly(257, 259);
        assertThat(codes(table, "123123")).containsExactly(256, 256);
        assertThat(codes(table, "12399")).containsExactly(256, '9', '9');
        assertThat(codes(table, "12x4")).containsExactly('1', '2', 'x', '4');
        assertThat(codes(table, "12:9x45")).containsExactly('1', '2', ':', 260, 258);
    }

    @Test
    void numbersThatAreAllDifferentAreLearnedInGroups() {
        Random random = new Random(17);
        TokenTable table = learned(() -> "order user" + number(random));
        for (int i = 0; i < 100; i++) {
            String text = "order user" + number(random);
            assertThat(codes(table, text)).as(text).hasSize(4);
        }
    }

    /** The table that 20,000 values give. */
    private static TokenTable learned(Supplier<String> values) {
        int rows = 20_000;
        BytesColumn column = new BytesColumn(0, 0);
        for (int row = 0; row < rows; row++) {
            append(column, row, values.get());
        }
        return new TokenTrainer().run(column, rows).orElseThrow();
    }

    private static int number(Random random) {
        return random.nextInt(100_000, 1_000_000);
    }

    @Test
    void digitsAmongLettersAreNoNumbers() {
        Random random = new Random(19);
        TokenTable table =
                learned(() -> "the https://example.com " + random.nextInt(100_000) + "abc");
        for (int code = TokenTable.BYTE_CODES; code < table.codeCount(); code++) {
            assertThat(table.length(code)).isNotEqualTo(3);
        }
    }

    @Test
    void nullsAreNotLearnedFrom() {
        int rows = 4000;
        BytesColumn values = values(new Random(2), rows, 1);
        for (int row = 0; row < rows; row++) {
            values.validity().setNull(row, rows);
        }
        assertThat(new TokenTrainer().run(values, rows)).isEmpty();
    }

    private static TokenTable trained() {
        List<byte[]> tokens = new ArrayList<>();
        for (String word : WORDS) {
            if (bytes(word).length > 1) {
                tokens.add(bytes(word));
            }
        }
        return new TokenTable(tokens);
    }

    /** As many and as long tokens as possible. */
    private static TokenTable crowded(Random random) {
        List<byte[]> tokens = new ArrayList<>();
        for (int i = 0; i < TokenTable.MAX_CODES - TokenTable.BYTE_CODES; i++) {
            byte[] token = new byte[TokenTable.MAX_TOKEN_BYTES];
            random.nextBytes(token);
            tokens.add(token);
        }
        return new TokenTable(tokens);
    }

    /** Rows of any bytes (form 0), of words (1), or of words, pieces of words and bytes (2). */
    private static BytesColumn values(Random random, int rows, int form) {
        BytesColumn column = new BytesColumn(rows, 0);
        for (int row = 0; row < rows; row++) {
            ByteBuilder value = new ByteBuilder(16);
            int parts = random.nextInt(8);
            for (int i = 0; i < parts; i++) {
                byte[] part = bytes(WORDS[random.nextInt(WORDS.length)]);
                int length = form == 2 ? random.nextInt(part.length + 1) : part.length;
                if (form == 0 || form == 2 && random.nextInt(4) == 0) {
                    part = new byte[random.nextInt(20)];
                    random.nextBytes(part);
                    length = part.length;
                }
                value.write(part, 0, length);
                if (form == 2 && random.nextInt(3) == 0) {
                    byte[] number = bytes(Long.toString(random.nextLong() >>> random.nextInt(64)));
                    value.write(number, 0, number.length);
                }
            }
            column.append(row, value.array(), 0, value.length());
        }
        return column;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
