package dev.penstock.parse;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.ScanKernels;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The fast scan against reading record by record, and cutting against not cutting. */
final class RowIndexTest {
    private static final long SEED = 5150L;

    private static final int MAX_ROWS = 64;

    private static final List<Dialect> DIALECTS =
            List.of(
                    Dialect.csv(),
                    Dialect.csv().withNewline(Dialect.Newline.ANY),
                    Dialect.csv().withEscape('\\'),
                    Dialect.csv().withEscape('\\').withNewline(Dialect.Newline.ANY),
                    Dialect.csv().withComment('#'),
                    Dialect.csv().withComment('#').withNewline(Dialect.Newline.ANY),
                    Dialect.csv().withEscape('"'),
                    Dialect.csv().withTrailingDelimiter(true),
                    Dialect.csv().withQuote(Dialect.NONE),
                    Dialect.csv().withQuote(Dialect.NONE).withNewline(Dialect.Newline.ANY),
                    Dialect.csv().withQuote(Dialect.NONE).withComment('#'),
                    Dialect.csv()
                            .withQuote(Dialect.NONE)
                            .withTrailingDelimiter(true)
                            .withNewline(Dialect.Newline.ANY));

    private final Random random = new Random(SEED);

    @Test
    void windowsOfAnySizeFindTheRowsThatReadingOneByOneFinds() {
        for (int round = 0; round < 60_000; round++) {
            Dialect dialect = DIALECTS.get(round % DIALECTS.size());
            byte[] text = randomText(dialect);
            int fields = 1 + random.nextInt(3);
            int max = random.nextInt(3) == 0 ? 5 + random.nextInt(60) : 1 << 20;
            int windowBytes = 1 + random.nextInt(250);
            List<String> expected = oneByOne(dialect, fields, max, text);
            assertThat(indexed(dialect, fields, max, text, windowBytes))
                    .as(
                            "seed %d, round %d, %s, %d fields, max %d, window %d: %s",
                            SEED, round, dialect, fields, max, windowBytes, new Shown(text))
                    .isEqualTo(expected);
        }
    }

    @Test
    void manyFieldsOfManyRowsAreThoseOfEachRow() {
        for (int round = 0; round < 1_500; round++) {
            Dialect dialect = DIALECTS.get(round % DIALECTS.size());
            int fields = 1 + random.nextInt(40);
            byte[] text = rows(dialect, fields, random.nextInt(100)).getBytes(ISO_8859_1);
            assertThat(indexed(dialect, fields, 1 << 20, text, 1 + random.nextInt(9_000)))
                    .as("seed %d, round %d, %s, %d fields", SEED, round, dialect, fields)
                    .isEqualTo(oneByOne(dialect, fields, 1 << 20, text));
        }
    }

    /** Some columns have quotes, of some texts; now and then a row has a field too few. */
    private String rows(Dialect dialect, int fields, int count) {
        boolean[] quoted = new boolean[fields];
        for (int i = 0; i < fields; i++) {
            quoted[i] = dialect.quoted() && random.nextInt(3) == 0;
        }
        boolean ragged = random.nextInt(4) == 0;
        String lineEnd = random.nextBoolean() ? "\n" : "\r\n";
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < count; row++) {
            int written = ragged && random.nextInt(20) == 0 ? random.nextInt(fields + 1) : fields;
            for (int i = 0; i < written; i++) {
                text.append(i == 0 ? "" : Character.toString(dialect.delimiter()));
                String value = "abcdefghijk".substring(random.nextInt(12));
                char quote = (char) dialect.quote();
                boolean inQuotes = quoted[i] && random.nextBoolean();
                text.append(inQuotes ? quote + value + quote : value);
            }
            text.append(dialect.trailingDelimiter() ? Character.toString(dialect.delimiter()) : "");
            text.append(lineEnd);
        }
        return text.toString();
    }

    @Test
    void fewQuotesAreFoundAsManyAre() {
        for (int round = 0; round < 6_000; round++) {
            Dialect dialect = Dialect.csv().withTrailingDelimiter(round % 7 == 0);
            byte[] text = textWithFewQuotes(round % 3 == 0);
            int fields = 1 + random.nextInt(3);
            int max = random.nextInt(5) == 0 ? 200 + random.nextInt(2000) : 1 << 20;
            int windowBytes = 64 + random.nextInt(4000);
            assertThat(indexed(dialect, fields, max, text, windowBytes))
                    .as(
                            "seed %d, round %d, %d fields, max %d, window %d: %s",
                            SEED, round, fields, max, windowBytes, new Shown(text))
                    .isEqualTo(oneByOne(dialect, fields, max, text));
        }
    }

    @Test
    void textThatIsLookedAtAsItComesIsCutAtTheSamePlaceAndItsQuotesAreKnown() {
        int known = 0;
        for (int round = 0; round < 20_000; round++) {
            boolean few = round % 2 == 0;
            Dialect dialect = few ? Dialect.csv() : DIALECTS.get(random.nextInt(DIALECTS.size()));
            byte[] text = few ? textWithFewQuotes(round % 6 == 0) : randomText(dialect);
            int max = random.nextInt(5) == 0 ? 200 + random.nextInt(2000) : 1 << 20;
            int expected = new RecordBoundary(dialect, max).last(text, 0, text.length, false);
            int windowBytes = 1 + random.nextInt(few ? 3_000 : 300);
            RecordBoundary boundary = new RecordBoundary(dialect, max, windowBytes);
            QuotePlaces quotes = new QuotePlaces();
            boundary.begin(text, quotes);
            for (int end = 0; end < text.length; end += 1 + random.nextInt(400)) {
                boundary.look(end);
            }
            assertThat(boundary.last(text, 0, text.length, false))
                    .as(
                            "seed %d, round %d, %s, max %d: %s",
                            SEED, round, dialect, max, new Shown(text))
                    .isEqualTo(expected);
            if (quotes.areKnown()) {
                known++;
                byte[] whole = Arrays.copyOf(text, expected);
                RowIndex index = new RowIndex(dialect, 2, max, 1 + random.nextInt(900));
                assertThat(read(index, whole, quotes, 2, dialect, false))
                        .as(
                                "seed %d, round %d, %s, max %d: %s",
                                SEED, round, dialect, max, new Shown(text))
                        .isEqualTo(oneByOne(dialect, 2, max, whole));
            }
        }
        assertThat(known).isGreaterThan(7_000);
    }

    @Test
    void textIsCutAfterTheLastWholeRecordHoweverManyQuotesItHas() {
        RecordWalker walker = new RecordWalker(Dialect.csv(), 1 << 20);
        int cut = 0;
        for (int round = 0; round < 20_000; round++) {
            int kind = random.nextInt(4);
            boolean anyWrong = random.nextInt(4) == 0;
            byte[] text =
                    kind == 0
                            ? randomText(Dialect.csv())
                            : kind == 1
                                    ? textWithFewQuotes(anyWrong)
                                    : textWithManyQuotes(anyWrong, kind == 2);
            int expected = 0;
            while (expected < text.length
                    && walker.walk(text, expected, text.length, false)
                            != RecordWalker.Outcome.INCOMPLETE) {
                expected = walker.next();
            }
            RecordBoundary boundary =
                    new RecordBoundary(Dialect.csv(), 1 << 20, 1 + random.nextInt(500));
            boundary.begin(text, new QuotePlaces());
            for (int end = 0; end < text.length; end += 1 + random.nextInt(900)) {
                boundary.look(end);
            }
            assertThat(boundary.last(text, 0, text.length, false))
                    .as("seed %d, round %d: %s", SEED, round, new Shown(text))
                    .isEqualTo(expected);
            cut += expected > 0 && expected < text.length ? 1 : 0;
            QuotedTail tail = new QuotedTail(Dialect.csv(), 64 + random.nextInt(200));
            tail.begin(text, 0, new QuotePlaces());
            int line = tail.lastLine(text.length);
            if (kind > 1 && !anyWrong) {
                assertThat(line).as("seed %d, round %d", SEED, round).isEqualTo(expected);
            }
        }
        assertThat(cut).isGreaterThan(10_000);
    }

    @Test
    void partsThatEndAnywhereHoldTheSameRows() {
        for (int round = 0; round < 20_000; round++) {
            Dialect dialect = DIALECTS.get(random.nextInt(DIALECTS.size()));
            if (dialect.recordsAreLines() || dialect.quotesAloneHideLines()) {
                byte[] text =
                        round % 3 == 0 ? textWithFewQuotes(round % 6 == 0) : randomText(dialect);
                int fields = 1 + random.nextInt(3);
                int windowBytes = 1 + random.nextInt(900);
                int partBytes = 1 + random.nextInt(2 * text.length + 1);
                assertThat(inParts(dialect, fields, text, windowBytes, partBytes))
                        .as(
                                "seed %d, round %d, %s, %d fields, window %d, parts of %d: %s",
                                SEED,
                                round,
                                dialect,
                                fields,
                                windowBytes,
                                partBytes,
                                new Shown(text))
                        .isEqualTo(oneByOne(dialect, fields, 1 << 20, text));
            }
        }
    }

    @Test
    void placesOfQuotesAreTheirMasks() {
        for (int round = 0; round < 2_000; round++) {
            QuotePlaces places = new QuotePlaces();
            byte[] text = new byte[random.nextInt(3_000)];
            for (int i = 0; i < text.length; i++) {
                if (random.nextInt(1 + round) < 20) {
                    text[i] = '"';
                    places.add(i);
                }
            }
            places.complete();
            assertThat(places.areKnown()).isTrue();
            int from = text.length == 0 ? 0 : random.nextInt(text.length);
            int to = from + random.nextInt(text.length - from + 1);
            long[] expected = new long[1_000];
            long[] masks = new long[1_000];
            Arrays.fill(masks, -1);
            int count = ScanKernels.masks(text, from, to, (byte) '"', expected);
            assertThat(places.masks(from, to, masks)).isEqualTo(count);
            int words = (to - from + 63) >> 6;
            assertThat(Arrays.copyOf(masks, words)).isEqualTo(Arrays.copyOf(expected, words));
        }
    }

    @Test
    void ofTooManyQuotesNothingIsKnown() {
        QuotePlaces places = new QuotePlaces();
        for (int i = 0; i <= 1 << 18; i++) {
            places.add(i);
        }
        places.complete();
        assertThat(places.areKnown()).isFalse();
        places.forget();
        places.add(7);
        assertThat(places.areKnown()).isFalse();
        places.complete();
        assertThat(places.areKnown()).isTrue();
    }

    @Test
    void chunksCutAtAnyLimitHoldTheSameRecords() {
        for (int round = 0; round < 2_500; round++) {
            Dialect dialect = DIALECTS.get(round % DIALECTS.size());
            byte[] text = randomText(dialect);
            int max = random.nextInt(3) == 0 ? 5 + random.nextInt(60) : 1 << 20;
            Set<Integer> starts = recordStarts(dialect, max, text);
            for (int limit = 1; limit <= text.length; limit++) {
                assertThat(starts.containsAll(cuts(dialect, max, text, limit)))
                        .as(
                                "seed %d, round %d, %s, max %d, chunks of %d: %s",
                                SEED, round, dialect, max, limit, new Shown(text))
                        .isTrue();
            }
        }
    }

    @Test
    void aBoundaryIsTheLastOneThatMoreBytesCannotMove() {
        assertThat(cut(Dialect.csv(), "a\nb\nc")).isEqualTo(4);
        assertThat(cut(Dialect.csv(), "a\r\nb\r")).isEqualTo(3);
        assertThat(cut(Dialect.csv(), "\"a\nb\"\nc")).isEqualTo(6);
        assertThat(cut(Dialect.csv(), "x\n\"a\nb")).isEqualTo(2);
        assertThat(cut(Dialect.csv(), "x\n\"a\"\"\n")).isEqualTo(2);
        assertThat(cut(Dialect.csv(), "x\na\"b\nc")).isEqualTo(6);
        Dialect any = Dialect.csv().withNewline(Dialect.Newline.ANY);
        assertThat(cut(any, "a\rb\r")).isEqualTo(2);
        assertThat(cut(any, "a\rb\r\n")).isEqualTo(5);
        assertThat(cut(any, "a\rb\rc")).isEqualTo(4);
        assertThat(cut(any, "\"a\"\r")).isZero();
        assertThat(cut(Dialect.csv().withComment('#'), "#\"\nb\n\"c")).isEqualTo(5);
        assertThat(cut(Dialect.csv(), "")).isZero();
    }

    @Test
    void anUnclosedQuoteIsCutAfterItsLineOnceTheRecordIsTooLong() {
        RecordBoundary boundary = new RecordBoundary(Dialect.csv(), 10);
        byte[] text = "a,\"b\nccc\nddd\neee\nfff".getBytes(ISO_8859_1);
        assertThat(boundary.last(text, 0, 9, false)).isZero();
        assertThat(boundary.last(text, 0, text.length, false)).isEqualTo(17);
        assertThat(boundary.last(text, 0, text.length, true)).isEqualTo(text.length);
    }

    @Test
    void aReaderCanSkipARecordWithoutAnEnd() {
        RecordBoundary boundary = new RecordBoundary(Dialect.csv(), 10);
        byte[] text = "aaaaaaaaaaaaaaa\nb\n".getBytes(ISO_8859_1);
        assertThat(boundary.last(text, 0, 15, false)).isZero();
        assertThat(boundary.oversized(0, 15)).isTrue();
        assertThat(boundary.nextLine(text, 0, 15, false)).isEqualTo(-1);
        assertThat(boundary.nextLine(text, 15, text.length, false)).isEqualTo(16);
        assertThat(boundary.nextLine(text, 16, 17, true)).isEqualTo(17);
    }

    private static int cut(Dialect dialect, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return new RecordBoundary(dialect, 1 << 20).last(bytes, 0, bytes.length, false);
    }

    /** Cuts as a reader does that gets {@code limit} bytes at a time. */
    private static List<Integer> cuts(Dialect dialect, int max, byte[] text, int limit) {
        RecordBoundary boundary = new RecordBoundary(dialect, max);
        List<Integer> cuts = new ArrayList<>();
        int from = 0;
        int to = 0;
        while (from < text.length) {
            to = Math.min(text.length, to + limit);
            int cut = boundary.last(text, from, to, to == text.length);
            if (cut < from || cut > to) {
                throw new AssertionError("cut at " + cut + " between " + from + " and " + to);
            }
            if (cut > from && cut < text.length) {
                cuts.add(cut);
            }
            from = cut;
        }
        return cuts;
    }

    private static Set<Integer> recordStarts(Dialect dialect, int max, byte[] text) {
        RecordWalker walker = new RecordWalker(dialect, max);
        Set<Integer> starts = new HashSet<>();
        for (int at = 0; at < text.length; at = walker.next()) {
            starts.add(at);
            walker.walk(text, at, text.length, true);
        }
        return starts;
    }

    /** The definition: walk each record, report it as row or fault. */
    private static List<String> oneByOne(Dialect dialect, int fields, int max, byte[] text) {
        RowIndex index = new RowIndex(dialect, fields, max, 1 << 20);
        return read(index, text, fields, dialect, true);
    }

    private static List<String> indexed(
            Dialect dialect, int fields, int max, byte[] text, int windowBytes) {
        RowIndex index = new RowIndex(dialect, fields, max, windowBytes);
        return read(index, text, fields, dialect, false);
    }

    private static List<String> read(
            RowIndex index, byte[] text, int fields, Dialect dialect, boolean slow) {
        return read(index, text, new QuotePlaces(), fields, dialect, slow);
    }

    private static List<String> read(
            RowIndex index,
            byte[] text,
            QuotePlaces quotes,
            int fields,
            Dialect dialect,
            boolean slow) {
        // What lies behind the text must not matter.
        byte[] padded = padded(text, text.length, '\n');
        List<String> found = new ArrayList<>();
        index.start(padded, 0, text.length, quotes);
        readAll(index, padded, fields, dialect, slow, found);
        return done(index, found);
    }

    /** Text of which more is given whenever no record ends in what is there. */
    private static List<String> inParts(
            Dialect dialect, int fields, byte[] text, int windowBytes, int partBytes) {
        RowIndex index = new RowIndex(dialect, fields, 1 << 20, windowBytes);
        List<String> found = new ArrayList<>();
        index.begin();
        int from = 0;
        int to = 0;
        while (from < text.length) {
            to = Math.min(text.length, to + partBytes);
            byte[] padded = padded(text, to, '"');
            index.resume(padded, from, to);
            if (to < text.length) {
                index.leaveRest();
            }
            readAll(index, padded, fields, dialect, false, found);
            assertThat(index.position()).isBetween(from, to);
            from = index.position();
        }
        return done(index, found);
    }

    private static byte[] padded(byte[] text, int length, char padding) {
        byte[] padded = Arrays.copyOf(text, length + FieldSlices.READ_AHEAD);
        Arrays.fill(padded, length, padded.length, (byte) padding);
        return padded;
    }

    private static List<String> done(RowIndex index, List<String> found) {
        found.sort(java.util.Comparator.comparingInt(RowIndexTest::ordinal));
        found.add(index.recordCount() + " records");
        return found;
    }

    private static void readAll(
            RowIndex index,
            byte[] text,
            int fields,
            Dialect dialect,
            boolean slow,
            List<String> found) {
        FieldSlices slices = new FieldSlices(dialect, index, MAX_ROWS);
        RowIndex.FaultListener faults =
                (reason, ordinal, start, end, field, value, expected) ->
                        found.add(ordinal + " " + reason + " " + start + "-" + end + " " + field);
        while (slow ? index.nextOneByOne(faults) : index.next(faults)) {
            int atOnce = slow ? 1 : MAX_ROWS;
            for (int row = 0; row < index.rowCount(); row += atOnce) {
                int count = Math.min(atOnce, index.rowCount() - row);
                readRows(index, slices, text, row, count, fields, found);
            }
        }
    }

    /** Field by field, as values are converted. */
    private static void readRows(
            RowIndex index,
            FieldSlices slices,
            byte[] text,
            int firstRow,
            int count,
            int fields,
            List<String> found) {
        StringBuilder[] lines = new StringBuilder[count];
        for (int i = 0; i < count; i++) {
            int start = index.rowStart(firstRow + i);
            int end = index.rowEnd(firstRow + i);
            lines[i] = new StringBuilder();
            lines[i].append(index.ordinal(firstRow + i)).append(" row ").append(start);
            lines[i].append('-').append(end);
            for (int at = start; at < end && index.isAscii(); at++) {
                assertThat(text[at]).as("seed %d, ASCII at %d", SEED, at).isNotNegative();
            }
        }
        slices.begin(text, firstRow, count);
        for (int field = 0; field < fields; field++) {
            slices.take(field, field == fields - 1);
            for (int i = 0; i < count; i++) {
                boolean isNull = slices.hasNulls() && slices.isNull(i);
                lines[i].append(isNull ? " NULL" : " '").append(value(slices, i));
            }
        }
        for (StringBuilder line : lines) {
            found.add(line.toString());
        }
    }

    private static int ordinal(String line) {
        return Integer.parseInt(line.substring(0, line.indexOf(' ')));
    }

    private static String value(FieldSlices slices, int row) {
        return new String(
                slices.fields().text(),
                slices.fields().start(row),
                slices.fields().length(row),
                ISO_8859_1);
    }

    /** Text of few different bytes, some of it well-formed, some of it not. */
    private byte[] randomText(Dialect dialect) {
        StringBuilder text = new StringBuilder();
        int kind = random.nextInt(3);
        String alphabet = kind == 0 ? "a,\n\"" : kind == 1 ? "ab,,\n\r\"\"#\\" : "abcdefgh,\n\n";
        int length = random.nextInt(kind == 2 ? 600 : 250);
        while (text.length() < length) {
            if (random.nextInt(3) == 0 && dialect.quoted()) {
                text.append('"').append("ab\n,\"\"".substring(random.nextInt(5) & ~1));
                text.append('"')
                        .append(random.nextBoolean() ? "," : random.nextBoolean() ? "\n" : "\r\n");
            }
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        byte[] bytes = text.toString().getBytes(ISO_8859_1);
        if (bytes.length > 0 && random.nextInt(4) == 0) {
            bytes[random.nextInt(bytes.length)] = -1;
        }
        return bytes;
    }

    /** Long fields and a quoted one now and then, which may hold anything; or a wrong one. */
    private byte[] textWithFewQuotes(boolean anyWrong) {
        String[] quoted = {
            "\"\"", "\"a\"\"b\"", "\",\"", "\"a\nb,c\"", "\"\"\"\"", "\"x,,,,,,,\n\n,,\"", "\"y\"\r"
        };
        StringBuilder text = new StringBuilder();
        int length = 200 + random.nextInt(6000);
        while (text.length() < length) {
            boolean wrong = anyWrong && random.nextInt(30) == 0;
            int kind = random.nextInt(5);
            if (wrong) {
                text.append(random.nextBoolean() ? "a\"b" : "\"a\"b");
            } else if (kind == 0) {
                text.append(quoted[random.nextInt(quoted.length)]);
            } else {
                text.append("abcdefgh".repeat(kind == 1 ? 40 : 2), 0, random.nextInt(16));
                text.append("z".repeat(kind == 2 ? 100 : 0));
            }
            boolean carriage = text.indexOf("\r", Math.max(0, text.length() - 1)) >= 0;
            text.append(carriage || random.nextInt(3) == 0 ? '\n' : ',');
        }
        text.setLength(random.nextInt(length));
        return text.toString().getBytes(ISO_8859_1);
    }

    /** All fields are quoted, or long ones without quotes are between them; or one is wrong. */
    private byte[] textWithManyQuotes(boolean anyWrong, boolean pauses) {
        String[] ends = {",", "\n", ",", "\r\n"};
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(3000);
        while (text.length() < length) {
            boolean wrong = anyWrong && random.nextInt(100) == 0;
            String content = "a,\n\r\"\"\"\"".substring(0, 4 + 2 * random.nextInt(3));
            text.append('"').append(content, random.nextInt(4), content.length());
            text.append(wrong ? "\" " : "\"").append(ends[random.nextInt(4)]);
            if (pauses && random.nextInt(20) == 0) {
                text.append("plain".repeat(random.nextInt(200))).append(',');
            }
        }
        text.setLength(random.nextInt(length));
        return text.toString().getBytes(ISO_8859_1);
    }

    /** Text as a message shows it, made only if one is printed. */
    private record Shown(byte[] text) {
        @Override
        public String toString() {
            return new String(text, ISO_8859_1).replace("\n", "\\n").replace("\r", "\\r");
        }
    }
}
