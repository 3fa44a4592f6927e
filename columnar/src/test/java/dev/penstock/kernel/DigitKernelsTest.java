package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.junit.jupiter.api.Test;

import java.time.LocalDate;
import java.util.Random;

final class DigitKernelsTest {
    private static final long SEED = 808L;

    private final Random random = new Random(SEED);

    @Test
    void vectorAndScalarReadTheSameNumbers() {
        for (int round = 0; round < 5_000; round++) {
            int count = random.nextInt(40);
            String[] values = new String[count];
            for (int i = 0; i < count; i++) {
                values[i] = digits(random.nextInt(9));
            }
            spoil(values);
            long[] vector = words(values, 3);
            long[] scalar = vector.clone();
            long faults = VectorDigits.numbers(vector, 3, count);
            assertThat(faults == 0).isEqualTo(ScalarDigits.numbers(scalar, 3, count) == 0);
            assertThat(faults == 0).isEqualTo(allMatch(values, "[0-9]*"));
            assertThat(vector).as("seed %d", SEED).isEqualTo(scalar);
            for (int i = 0; i < count && faults == 0; i++) {
                long expected = values[i].isEmpty() ? 0 : Long.parseLong(values[i]);
                assertThat(vector[3 + i]).isEqualTo(expected);
            }
        }
    }

    @Test
    void vectorAndScalarReadTheSameDecimals() {
        for (int round = 0; round < 5_000; round++) {
            int scale = 1 + random.nextInt(6);
            long unit = Math.round(Math.pow(10, scale));
            int count = random.nextInt(40);
            String[] values = new String[count];
            for (int i = 0; i < count; i++) {
                int whole = random.nextInt(8 - scale);
                values[i] =
                        random.nextInt(4) == 0
                                ? digits(random.nextInt(9))
                                : digits(whole) + "." + digits(scale);
            }
            spoil(values);
            long[] vector = words(values, 0);
            long[] scalar = vector.clone();
            long faults = VectorDigits.decimals(vector, 0, count, scale, unit);
            assertThat(faults == 0)
                    .isEqualTo(ScalarDigits.decimals(scalar, 0, count, scale, unit) == 0);
            assertThat(faults == 0)
                    .as(String.join(" ", values))
                    .isEqualTo(allMatch(values, "[0-9]*|[0-9]*[.][0-9]{" + scale + "}"));
            assertThat(vector).as("seed %d", SEED).isEqualTo(scalar);
            for (int i = 0; i < count && faults == 0; i++) {
                String text = values[i].isEmpty() ? "0" : values[i];
                long expected = new java.math.BigDecimal(text).movePointRight(scale).longValue();
                assertThat(vector[i]).isEqualTo(expected);
            }
        }
    }

    @Test
    void everyDateOfTheCalendarAndNoOther() {
        LocalDate first = LocalDate.of(1, 1, 1);
        int count = (int) (LocalDate.of(9999, 12, 31).toEpochDay() - first.toEpochDay()) + 1;
        String[] values = new String[count];
        for (int i = 0; i < count; i++) {
            values[i] = first.plusDays(i).toString().replace("-", "");
        }
        long[] vector = words(values, 0);
        long[] scalar = vector.clone();
        assertThat(VectorDigits.days(vector, 0, count)).isZero();
        assertThat(ScalarDigits.days(scalar, 0, count)).isZero();
        for (int i = 0; i < count; i++) {
            assertThat(vector[i]).isEqualTo(first.toEpochDay() + i);
        }
        assertThat(scalar).isEqualTo(vector);
        for (int year : new int[] {0, 1, 4, 100, 400, 1900, 1996, 2000, 2023, 2100, 9999}) {
            for (int month = 0; month < 100; month++) {
                for (int day = 0; day < 100; day++) {
                    boolean exists =
                            year > 0
                                    && month >= 1
                                    && month <= 12
                                    && day >= 1
                                    && day <= java.time.YearMonth.of(year, month).lengthOfMonth();
                    String value = String.format("%04d%02d%02d", year, month, day);
                    long[] one = words(new String[] {value}, 0);
                    long[] many = new long[16];
                    java.util.Arrays.fill(many, words(new String[] {"20240229"}, 0)[0]);
                    many[7] = one[0];
                    assertThat(ScalarDigits.days(one, 0, 1) == 0).as(value).isEqualTo(exists);
                    assertThat(VectorDigits.days(many, 0, 16) == 0).as(value).isEqualTo(exists);
                }
            }
        }
    }

    @Test
    void datesHaveTenCharactersAndDashes() {
        byte[] text = ("2024-02-29|1999-12-31|" + " ".repeat(16)).getBytes(US_ASCII);
        long[] out = new long[2];
        int[] bounds = {-1, 10, 21};
        assertThat(DigitKernels.dateWords(text, bounds, 0, 1, 2, out, 0)).isZero();
        assertThat(DigitKernels.days(out, 0, 2)).isZero();
        assertThat(out)
                .containsExactly(
                        LocalDate.of(2024, 2, 29).toEpochDay(),
                        LocalDate.of(1999, 12, 31).toEpochDay());
        assertThat(DigitKernels.dateWords(text, new int[] {-1, 10, 20}, 0, 1, 2, out, 0))
                .isNotZero();
        text[4] = '/';
        assertThat(DigitKernels.dateWords(text, bounds, 0, 1, 2, out, 0)).isNotZero();
    }

    @Test
    void longFieldsAreListedAndCountAsEmpty() {
        byte[] text = ("123456789 12" + " ".repeat(16)).getBytes(US_ASCII);
        long[] out = new long[3];
        int[] longer = new int[3];
        int[] bounds = {-1, 9, 9, 12, -1, 8};
        assertThat(DigitKernels.words(text, bounds, 0, 2, 3, out, 0, longer)).isEqualTo(1);
        bounds[3] = 10;
        assertThat(DigitKernels.words(text, bounds, 0, 2, 3, out, 0, longer)).isEqualTo(~1);
        bounds[3] = 12;
        DigitKernels.words(text, bounds, 0, 2, 3, out, 0, longer);
        assertThat(longer[0]).isZero();
        assertThat(DigitKernels.numbers(out, 0, 3)).isZero();
        assertThat(out).containsExactly(0, 12, 12345678);
    }

    /** Puts a wrong character into one of the values, half of the time. */
    private void spoil(String[] values) {
        if (values.length == 0 || random.nextBoolean()) {
            return;
        }
        int i = random.nextInt(values.length);
        if (!values[i].isEmpty()) {
            int at = random.nextInt(values[i].length());
            char other = (char) random.nextInt(128);
            values[i] = values[i].substring(0, at) + other + values[i].substring(at + 1);
        }
    }

    private static boolean allMatch(String[] values, String pattern) {
        for (String value : values) {
            if (!value.matches("(?s)" + pattern)) {
                return false;
            }
        }
        return true;
    }

    private String digits(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append((char) ('0' + random.nextInt(10)));
        }
        return text.toString();
    }

    private static long[] words(String[] values, int at) {
        long[] words = new long[at + values.length];
        int[] bounds = new int[values.length + 1];
        bounds[0] = -1;
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            bounds[i + 1] = all.length() + values[i].length();
            all.append(values[i]).append('|');
        }
        byte[] text = all.append("        ").toString().getBytes(US_ASCII);
        int[] longer = new int[values.length];
        DigitKernels.words(text, bounds, 0, 1, values.length, words, at, longer);
        return words;
    }
}
