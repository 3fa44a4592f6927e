package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.bytes.ByteAccess;

import org.junit.jupiter.api.Test;

import java.util.Random;

class HexDigitsTest {
    private final Random random = new Random(61);

    @Test
    void eightDigitsOfEitherCaseAreFourBytes() {
        for (int i = 0; i < 20_000; i++) {
            int value = random.nextInt();
            StringBuilder text = new StringBuilder();
            for (char digit : String.format("%08x", value).toCharArray()) {
                text.append(random.nextBoolean() ? Character.toUpperCase(digit) : digit);
            }
            long word = ByteAccess.getLong(text.toString().getBytes(US_ASCII), 0);
            assertThat(HexDigits.faults(word)).isZero();
            assertThat(Integer.reverseBytes(HexDigits.bytes(word))).isEqualTo(value);
        }
    }

    /** Every byte at every place, among digits and among other bytes. */
    @Test
    void whatIsNoDigitIsAFault() {
        byte[] digits = "09afAF5e".getBytes(US_ASCII);
        for (int place = 0; place < 8; place++) {
            for (int value = 0; value < 256; value++) {
                byte[] text = digits.clone();
                text[place] = (byte) value;
                boolean digit = value < 128 && Character.digit(value, 16) >= 0;
                boolean faultless = HexDigits.faults(ByteAccess.getLong(text, 0)) == 0;
                assertThat(faultless).as("%d at %d", value, place).isEqualTo(digit);
            }
        }
        byte[] text = new byte[8];
        for (int i = 0; i < 200_000; i++) {
            random.nextBytes(text);
            boolean digit = true;
            for (int at = 0; at < 8; at++) {
                if (random.nextInt(16) != 0) {
                    text[at] = digits[random.nextInt(8)];
                }
                digit &= text[at] >= 0 && Character.digit(text[at], 16) >= 0;
            }
            boolean faultless = HexDigits.faults(ByteAccess.getLong(text, 0)) == 0;
            assertThat(faultless).isEqualTo(digit);
        }
    }
}
