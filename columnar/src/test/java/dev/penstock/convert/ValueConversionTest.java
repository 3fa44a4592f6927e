package dev.penstock.convert;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.LongColumn;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.kernel.CopyKernels;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.FloatOrder;
import dev.penstock.schema.PhysicalKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Conversion against java.math and java.time, and the batch kernels against the exact parser. */
final class ValueConversionTest {
    private static final long SEED = 977L;

    private final Random random = new Random(SEED);

    @Test
    void integersAgreeWithBigInteger() {
        integers(new ColumnType.SmallIntType(), Short.MIN_VALUE, Short.MAX_VALUE);
        integers(new ColumnType.IntegerType(), Integer.MIN_VALUE, Integer.MAX_VALUE);
        integers(new ColumnType.BigIntType(), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private void integers(ColumnType type, long min, long max) {
        for (int round = 0; round < 20_000; round++) {
            BigInteger value = new BigInteger(random.nextInt(70), random);
            value = random.nextBoolean() ? value : value.negate();
            value = round == 0 ? BigInteger.valueOf(min) : value;
            value = round == 1 ? BigInteger.valueOf(max) : value;
            value = round == 2 ? BigInteger.valueOf(min).subtract(BigInteger.ONE) : value;
            value = round == 3 ? BigInteger.valueOf(max).add(BigInteger.ONE) : value;
            String text = value.toString();
            if (random.nextInt(10) == 0) {
                String sign = value.signum() < 0 ? "-" : random.nextBoolean() ? "+" : "";
                text = sign + "0".repeat(random.nextInt(20)) + value.abs();
            }
            boolean fits =
                    value.compareTo(BigInteger.valueOf(min)) >= 0
                            && value.compareTo(BigInteger.valueOf(max)) <= 0;
            if (fits) {
                assertLong(type, text, value.longValueExact());
            } else {
                assertInvalid(type, text, RejectReason.OUT_OF_RANGE);
            }
        }
    }

    @Test
    void decimalsAgreeWithBigDecimal() {
        int[][] shapes = {
            {15, 2}, {18, 0}, {18, 18}, {9, 4}, {5, 5}, {1, 0}, {38, 10}, {19, 0}, {38, 38}
        };
        for (int[] shape : shapes) {
            ColumnType.DecimalType type = new ColumnType.DecimalType(shape[0], shape[1]);
            for (int round = 0; round < 5_000; round++) {
                int digits = 1 + random.nextInt(shape[0] + 2);
                int decimals = random.nextInt(shape[1] + 3);
                BigInteger unscaled =
                        new BigInteger(random.nextInt(4 * digits), random)
                                .mod(BigInteger.TEN.pow(digits));
                BigDecimal value = new BigDecimal(unscaled, decimals);
                value = random.nextBoolean() ? value : value.negate();
                decimal(type, value.toPlainString(), value);
            }
        }
    }

    private void decimal(ColumnType.DecimalType type, String text, BigDecimal value) {
        boolean exact = value.stripTrailingZeros().scale() <= type.scale();
        if (!exact) {
            assertInvalid(type, text, RejectReason.BAD_VALUE);
            return;
        }
        BigInteger unscaled =
                value.setScale(type.scale(), RoundingMode.UNNECESSARY).unscaledValue();
        if (unscaled.abs().compareTo(BigInteger.TEN.pow(type.precision())) >= 0) {
            assertInvalid(type, text, RejectReason.OUT_OF_RANGE);
        } else if (type.precision() <= 18) {
            assertLong(type, text, unscaled.longValueExact());
        } else {
            Parsed parsed = parse(type, text);
            assertThat(parsed).as(text).isInstanceOf(Parsed.BytesValue.class);
            byte[] bytes = ((Parsed.BytesValue) parsed).value();
            assertThat(ValueFormatter.wide(bytes, 0, 16, type.scale()).unscaledValue())
                    .as(text)
                    .isEqualTo(unscaled);
            assertThat(format(type, bytes))
                    .isEqualTo(new BigDecimal(unscaled, type.scale()).toPlainString());
            assertKernelAgrees(type, List.of(text, "1", text));
        }
    }

    /** Windows of good values, so that each is taken, and single values that may be any. */
    @Test
    void shortDecimalsAreReadWhereverTheirPointIs() {
        for (int scale = 0; scale <= 12; scale++) {
            ColumnType type = new ColumnType.DecimalType(18, scale);
            List<String> good = new ArrayList<>();
            for (int round = 0; round < 4_000; round++) {
                String text =
                        random.ints(1 + random.nextInt(9), 0, 12)
                                .mapToObj(i -> "0123456789.-".substring(i, i + 1))
                                .collect(Collectors.joining());
                assertKernelAgrees(type, List.of("1", text));
                BigDecimal value =
                        BigDecimal.valueOf(random.nextInt(1_000_000), random.nextInt(scale + 1));
                good.add(value.stripTrailingZeros().toPlainString());
                good.add("-" + value.toPlainString());
                good.add(value.toPlainString().replaceFirst("^0\\.", "."));
            }
            assertThat(assertKernelAgrees(type, good)).as("scale %d", scale).isTrue();
        }
    }

    @Test
    void wideDecimalsSortByTheirBytes() {
        ColumnType.DecimalType type = new ColumnType.DecimalType(38, 2);
        String[] ordered = {
            "-999999999999999999999999999999999999.99",
            "-18446744073709551616.00",
            "-1",
            "-0.01",
            "0",
            "0.01",
            "184467440737095516.16",
            "999999999999999999999999999999999999.99"
        };
        for (int i = 1; i < ordered.length; i++) {
            byte[] before = ((Parsed.BytesValue) parse(type, ordered[i - 1])).value();
            byte[] after = ((Parsed.BytesValue) parse(type, ordered[i])).value();
            assertThat(java.util.Arrays.compareUnsigned(before, after)).as(ordered[i]).isNegative();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", ".", "-", "+", "1e3", " 1", "1 ", "1-", "--1", "1..2", "1,5", "0x1", "١"
            })
    void whatIsNoNumberIsABadValue(String text) {
        for (ColumnType type :
                List.of(
                        new ColumnType.IntegerType(),
                        new ColumnType.BigIntType(),
                        new ColumnType.DecimalType(10, 2),
                        new ColumnType.DecimalType(30, 2))) {
            assertInvalid(type, text, RejectReason.BAD_VALUE);
        }
    }

    @Test
    void decimalsMayLackDigitsBesideThePoint() {
        ColumnType type = new ColumnType.DecimalType(10, 2);
        assertLong(type, ".5", 50);
        assertLong(type, "5.", 500);
        assertLong(type, "-.05", -5);
        assertLong(type, "+7", 700);
        assertLong(type, "7.1000000000000000000000000", 710);
        assertLong(type, "00000000000000000000007.1", 710);
        assertLong(type, "12345678.91", 1_234_567_891L);
        assertInvalid(type, "7.101", RejectReason.BAD_VALUE);
        assertInvalid(type, "123456789", RejectReason.OUT_OF_RANGE);
    }

    @Test
    void ofANumberThatIsTooLargeATypeIsNamedOnlyIfItHoldsIt() {
        ColumnType small = new ColumnType.SmallIntType();
        ColumnType big = new ColumnType.BigIntType();
        String wider = "; a BIGINT column holds larger numbers";
        String decimal = "; a DECIMAL column of up to 38 digits could hold it";
        assertAdvice(small, "-9223372036854775808", wider);
        assertAdvice(small, "9223372036854775808", decimal);
        assertAdvice(big, "9223372036854775808", decimal);
        assertAdvice(big, "-000" + "9".repeat(38), decimal);
        assertAdvice(big, "1" + "0".repeat(38), "");
        assertAdvice(small, "1" + "0".repeat(38), "");
    }

    @Test
    void ofADecimalThatIsTooLargeAPrecisionOrScaleIsNamedOnlyIfItHoldsIt() {
        ColumnType widest = new ColumnType.DecimalType(38, 10);
        ColumnType small = new ColumnType.DecimalType(10, 2);
        String scale = "; a smaller scale would hold it";
        String both = "; a larger precision with a smaller scale would hold it";
        assertAdvice(small, "-" + "9".repeat(36) + ".25", "; a larger precision would hold it");
        assertAdvice(small, "9".repeat(37) + ".50", both);
        assertAdvice(small, "9".repeat(38), both);
        assertAdvice(small, "9".repeat(38) + ".", both);
        assertAdvice(small, "9".repeat(37) + ".25", "");
        assertAdvice(small, "1" + "0".repeat(38), "");
        assertAdvice(widest, "+00" + "9".repeat(29) + ".123456789", scale);
        assertAdvice(widest, "9".repeat(29) + ".1234567891", "");
        assertAdvice(widest, "9".repeat(39), "");
    }

    private static void assertAdvice(ColumnType type, String text, String advice) {
        assertInvalid(type, text, RejectReason.OUT_OF_RANGE);
        String expected = ((Parsed.Invalid) parse(type, text)).expected();
        int from = expected.indexOf(';');
        assertThat(from < 0 ? "" : expected.substring(from)).as(text).isEqualTo(advice);
    }

    @Test
    void everyDayOfTenThousandYearsIsADate() {
        ColumnType type = new ColumnType.DateType();
        List<String> texts = new ArrayList<>();
        for (LocalDate day = LocalDate.of(1, 1, 1);
                day.getYear() < 10_000;
                day = day.plusDays(13)) {
            String text = day.toString();
            assertThat(((Parsed.LongValue) parse(type, text)).value()).isEqualTo(day.toEpochDay());
            assertThat(format(type, day.toEpochDay())).isEqualTo(text);
            texts.add(text);
        }
        assertKernelAgrees(type, texts);
        for (int year : new int[] {1, 1900, 1996, 2000, 2023, 2024, 9999}) {
            for (int month = 0; month <= 13; month++) {
                for (int day = 0; day <= 32; day++) {
                    String text = String.format("%04d-%02d-%02d", year, month, day);
                    boolean exists =
                            month >= 1
                                    && month <= 12
                                    && day >= 1
                                    && day <= java.time.YearMonth.of(year, month).lengthOfMonth();
                    if (exists) {
                        assertLong(type, text, LocalDate.of(year, month, day).toEpochDay());
                    } else {
                        assertInvalid(type, text, RejectReason.OUT_OF_RANGE);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2023-2-28",
                "2023/02/28",
                "20230228",
                "2023-02-28 ",
                "02-28-2023",
                "2023-02-2x",
                "-023-02-28"
            })
    void otherFormsAreNoDates(String text) {
        assertInvalid(new ColumnType.DateType(), text, RejectReason.BAD_VALUE);
    }

    @Test
    void timesAndTimestampsAgreeWithJavaTime() {
        for (int round = 0; round < 20_000; round++) {
            long micros = random.nextLong(86_400_000_000L);
            micros -= round % 3 == 0 ? micros % 1_000_000 : round % 3 == 1 ? micros % 100_000 : 0;
            LocalTime time = LocalTime.ofNanoOfDay(micros * 1000);
            String text = time.format(DateTimeFormatter.ISO_LOCAL_TIME);
            assertLong(new ColumnType.TimeType(), text, micros);
            LocalDate date = LocalDate.ofEpochDay(random.nextInt(4_000_000) - 719_162);
            if (date.getYear() > 9999) {
                continue;
            }
            LocalDateTime both = LocalDateTime.of(date, time);
            long expected = both.toEpochSecond(ZoneOffset.UTC) * 1_000_000 + micros % 1_000_000;
            char between = round % 2 == 0 ? ' ' : 'T';
            assertLong(new ColumnType.TimestampType(), date.toString() + between + text, expected);
        }
        assertInvalid(new ColumnType.TimeType(), "24:00:00", RejectReason.OUT_OF_RANGE);
        assertInvalid(new ColumnType.TimeType(), "12:60:00", RejectReason.OUT_OF_RANGE);
        assertInvalid(new ColumnType.TimeType(), "12:00", RejectReason.BAD_VALUE);
        assertInvalid(new ColumnType.TimeType(), "12:00:00.", RejectReason.BAD_VALUE);
        assertInvalid(new ColumnType.TimeType(), "12:00:00.1234567", RejectReason.BAD_VALUE);
        assertLong(new ColumnType.TimeType(), "12:00:00.1230000", 43_200_123_000L);
        ColumnType timestamp = new ColumnType.TimestampType();
        assertInvalid(timestamp, "2023-02-29 00:00:00", RejectReason.OUT_OF_RANGE);
        assertInvalid(timestamp, "2023-02-28 00:00:60", RejectReason.OUT_OF_RANGE);
        assertInvalid(timestamp, "2023-02-28", RejectReason.BAD_VALUE);
        assertInvalid(timestamp, "2023-02-28_00:00:00", RejectReason.BAD_VALUE);
        assertInvalid(timestamp, "2023-02-28 00:00:00Z", RejectReason.BAD_VALUE);
    }

    @Test
    void doublesAndRealsAgreeWithTheJdk() {
        for (int round = 0; round < 50_000; round++) {
            double value =
                    round % 2 == 0
                            ? Double.longBitsToDouble(random.nextLong())
                            : new BigDecimal(random.nextLong())
                                    .movePointLeft(random.nextInt(25))
                                    .round(new java.math.MathContext(1 + random.nextInt(17)))
                                    .doubleValue();
            if (Double.isNaN(value)) {
                continue;
            }
            String text = Double.toString(value);
            assertLong(new ColumnType.DoubleType(), text, FloatOrder.toOrdered(value));
            float real = Float.parseFloat(text);
            if (Float.isInfinite(real)) {
                assertInvalid(new ColumnType.RealType(), text, RejectReason.OUT_OF_RANGE);
            } else {
                assertLong(new ColumnType.RealType(), text, FloatOrder.toOrdered(real));
            }
        }
        ColumnType type = new ColumnType.DoubleType();
        assertLong(type, "NaN", FloatOrder.toOrdered(Double.NaN));
        assertLong(type, "-infinity", FloatOrder.toOrdered(Double.NEGATIVE_INFINITY));
        assertLong(type, "INF", FloatOrder.toOrdered(Double.POSITIVE_INFINITY));
        assertLong(type, "-0", FloatOrder.toOrdered(-0.0));
        assertLong(type, "1e-400", FloatOrder.toOrdered(0));
        assertLong(
                type,
                "123456789012345678901234567890",
                FloatOrder.toOrdered(1.2345678901234568e29));
        assertInvalid(type, "1e400", RejectReason.OUT_OF_RANGE);
        assertInvalid(type, "1e99999999999999999999", RejectReason.OUT_OF_RANGE);
        for (String text :
                List.of(
                        "1d", "0x1p3", " 1", "1e", "e5", "", "1e+", "nano", "-", ".", "-.e1",
                        "1.2.3")) {
            assertInvalid(type, text, RejectReason.BAD_VALUE);
        }
        for (String text :
                List.of(
                        "1.",
                        ".5",
                        "+7",
                        "-.5E-3",
                        "1e0000000000001",
                        "0e99999999999999999999",
                        "1e-99999999999999999999",
                        "0.00000000000000000000000012345678901234567",
                        "12345678901234567891.5",
                        "00000000000000000000000001.25",
                        "9007199254740993.0000000000000000000000000000001")) {
            assertLong(type, text, FloatOrder.toOrdered(Double.parseDouble(text)));
            float real = Float.parseFloat(text);
            assertLong(new ColumnType.RealType(), text, FloatOrder.toOrdered(real));
        }
    }

    @Test
    void booleansAreWordsLettersOrDigits() {
        ColumnType type = new ColumnType.BooleanType();
        for (String text : List.of("true", "TRUE", "True", "t", "T", "1")) {
            assertLong(type, text, 1);
        }
        for (String text : List.of("false", "FALSE", "fAlse", "f", "F", "0")) {
            assertLong(type, text, 0);
        }
        for (String text : List.of("", "yes", "2", "tru", "truex", "falsey", "true ", "\u0014")) {
            assertInvalid(type, text, RejectReason.BAD_VALUE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "\0\0\0\0\0", "\0true", "true\0", "\0tru", "fals\0"})
    void zeroBytesAreNoPartOfABoolean(String text) {
        ColumnType type = new ColumnType.BooleanType();
        assertInvalid(type, text, RejectReason.BAD_VALUE);
        assertThat(assertKernelAgrees(type, List.of("true", text, "", "false"))).isFalse();
    }

    @Test
    void columnsOfBooleansMayBeEmptyAndOfAnyForm() {
        ColumnType type = new ColumnType.BooleanType();
        String[] usual = {"true", "false", ""};
        String[] others = {"t", "F", "1", "0", "TRUE", "False", "tru", "falsy", "frue", "talse"};
        int converted = 0;
        for (int round = 0; round < 2_000; round++) {
            List<String> texts = new ArrayList<>();
            for (int i = random.nextInt(80); i >= 0; i--) {
                boolean other = round % 2 == 0 && random.nextInt(40) == 0;
                texts.add(
                        other
                                ? others[random.nextInt(others.length)]
                                : usual[random.nextInt(usual.length)]);
            }
            boolean good = texts.stream().allMatch(text -> isValue(type, text));
            assertThat(assertKernelAgrees(type, texts))
                    .as("seed %d: %s", SEED, texts)
                    .isEqualTo(good);
            converted += good ? 1 : 0;
        }
        assertThat(converted).isGreaterThan(1_000);
    }

    private static boolean isValue(ColumnType type, String text) {
        return text.isEmpty() || parse(type, text) instanceof Parsed.LongValue;
    }

    @Test
    void plainNumbersAreTheNearestDoublesAndReals() {
        for (int round = 0; round < 20_000; round++) {
            String digits = Long.toString(random.nextLong() >>> 1 + random.nextInt(62));
            int point = random.nextInt(digits.length() + 1);
            String text = digits.substring(0, point) + "." + digits.substring(point);
            if (round % 3 == 0) {
                text = digits;
            }
            double value = Double.parseDouble(text);
            assertLong(new ColumnType.DoubleType(), text, FloatOrder.toOrdered(value));
            float real = Float.parseFloat(text);
            assertLong(new ColumnType.RealType(), text, FloatOrder.toOrdered(real));
        }
    }

    /** A number is read a word at a time where others follow it, and a word has a byte of these. */
    @Test
    void numbersAmongOthersAreReadAsThoseThatStandAlone() {
        String[] faults = {"x", "..", " ", "-", ":", "/", "\u00E9", "e", "e1", "E-2", "\0"};
        for (int round = 0; round < 4_000; round++) {
            ColumnType type =
                    round % 2 == 0 ? new ColumnType.DoubleType() : new ColumnType.RealType();
            List<String> texts = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                texts.add(plainNumber());
            }
            assertThat(assertKernelAgrees(type, texts)).isTrue();
            for (String text : texts) {
                double value = round % 2 == 0 ? Double.parseDouble(text) : Float.parseFloat(text);
                assertLong(type, text, FloatOrder.toOrdered(value));
            }
            String text = plainNumber();
            int at = random.nextInt(text.length() + 1);
            texts.add(text.substring(0, at) + faults[round % faults.length] + text.substring(at));
            boolean good = isValue(type, texts.getLast());
            assertThat(assertKernelAgrees(type, texts)).as("%s", texts).isEqualTo(good);
        }
    }

    private String plainNumber() {
        String before = Long.toString(random.nextLong() >>> random.nextInt(63));
        String behind = Long.toString(random.nextLong() >>> 1 + random.nextInt(62));
        String sign = List.of("", "", "-", "+").get(random.nextInt(4));
        String head = before.substring(before.length() - random.nextInt(before.length()));
        return sign + head + "." + "0".repeat(random.nextInt(3)) + behind;
    }

    @Test
    void textIsCheckedForUtf8AndLengthInCharacters() {
        ColumnType type = new ColumnType.VarcharType(4);
        assertThat(parse(type, "ü€𝄞x")).isInstanceOf(Parsed.BytesValue.class);
        assertInvalid(type, "ü€𝄞xy", RejectReason.TOO_LONG);
        assertInvalid(type, "abcde", RejectReason.TOO_LONG);
        byte[][] broken = {
            {(byte) 0x80},
            {(byte) 0xC0, (byte) 0x80},
            {(byte) 0xE0, (byte) 0x80, (byte) 0x80},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            {(byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
            {'a', (byte) 0xE2, (byte) 0x82}
        };
        for (byte[] bytes : broken) {
            assertThat(ValueParser.parse(type, bytes, 0, bytes.length))
                    .isInstanceOfSatisfying(
                            Parsed.Invalid.class,
                            invalid ->
                                    assertThat(invalid.reason())
                                            .isEqualTo(RejectReason.INVALID_UTF8));
        }
        // Two broken halves next to each other make a character, but not a valid column.
        byte[] text = "é€".getBytes(UTF_8);
        BytesColumn out = new BytesColumn(4, 64);
        byte[] padded = java.util.Arrays.copyOf(text, text.length + 64);
        FieldBounds halves = new FieldBounds();
        int[] before = {-1, 0};
        int[] end = {1, 5};
        halves.set(padded, before, end, 2, CopyKernels.lengths(before, end, 2));
        assertThat(CharacterText.convert(halves, out, 0, 10)).isFalse();
    }

    @Test
    void utf8IsWhatTheJdkDecodes() {
        java.nio.charset.CharsetDecoder decoder = UTF_8.newDecoder();
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = new byte[random.nextInt(24)];
            for (int i = 0; i < bytes.length; i++) {
                int kind = random.nextInt(6);
                bytes[i] =
                        (byte)
                                (kind < 3
                                        ? 0x80 + random.nextInt(64)
                                        : kind == 3 ? 'a' : 0xC0 + random.nextInt(64));
            }
            boolean valid = true;
            try {
                assertThat(decoder.decode(java.nio.ByteBuffer.wrap(bytes)).length())
                        .isNotNegative();
            } catch (java.nio.charset.CharacterCodingException e) {
                valid = false;
            }
            assertThat(Utf8.firstInvalid(bytes, 0, bytes.length) < 0)
                    .as("seed %d: %s", SEED, HexFormat.of().formatHex(bytes))
                    .isEqualTo(valid);
        }
    }

    @Test
    void theFirstByteThatIsNoTextIsFoundInTextsOfAnyLength() {
        String[] characters = {"a", "\u00E9", "\u07FF", "\u0080", "\u20AC", "\uD83D\uDE00"};
        for (int round = 0; round < 4_000; round++) {
            int kinds = 1 + random.nextInt(characters.length);
            int plain = random.nextInt(12);
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(round % 10 == 0 ? 6_000 : 120);
            while (text.length() < length) {
                text.append("b".repeat(random.nextInt(plain + 1)));
                text.append(characters[random.nextInt(kinds)]);
            }
            byte[] bytes = text.toString().getBytes(UTF_8);
            int from = random.nextInt(3);
            byte[] padded = new byte[from + bytes.length];
            Arrays.fill(padded, (byte) 0xC3);
            System.arraycopy(bytes, 0, padded, from, bytes.length);
            if (bytes.length > 0 && random.nextBoolean()) {
                padded[from + random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            var decoder = UTF_8.newDecoder();
            var input = java.nio.ByteBuffer.wrap(padded, from, bytes.length);
            var result = decoder.decode(input, java.nio.CharBuffer.allocate(6_100), true);
            int expected = result.isError() ? input.position() : -1;
            assertThat(Utf8.firstInvalid(padded, from, padded.length))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(expected);
        }
    }

    @Test
    void binaryAndUuidsAreHexadecimal() {
        ColumnType binary = new ColumnType.VarbinaryType(4);
        assertThat(((Parsed.BytesValue) parse(binary, "\\x00FfaB")).value())
                .isEqualTo(new byte[] {0, -1, (byte) 0xAB});
        assertThat(((Parsed.BytesValue) parse(binary, "")).value()).isEmpty();
        assertInvalid(binary, "0", RejectReason.BAD_VALUE);
        assertInvalid(binary, "0g", RejectReason.BAD_VALUE);
        assertInvalid(binary, "0011223344", RejectReason.TOO_LONG);
        ColumnType longer = new ColumnType.VarbinaryType(20);
        for (int bytes = 0; bytes <= 20; bytes++) {
            byte[] value = new byte[bytes];
            random.nextBytes(value);
            String text = HexFormat.of().formatHex(value);
            assertThat(((Parsed.BytesValue) parse(longer, text)).value()).isEqualTo(value);
            if (bytes > 0) {
                String bad = text.substring(0, 2 * bytes - 1) + 'g';
                assertInvalid(longer, bad, RejectReason.BAD_VALUE);
                assertInvalid(longer, 'x' + text.substring(1), RejectReason.BAD_VALUE);
            }
        }
        ColumnType type = new ColumnType.UuidType();
        for (int i = 0; i < 100; i++) {
            UUID uuid = new UUID(random.nextLong(), random.nextLong());
            byte[] value = ((Parsed.BytesValue) parse(type, uuid.toString())).value();
            assertThat(HexFormat.of().formatHex(value)).isEqualTo(uuid.toString().replace("-", ""));
            assertThat(format(type, value)).isEqualTo(uuid.toString());
        }
        assertInvalid(type, "123e4567-e89b-12d3-a456-42661417400", RejectReason.BAD_VALUE);
        String good = "123e4567-e89b-12d3-a456-426614174000";
        for (int at = 0; at < good.length(); at++) {
            char other = good.charAt(at) == '-' ? '_' : '-';
            String bad = good.substring(0, at) + other + good.substring(at + 1);
            assertInvalid(type, bad, RejectReason.BAD_VALUE);
        }
    }

    @Test
    void kernelsAgreeWithTheParserOnAnyColumnOfValues() {
        for (ColumnType type : ALL_TYPES) {
            for (int round = 0; round < 2_000; round++) {
                int count = 1 + random.nextInt(round % 4 == 0 ? 40 : 6);
                boolean clean = round % 8 == 0;
                List<String> texts = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    boolean noise = !clean && random.nextInt(20) == 0;
                    texts.add(noise ? noise() : sample(type).get());
                }
                assertKernelAgrees(type, texts);
            }
        }
    }

    @Test
    void formattedValuesReadBackTheSame() {
        for (ColumnType type : ALL_TYPES) {
            for (int round = 0; round < 2_000; round++) {
                String text = sample(type).get();
                Parsed parsed = parse(type, text);
                if (parsed instanceof Parsed.LongValue(long value)) {
                    assertLong(type, format(type, value), value);
                } else if (parsed instanceof Parsed.BytesValue(byte[] value)) {
                    assertThat(((Parsed.BytesValue) parse(type, format(type, value))).value())
                            .isEqualTo(value);
                }
            }
        }
    }

    @Test
    void formatsAreThePlainSqlOnes() {
        assertThat(format(new ColumnType.BigIntType(), Long.MIN_VALUE))
                .isEqualTo("-9223372036854775808");
        assertThat(format(new ColumnType.DecimalType(15, 2), 5)).isEqualTo("0.05");
        assertThat(format(new ColumnType.DecimalType(15, 2), -120)).isEqualTo("-1.20");
        assertThat(format(new ColumnType.DecimalType(15, 0), -120)).isEqualTo("-120");
        assertThat(format(new ColumnType.TimestampType(), -1))
                .isEqualTo("1969-12-31 23:59:59.999999");
        assertThat(format(new ColumnType.TimestampType(), 0)).isEqualTo("1970-01-01 00:00:00");
        assertThat(format(new ColumnType.BooleanType(), 1)).isEqualTo("true");
        assertThat(format(new ColumnType.DoubleType(), FloatOrder.toOrdered(0.1))).isEqualTo("0.1");
        assertThat(format(new ColumnType.RealType(), FloatOrder.toOrdered(0.1f))).isEqualTo("0.1");
    }

    private static final List<ColumnType> ALL_TYPES =
            List.of(
                    new ColumnType.BooleanType(),
                    new ColumnType.SmallIntType(),
                    new ColumnType.IntegerType(),
                    new ColumnType.BigIntType(),
                    new ColumnType.RealType(),
                    new ColumnType.DoubleType(),
                    new ColumnType.DecimalType(15, 2),
                    new ColumnType.DecimalType(18, 7),
                    new ColumnType.DecimalType(30, 3),
                    new ColumnType.DateType(),
                    new ColumnType.TimeType(),
                    new ColumnType.TimestampType(),
                    new ColumnType.CharType(5),
                    new ColumnType.VarcharType(9),
                    new ColumnType.VarbinaryType(6),
                    new ColumnType.UuidType());

    /** Text that is often a value of the type. */
    private Supplier<String> sample(ColumnType type) {
        return switch (type) {
            case ColumnType.BooleanType _ ->
                    () -> List.of("true", "F", "0", "1", "False").get(random.nextInt(5));
            case ColumnType.SmallIntType _ -> () -> "" + (random.nextInt(70_000) - 35_000);
            case ColumnType.IntegerType _ -> () -> "" + (random.nextInt() >> random.nextInt(32));
            case ColumnType.BigIntType _ -> () -> "" + (random.nextLong() >> random.nextInt(64));
            case ColumnType.RealType _ -> () -> "" + random.nextFloat() * random.nextInt(100_000);
            case ColumnType.DoubleType _ -> () -> "" + random.nextGaussian();
            case ColumnType.DecimalType decimal ->
                    () ->
                            new BigDecimal(
                                            new BigInteger(
                                                    random.nextInt(3 * decimal.precision()),
                                                    random),
                                            random.nextInt(decimal.scale() + 1))
                                    .toPlainString();
            case ColumnType.DateType _ -> () -> day().toString();
            case ColumnType.TimeType _ -> () -> time().toString();
            case ColumnType.TimestampType _ -> () -> day() + " " + time();
            case ColumnType.CharType _, ColumnType.VarcharType _ -> this::noise;
            case ColumnType.VarbinaryType _ ->
                    () -> Integer.toHexString(0x1000 + random.nextInt(0xEFFF));
            case ColumnType.UuidType _ ->
                    () -> new UUID(random.nextLong(), random.nextLong()).toString();
        };
    }

    private LocalDate day() {
        return LocalDate.ofEpochDay(random.nextInt(60_000) - 30_000);
    }

    private LocalTime time() {
        LocalTime time = LocalTime.ofSecondOfDay(random.nextInt(86_400));
        return random.nextBoolean() ? time : time.plusNanos(1000L * random.nextInt(1_000_000));
    }

    private String noise() {
        String alphabet = "0123456789-+.:eE T/,atrufls€ü\\x";
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private static Parsed parse(ColumnType type, String text) {
        byte[] bytes = ("[" + text + "]").getBytes(UTF_8);
        return ValueParser.parse(type, bytes, 1, bytes.length - 2);
    }

    private static void assertLong(ColumnType type, String text, long expected) {
        assertThat(parse(type, text))
                .as("%s '%s'", type.sql(), text)
                .isEqualTo(new Parsed.LongValue(expected));
        assertKernelAgrees(type, List.of(text));
    }

    private static void assertInvalid(ColumnType type, String text, RejectReason reason) {
        assertThat(parse(type, text))
                .as("%s '%s'", type.sql(), text)
                .isInstanceOfSatisfying(
                        Parsed.Invalid.class,
                        invalid -> {
                            assertThat(invalid.reason()).isEqualTo(reason);
                            assertThat(invalid.expected()).isNotBlank();
                        });
        assertKernelAgrees(type, List.of(text));
    }

    /**
     * If the kernel takes the values, they are what the parser makes of them; answers whether it
     * takes them.
     */
    private static boolean assertKernelAgrees(ColumnType type, List<String> texts) {
        ByteBuilder joined = new ByteBuilder(64);
        int[] before = new int[texts.size()];
        int[] end = new int[texts.size()];
        for (int i = 0; i < texts.size(); i++) {
            byte[] bytes = texts.get(i).getBytes(UTF_8);
            before[i] = joined.length() - 1;
            end[i] = joined.length() + bytes.length;
            joined.write(bytes, 0, bytes.length);
            joined.putByte('|');
        }
        byte[] text =
                java.util.Arrays.copyOf(joined.array(), joined.length() + FieldBounds.READ_AHEAD);
        boolean longs = type.kind() == PhysicalKind.LONG;
        ColumnData out = longs ? new LongColumn(texts.size() + 1) : new BytesColumn(1, 1);
        FieldBounds fields = new FieldBounds();
        long lengths = CopyKernels.lengths(before, end, texts.size());
        fields.set(text, before, end, texts.size(), lengths);
        ColumnConverter converter = ColumnConverter.of(type);
        boolean converted = converter.convert(fields, out, 0);
        if (converted) {
            assertConverted(type, texts, out);
        }
        return converted;
    }

    private static void assertConverted(ColumnType type, List<String> texts, ColumnData out) {
        boolean longs = type.kind() == PhysicalKind.LONG;
        for (int i = 0; i < texts.size(); i++) {
            if (texts.get(i).isEmpty()) {
                assertEmpty(out, i);
                continue;
            }
            Parsed expected = parse(type, texts.get(i));
            if (longs) {
                assertThat(new Parsed.LongValue(((LongColumn) out).values()[i]))
                        .as("%s '%s'", type.sql(), texts.get(i))
                        .isEqualTo(expected);
            } else {
                assertThat(((BytesColumn) out).get(i))
                        .as("%s '%s'", type.sql(), texts.get(i))
                        .isEqualTo(((Parsed.BytesValue) expected).value());
            }
        }
    }

    private static void assertEmpty(ColumnData out, int row) {
        switch (out) {
            case LongColumn longs -> assertThat(longs.values()[row]).isZero();
            case BytesColumn bytes -> assertThat(bytes.get(row)).isEmpty();
        }
    }

    private static String format(ColumnType type, long value) {
        ByteBuilder out = new ByteBuilder(8);
        ValueFormatter.format(type, value, out);
        return new String(out.toByteArray(), UTF_8);
    }

    private static String format(ColumnType type, byte[] value) {
        ByteBuilder out = new ByteBuilder(8);
        ValueFormatter.format(type, value, 0, value.length, out);
        return new String(out.toByteArray(), UTF_8);
    }
}
