package dev.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.junit.jupiter.api.Test;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

final class DigitKernelsTest {
    private static final long SEED = 808L;

    /** Vector kernels and scalar ones. */
    private static final boolean[] FORMS = {true, false};

    private final Random random = new Random(SEED);

    @Test
    void numbersOfEightDigitsAreRead() {
        for (int round = 0; round < 5_000; round++) {
            String[] values = new String[random.nextInt(40)];
            for (int i = 0; i < values.length; i++) {
                values[i] = digits((round % 2 == 0 ? 0 : 1) + random.nextInt(8));
            }
            spoil(values);
            Fields fields = new Fields(values);
            boolean expectedGood = allMatch(values, "[0-9]*");
            for (boolean vector : FORMS) {
                long[] out = new long[3 + values.length];
                boolean good = fields.numbers(out, vector);
                assertThat(good).as("seed %d", SEED).isEqualTo(expectedGood);
                for (int i = 0; i < values.length && good; i++) {
                    long expected = values[i].isEmpty() ? 0 : Long.parseLong(values[i]);
                    assertThat(out[3 + i]).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void decimalsOfEightCharactersAreRead() {
        for (int round = 0; round < 5_000; round++) {
            int scale = 1 + random.nextInt(6);
            long unit = Math.round(Math.pow(10, scale));
            String[] values = new String[random.nextInt(40)];
            // All with a point, none, or some.
            int pointless = new int[] {0, 4, 1}[round % 3];
            for (int i = 0; i < values.length; i++) {
                int whole = random.nextInt(8 - scale);
                values[i] =
                        random.nextInt(4) < pointless
                                ? digits(random.nextInt(9))
                                : digits(whole) + "." + digits(scale);
            }
            if (round % 2 == 0) {
                spoil(values);
            }
            assertDecimals(values, scale, unit);
        }
    }

    private static void assertDecimals(String[] values, int scale, long unit) {
        Fields fields = new Fields(values);
        boolean expectedGood = allMatch(values, "[0-9]*|[0-9]*[.][0-9]{" + scale + "}");
        for (boolean vector : FORMS) {
            long[] out = new long[values.length];
            boolean good = fields.decimals(out, scale, unit, vector);
            assertThat(good).as(String.join(" ", values)).isEqualTo(expectedGood);
            for (int i = 0; i < values.length && good; i++) {
                String text = values[i].isEmpty() ? "0" : values[i];
                long expected = new java.math.BigDecimal(text).movePointRight(scale).longValue();
                assertThat(out[i]).isEqualTo(expected);
            }
        }
    }

    @Test
    void everyDateOfTheCalendarAndNoOther() {
        LocalDate first = LocalDate.of(1, 1, 1);
        int count = (int) (LocalDate.of(9999, 12, 31).toEpochDay() - first.toEpochDay()) + 1;
        String[] values = new String[count];
        for (int i = 0; i < count; i++) {
            values[i] = first.plusDays(i).toString();
        }
        Fields all = new Fields(values);
        long[] vector = new long[count];
        long[] scalar = new long[count];
        assertThat(all.dates(vector, true)).isZero();
        assertThat(all.dates(scalar, false)).isZero();
        long[] expected = new long[count];
        Arrays.setAll(expected, i -> first.toEpochDay() + i);
        assertThat(vector).isEqualTo(expected);
        assertThat(scalar).isEqualTo(expected);
        for (int year : new int[] {0, 4, 1900, 2000, 2023, 9999}) {
            for (int month = 0; month < 100; month++) {
                for (int day = 0; day < 100; day++) {
                    boolean exists =
                            year > 0
                                    && month >= 1
                                    && month <= 12
                                    && day >= 1
                                    && day <= java.time.YearMonth.of(year, month).lengthOfMonth();
                    assertDate(String.format("%04d-%02d-%02d", year, month, day), exists);
                }
            }
        }
    }

    @Test
    void datesHaveTenCharactersAndDashes() {
        assertDate("2024-02-29", true);
        String good = "2024-02-29";
        for (int at = 0; at < 10; at++) {
            for (int c = 1; c < 128; c++) {
                boolean digit = c >= '0' && c <= '9';
                if (at == 4 || at == 7 ? c != '-' : !digit) {
                    assertDate(good.substring(0, at) + (char) c + good.substring(at + 1), false);
                }
            }
        }
        for (String wrong : new String[] {"2", "2024-02-2", "2024-02-290", "2024-02-29 "}) {
            assertDate(wrong, false);
        }
    }

    @Test
    void emptyDatesAreDayZero() {
        for (int count = 0; count < 70; count++) {
            String[] values = new String[count];
            for (int i = 0; i < count; i++) {
                values[i] =
                        random.nextInt(3) == 0 ? "" : count % 2 == 0 ? "2024-02-29" : "0399-12-31";
            }
            Fields fields = new Fields(values);
            long[] vector = new long[count];
            long[] scalar = new long[count];
            assertThat(fields.dates(vector, true)).isZero();
            assertThat(fields.dates(scalar, false)).isZero();
            for (int i = 0; i < count; i++) {
                long day = values[i].isEmpty() ? 0 : LocalDate.parse(values[i]).toEpochDay();
                assertThat(vector[i]).as("%d of %d", i, count).isEqualTo(day);
                assertThat(scalar[i]).as("%d of %d", i, count).isEqualTo(day);
            }
        }
    }

    /** At each lane of some vectors, among good dates. */
    private static void assertDate(String value, boolean exists) {
        int at = value.hashCode() >>> 1 & 31;
        String[] values = new String[37];
        Arrays.fill(values, "1969-12-31");
        values[at] = value;
        Fields fields = new Fields(values);
        long[] out = new long[values.length];
        assertThat(fields.dates(out, true) == 0).as(value).isEqualTo(exists);
        assertThat(out[(at + 1) % 37]).isEqualTo(-1);
        assertThat(fields.dates(out, false) == 0).as(value).isEqualTo(exists);
    }

    @Test
    void numbersOfSixteenCharactersAreRead() {
        for (int round = 0; round < 5_000; round++) {
            int scale = 1 + random.nextInt(6);
            boolean whole = round % 2 == 0;
            String[] values = new String[random.nextInt(40)];
            for (int i = 0; i < values.length; i++) {
                int digits = random.nextInt(whole ? 16 : 16 - scale);
                values[i] =
                        random.nextInt(5) == 0
                                ? random.nextBoolean() ? "" : "0"
                                : digits(digits) + (whole ? digits(1) : "." + digits(scale));
            }
            spoil(values);
            assertLong(values, whole, scale);
        }
    }

    private static void assertLong(String[] values, boolean whole, int scale) {
        Fields fields = new Fields(values);
        String form = whole ? "[0-9]*" : "0*|[0-9]*[.][0-9]{" + scale + "}";
        boolean expectedGood = allMatch(values, form);
        for (boolean vector : FORMS) {
            long[] out = new long[2 + values.length];
            boolean good =
                    whole
                            ? fields.longNumbers(out, vector)
                            : fields.longDecimals(out, scale, vector);
            assertThat(good)
                    .as("seed %d: %s", SEED, String.join(" ", values))
                    .isEqualTo(expectedGood);
            for (int i = 0; i < values.length && good; i++) {
                String text = values[i].isEmpty() ? "0" : values[i];
                int shift = whole ? 0 : scale;
                long expected = new java.math.BigDecimal(text).movePointRight(shift).longValue();
                assertThat(out[2 + i]).as(text).isEqualTo(expected);
            }
        }
    }

    private static boolean allMatch(String[] values, String form) {
        return Arrays.stream(values).allMatch(value -> value.matches("(?s)" + form));
    }

    private static final class Fields {
        private final byte[] text;
        private final int[] before;
        private final int[] end;

        Fields(String[] values) {
            before = new int[values.length];
            end = new int[values.length];
            // What lies before the first field belongs to none.
            StringBuilder all = new StringBuilder("1.234567|");
            for (int i = 0; i < values.length; i++) {
                before[i] = all.length() - 1;
                end[i] = all.length() + values[i].length();
                all.append(values[i]).append('|');
            }
            text = all.append(" ".repeat(16)).toString().getBytes(ISO_8859_1);
        }

        boolean numbers(long[] out, boolean vector) {
            int count = end.length;
            return vector
                    ? VectorNumbers.numbers(text, before, end, count, out, 3)
                    : NumberWords.numbers(text, before, end, 0, count, out, 3);
        }

        boolean decimals(long[] out, int scale, long unit, boolean vector) {
            int count = end.length;
            return vector
                    ? VectorNumbers.decimals(text, before, end, count, out, 0, scale, unit)
                    : NumberWords.decimals(text, before, end, 0, count, out, 0, scale, unit);
        }

        boolean longNumbers(long[] out, boolean vector) {
            int count = end.length;
            long[] scratch = new long[count];
            return vector
                    ? VectorNumbers.longNumbers(text, before, end, count, out, 2, scratch)
                    : NumberWords.longNumbers(text, before, end, 0, count, out, 2, scratch);
        }

        boolean longDecimals(long[] out, int scale, boolean vector) {
            int count = end.length;
            long[] scratch = new long[count];
            return vector
                    ? VectorNumbers.longDecimals(text, before, end, count, out, 2, scale, scratch)
                    : NumberWords.longDecimals(text, before, end, 0, count, out, 2, scale, scratch);
        }

        long dates(long[] out, boolean vector) {
            int count = end.length;
            long[] scratch = new long[count];
            long faults =
                    vector
                            ? VectorDates.dates(text, before, end, count, false, out, 0, scratch)
                            : ScalarDates.dates(text, before, end, 0, count, out, 0);
            if (IntStream.range(0, count).allMatch(i -> end[i] - before[i] - 1 == 10)) {
                long[] full = new long[out.length];
                long ofFull =
                        vector
                                ? VectorDates.dates(
                                        text, before, end, count, true, full, 0, scratch)
                                : ScalarDates.fullDates(text, before, end, count, full, 0);
                assertThat(ofFull).isEqualTo(faults);
                assertThat(full).isEqualTo(out);
            }
            return faults;
        }
    }

    /** Puts a wrong character into one of the values, half of the time. */
    private void spoil(String[] values) {
        if (values.length == 0 || random.nextBoolean()) {
            return;
        }
        int i = random.nextInt(values.length);
        if (!values[i].isEmpty()) {
            int at = random.nextInt(values[i].length());
            char other = (char) random.nextInt(256);
            values[i] = values[i].substring(0, at) + other + values[i].substring(at + 1);
        }
    }

    private String digits(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append((char) ('0' + random.nextInt(10)));
        }
        return text.toString();
    }
}
