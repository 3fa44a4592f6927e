package dev.penstock.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dialect.Dialect;
import dev.penstock.key.KeyCodec;
import dev.penstock.sampler.sketch.SortedKeys;
import dev.penstock.sampler.split.BalanceEstimate;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.Deserialize;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

class SamplerTest {
    static final Dialect PIPES = Dialect.tpch().withTrailingDelimiter(false);
    static final TableSchema NUMBERS =
            TableSchema.declare(
                    "numbers",
                    List.of(
                            new Column("id", new ColumnType.BigIntType(), false),
                            new Column("note", new ColumnType.VarcharType(200), true)),
                    List.of(new KeyColumn(0, false)));
    private static final TableSchema NAMES =
            TableSchema.declare(
                    "names",
                    List.of(
                            new Column("town", new ColumnType.VarcharType(50), false),
                            new Column("number", new ColumnType.IntegerType(), false),
                            new Column("note", new ColumnType.VarcharType(200), true)),
                    List.of(new KeyColumn(0, false), new KeyColumn(1, true)));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void twelveRegionsOfShuffledKeysComeOutEven(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] text = text(1_000_000, i -> random.nextLong(1L << 40) + "|some text of a row");
        Sample sample = sample(text, NUMBERS, PIPES, 100_000, seed);
        List<byte[]> points = sample.splitPoints(12);
        double imbalance = imbalance(text, NUMBERS, PIPES, points);
        BalanceEstimate estimate = sample.balance(points);
        assertThat(points).hasSize(11);
        assertThat(imbalance).isLessThan(1.05).isLessThan(estimate.bound());
        assertThat(estimate.expected()).isBetween(1.0, 1.05);
        assertThat(sample.isInOrder()).isFalse();
    }

    @Test
    void regionsOfSortedKeysComeOutEven() {
        byte[] text = text(1_000_000, i -> i * 7L + "|some text of a row");
        Sample sample = sample(text, NUMBERS, PIPES, 20_000, 1);
        List<byte[]> points = sample.splitPoints(12);
        assertThat(imbalance(text, NUMBERS, PIPES, points))
                .isLessThan(1.05)
                .isLessThan(sample.balance(points).bound());
        assertThat(sample.isInOrder()).isTrue();
    }

    @Test
    void filesInOrderAreInOrderWhereverTheirKeysLie() {
        List<TextSource> sources = new ArrayList<>();
        for (int file = 0; file < 3; file++) {
            int first = 1_000_000 - file;
            sources.add(new TextSource(text(50_000, i -> first + i / 2 + "|some text"), true));
        }
        assertThat(dividing(sources, NUMBERS, PIPES, 20_000, 12).isInOrder()).isTrue();
    }

    @Test
    void anInputInTheOrderOfItsKeysIsDividedEvenlyByAFewOfItsRows() {
        byte[] text = text(1_000_000, i -> i * 7L + 1_000_000 + "|" + "x".repeat(i * 31 % 17));
        TextSource source = new TextSource(text, true);
        Sample sample = dividing(List.of(source), NUMBERS, PIPES, 400_000, 32);
        List<byte[]> points = sample.splitPoints(32);
        double imbalance = imbalance(text, NUMBERS, PIPES, points);
        assertThat(points).hasSize(31);
        assertThat(source.bytesRead()).isLessThan(text.length / 16);
        assertThat(imbalance).isLessThan(1.06).isLessThan(sample.balance(points).bound());
        assertThat(sample.balance(points).expected()).isBetween(1.0, 1.1);
    }

    @Test
    void anInputInOrderIsDividedAcrossItsFiles() {
        byte[] first = text(300_000, i -> (1_000_000 + i) + "|some text of a row");
        byte[] second = text(700_000, i -> (1_300_000 + i) + "|some text of a row");
        byte[] both = text(1_000_000, i -> (1_000_000 + i) + "|some text of a row");
        Sample sample =
                dividing(
                        List.of(new TextSource(first, true), new TextSource(second, true)),
                        NUMBERS,
                        PIPES,
                        100_000,
                        12);
        List<byte[]> points = sample.splitPoints(12);
        assertThat(points).hasSize(11);
        assertThat(imbalance(both, NUMBERS, PIPES, points)).isLessThan(1.001);
    }

    @Test
    void whereRowsOfAnInputInOrderGrowLongerThePredictionSaysSo() {
        byte[] text = text(400_000, i -> i + "|" + "x".repeat(10 + i / 4_000));
        Sample sample = dividing(List.of(new TextSource(text, true)), NUMBERS, PIPES, 100_000, 8);
        List<byte[]> points = sample.splitPoints(8);
        double imbalance = imbalance(text, NUMBERS, PIPES, points);
        BalanceEstimate estimate = sample.balance(points);
        assertThat(imbalance).isBetween(1.5, estimate.bound());
        assertThat(estimate.expected()).isCloseTo(imbalance, within(0.1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 150_000, 270_000})
    void anInputThatIsNotAllInOrderIsSampledAsAnyOther(int ordered) {
        SplittableRandom random = new SplittableRandom(ordered);
        byte[] text =
                text(
                        300_000,
                        i -> (i < ordered ? i : random.nextLong(300_000)) + "|some text of a row");
        Sample sample = dividing(List.of(new TextSource(text, true)), NUMBERS, PIPES, 50_000, 12);
        Sample expected = sample(text, NUMBERS, PIPES, 50_000, 1);
        assertThat(sample.borders()).isEmpty();
        assertThat(sample.splitPoints(12)).containsExactlyElementsOf(expected.splitPoints(12));
        assertThat(sample.columns()).isEqualTo(expected.columns());
        assertThat(sample.rows()).isEqualTo(expected.rows());
    }

    @Test
    void anInputInOrderOfKeysThatRepeatIsSampledAsAnyOther() {
        byte[] text = text(300_000, i -> i / 100_000 + "|some text of a row");
        Sample sample = dividing(List.of(new TextSource(text, true)), NUMBERS, PIPES, 50_000, 12);
        assertThat(sample.borders()).isEmpty();
        assertThat(sample.splitPoints(12)).hasSize(2);
    }

    @Test
    void theSameInputGivesTheSameSample() {
        byte[] text = text(500_000, i -> i * 3L + "|row " + i % 100 + " and its " + i % 1_000);
        Sample left = dividing(List.of(new TextSource(text, true)), NUMBERS, PIPES, 100_000, 12);
        Sample right = dividing(List.of(new TextSource(text, true)), NUMBERS, PIPES, 100_000, 12);
        assertThat(left.splitPoints(12))
                .hasSize(11)
                .containsExactlyElementsOf(right.splitPoints(12));
        assertThat(left.columns()).isEqualTo(right.columns());
        assertThat(left.balance(left.splitPoints(12)))
                .isEqualTo(right.balance(right.splitPoints(12)));
        assertThat(words(left)).isNotEmpty().isEqualTo(words(right));
    }

    @Test
    void regionsOfSkewedKeysComeOutEven() {
        SplittableRandom random = new SplittableRandom(7);
        byte[] text =
                text(
                        500_000,
                        i -> (long) Math.exp(40 * random.nextDouble()) + "|some text of a row");
        Sample sample = sample(text, NUMBERS, PIPES, 50_000, 1);
        assertThat(imbalance(text, NUMBERS, PIPES, sample.splitPoints(12))).isLessThan(1.15);
    }

    @Test
    void aKeyTooFrequentForOneRegionGetsARegionOfItsOwnAndTheRestStaysEven() {
        SplittableRandom random = new SplittableRandom(3);
        byte[] text =
                text(400_000, i -> (i % 2 == 0 ? 500 : random.nextLong(1000)) + "|a row of text");
        Sample sample = sample(text, NUMBERS, PIPES, 40_000, 1);
        List<byte[]> points = sample.splitPoints(10);
        long[] rows = regionRows(text, NUMBERS, PIPES, points);
        Arrays.sort(rows);
        long largest = rows[rows.length - 1];
        long second = rows[rows.length - 2];
        assertThat(largest).isBetween(200_000L, 202_000L);
        assertThat(second).isLessThan(200_000 / (points.size()) * 12 / 10);
        assertThat(points).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(8);
        assertThat(sample.balance(points).expected()).isGreaterThan(4);
    }

    @Test
    void oneSingleKeyLeavesNothingToSplit() {
        Sample sample = sample(text(1000, i -> "42|x"), NUMBERS, PIPES, 1000, 1);
        assertThat(sample.splitPoints(10)).isEmpty();
    }

    @Test
    void fewDistinctKeysGiveFewerRegionsThanAskedFor() {
        Sample sample = sample(text(1000, i -> i % 4 + "|x"), NUMBERS, PIPES, 1000, 1);
        assertThat(sample.splitPoints(10)).hasSize(3);
    }

    @Test
    void compositeKeysWithADescendingPartAreSplitEvenly() {
        SplittableRandom random = new SplittableRandom(5);
        byte[] text =
                text(
                        400_000,
                        i ->
                                "town"
                                        + random.nextInt(3)
                                        + "|"
                                        + random.nextInt()
                                        + "|row "
                                        + random.nextInt(100));
        Sample sample = sample(text, NAMES, PIPES, 100_000, 1);
        List<byte[]> points = sample.splitPoints(10);
        assertThat(points).hasSize(9);
        assertThat(imbalance(text, NAMES, PIPES, points)).isLessThan(1.05);
    }

    @Test
    void regionsAreEvenInBytesWhereRowsDifferInLength() {
        SplittableRandom random = new SplittableRandom(11);
        byte[] text =
                text(
                        300_000,
                        i -> {
                            long key = random.nextLong(1_000_000);
                            return key + "|" + "x".repeat(key < 500_000 ? 10 : 150);
                        });
        Sample sample = sample(text, NUMBERS, PIPES, 60_000, 1);
        List<byte[]> points = sample.splitPoints(2);
        long[] rows = regionRows(text, NUMBERS, PIPES, points);
        // Rows of the lower half take 18 plain bytes, those of the upper half 158.
        double left = rows[0];
        double lower = Math.min(left, 150_000) * 18 + Math.max(0, left - 150_000) * 158;
        assertThat(lower / (150_000.0 * (18 + 158))).isBetween(0.45, 0.55);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsHundredsOfTimesAsLongAsOthersWeighWhatTheyHave(boolean shortFirst) {
        TableSchema schema =
                TableSchema.declare(
                        "documents",
                        List.of(
                                new Column("id", new ColumnType.BigIntType(), false),
                                new Column("text", new ColumnType.VarcharType(50_000), true)),
                        List.of(new KeyColumn(0, false)));
        byte[] shortRows = text(50_000, i -> (10_000 + i) + "|" + "x".repeat(32));
        byte[] longRows = text(100, i -> (900_000 + i) + "|" + "x".repeat(20_000));
        List<TextSource> sources = new ArrayList<>(List.of(new TextSource(longRows, true)));
        sources.add(shortFirst ? 0 : 1, new TextSource(shortRows, true));
        SortedKeys keys = sample(sources, schema, 200_000).keys().keys();
        long longWeight = 0;
        for (int i = keys.size() - 100; i < keys.size(); i++) {
            longWeight += keys.weight(i);
        }
        assertThat((double) longWeight / keys.totalWeight()).isCloseTo(0.5, within(0.02));
    }

    @Test
    void aSmallInputIsReadWholeEvenIfQuotedFieldsHoldLineEnds() {
        byte[] text = text(20_000, i -> i + ",\"line one\nline, two of " + i + "\"");
        Sample sample = sample(text, NUMBERS, Dialect.csv(), 50_000, 1);
        assertThat(sample.rows()).isEqualTo(20_000);
        assertThat(sample.rejectCount()).isZero();
        assertThat(sample.guessedBlocks()).isZero();
    }

    @Test
    void recordStartsInQuotedTextAreFoundByWhatFitsTheTable() {
        byte[] text = text(400_000, i -> i + ",\"line one\n1,two of " + i + "\n2,three\"");
        Sample sample = sample(text, NUMBERS, Dialect.csv(), 20_000, 1);
        assertThat(sample.guessedBlocks()).isPositive();
        assertThat((double) sample.rejectCount() / sample.checkedRecords()).isLessThan(0.02);
        assertThat(imbalance(text, NUMBERS, Dialect.csv(), sample.splitPoints(8))).isLessThan(1.1);
    }

    /** Many small files are changes of a narrow range of keys, and nearly nothing of the whole. */
    @ParameterizedTest
    @CsvSource({"4000, 3, true", "4000, 3, false", "400, 35, true", "3, 4000, true"})
    void smallFilesBesideALargeOneCountByTheirBytes(int files, int rows, boolean first) {
        SplittableRandom random = new SplittableRandom(files);
        byte[] large = text(400_000, i -> random.nextLong(1L << 40) + "|some text of a row");
        byte[] small = text(rows, i -> (1L << 39) + random.nextInt(1000) + "|some text of a row");
        List<TextSource> sources = new ArrayList<>();
        sources.add(new TextSource(large, true));
        for (int i = 0; i < files; i++) {
            sources.add(first ? 0 : sources.size(), new TextSource(small, true));
        }
        long read = 0;
        long smallRead = 0;
        Sample sample = sample(sources, NUMBERS, 50_000);
        for (TextSource source : sources) {
            read += source.bytesRead();
            smallRead += source.bytesRead() == 0 || source.size() == large.length ? 0 : 1;
        }
        double share = (double) files * rows / (400_000 + files * rows);
        List<byte[]> points = sample.splitPoints(10);
        double largest = imbalance(large, NUMBERS, PIPES, points) / 10;
        assertThat(read).isLessThan(50_000 * 30 * 12 / 10);
        assertThat(smallRead).isLessThan(Math.max(4, files / 3));
        assertThat(largest * (1 - share)).isLessThan(0.12);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofSmallFilesEachHasTheSameChance(boolean seekable) {
        SplittableRandom random = new SplittableRandom(8);
        List<TextSource> sources = new ArrayList<>();
        double[] rows = new double[10];
        for (int file = 0; file < 3_000; file++) {
            int kind = random.nextInt(10);
            int count = 20 + 30 * kind;
            rows[kind] += count;
            sources.add(
                    new TextSource(
                            text(count, i -> 10_000 + kind + "|some text of a row"), seekable));
        }
        SortedKeys keys = sample(sources, NUMBERS, 100_000).keys().keys();
        double total = Arrays.stream(rows).sum();
        assertThat(keys.size()).isEqualTo(10);
        for (int kind = 0; kind < 10; kind++) {
            double expected = rows[kind] / total;
            double share = (double) keys.weight(kind) / keys.totalWeight();
            assertThat(share).isBetween(0.75 * expected, 1.25 * expected);
        }
    }

    @Test
    void aSourceThatCannotBeSoughtIsReadInOrderFromItsStart() {
        byte[] text = text(200_000, i -> i + "|some text of a row");
        TextSource source = new TextSource(text, false);
        Sample sample =
                Sampler.take(
                        List.of(source),
                        new SampleRequest(
                                NUMBERS, PIPES, List.of(0, 1), 10_000, 24, 12, true, true, 1));
        assertThat(sample.rows()).isBetween(8_000L, 20_000L);
        assertThat(source.bytesRead()).isLessThan(text.length / 4);
    }

    @Test
    void theSampleReadsAboutAsMuchAsWasAskedFor() {
        byte[] text = text(1_000_000, i -> i + "|some text of a row");
        TextSource source = new TextSource(text, true);
        Sample sample =
                Sampler.take(
                        List.of(source),
                        new SampleRequest(
                                NUMBERS,
                                PIPES,
                                List.of(0, 1),
                                50_000,
                                text.length / 1e6,
                                12,
                                false,
                                true,
                                1));
        assertThat(sample.rows()).isBetween(45_000L, 60_000L);
        assertThat(sample.meanRecordBytes()).isCloseTo(text.length / 1e6, within(0.5));
    }

    @Test
    void badRecordsAreCountedAndLeftOut() {
        byte[] text = text(10_000, i -> (i % 10 == 0 ? "bad" : i) + "|row");
        Sample sample = sample(text, NUMBERS, PIPES, 20_000, 1);
        assertThat(sample.rows()).isEqualTo(9_000);
        assertThat(sample.rejectCount()).isEqualTo(1_000);
        assertThat(sample.firstRejects()).isNotEmpty();
        assertThat(sample.firstRejects().get(0).columnName()).isEqualTo("id");
    }

    @Test
    void columnsAreProfiled() {
        byte[] text = text(10_000, i -> i + "|" + (i % 4 == 0 ? "" : "text" + i % 1000));
        Sample sample = sample(text, NUMBERS, PIPES, 20_000, 1);
        assertThat(sample.columns().get(0).distinctEstimate()).isBetween(9_500L, 10_500L);
        assertThat(sample.columns().get(0).nullShare()).isZero();
        assertThat(sample.columns().get(1).distinctEstimate()).isBetween(710L, 790L);
        assertThat(sample.columns().get(1).nullShare()).isCloseTo(0.25, within(0.001));
        assertThat(sample.columns().get(1).meanBytes()).isBetween(6.5, 7.0);
    }

    @Test
    void aSampleThatIsNotToDescribeColumnsIsTheSameBeside() {
        byte[] text = text(60_000, i -> i + "|a row of " + i % 50 + " and " + i * 7_919L % 60_000);
        List<Integer> fields = List.of(0, 1);
        Sample brief =
                Sampler.take(
                        List.of(new TextSource(text, true)),
                        new SampleRequest(NUMBERS, PIPES, fields, 20_000, 30, 12, false, false, 1));
        Sample described = sample(text, NUMBERS, PIPES, 20_000, 1);
        assertThat(brief.columns()).isEmpty();
        assertThat(described.columns()).hasSize(2);
        assertThat(words(brief)).isNotEmpty().isEqualTo(words(described));
        assertThat(brief.splitPoints(12)).containsExactlyElementsOf(described.splitPoints(12));
    }

    @Test
    void ofManyColumnsFewRowsAreLookedAtWholeAndTheKeyOfAll() {
        int columns = 200;
        List<Column> declared = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            declared.add(new Column("c" + i, new ColumnType.IntegerType(), false));
        }
        TableSchema schema =
                TableSchema.declare("wide", declared, List.of(new KeyColumn(1, false)));
        int rows = 20_000;
        byte[] text = text(rows, i -> i + ("|" + i).repeat(columns - 1));
        List<Integer> fields = IntStream.range(0, columns).boxed().toList();
        double recordBytes = (double) text.length / rows;
        Sample sample =
                Sampler.take(
                        List.of(new TextSource(text, true)),
                        new SampleRequest(
                                schema, PIPES, fields, rows, recordBytes, 8, false, true, 1));
        assertThat(sample.rows()).isEqualTo(rows);
        assertThat(sample.checkedRecords()).isBetween(1_000L, 3_000L);
        assertThat(imbalance(text, schema, PIPES, sample.splitPoints(8))).isLessThan(1.05);
    }

    @Test
    void anEmptyInputGivesAnEmptySample() {
        Sample sample = sample(new byte[0], NUMBERS, PIPES, 1000, 1);
        assertThat(sample.rows()).isZero();
        assertThat(sample.splitPoints(4)).isEmpty();
        assertThat(sample.meanRecordBytes()).isZero();
        assertThat(sample.isInOrder()).isTrue();
    }

    @Test
    void aTableWithoutKeyHasNoSplitPoints() {
        TableSchema schema =
                TableSchema.declare(
                        "free",
                        List.of(new Column("a", new ColumnType.IntegerType(), true)),
                        List.of());
        byte[] text = text(1000, i -> Integer.toString(i));
        Sample sample =
                Sampler.take(
                        List.of(new TextSource(text, true)),
                        new SampleRequest(schema, PIPES, List.of(0), 1000, 4, 4, false, true, 1));
        assertThat(sample.rows()).isEqualTo(1000);
        assertThat(sample.splitPoints(4)).isEmpty();
        assertThat(sample.isInOrder()).isTrue();
    }

    private static org.assertj.core.data.Offset<Double> within(double value) {
        return org.assertj.core.data.Offset.offset(value);
    }

    private static byte[] text(int rows, IntFunction<Object> row) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            text.append(row.apply(i)).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Sample sample(List<TextSource> sources, TableSchema schema, int rows) {
        List<Integer> fields = IntStream.range(0, schema.columnCount()).boxed().toList();
        return Sampler.take(
                sources, new SampleRequest(schema, PIPES, fields, rows, 30, 12, false, true, 1));
    }

    private static Sample sample(
            byte[] text, TableSchema schema, Dialect dialect, int rows, long seed) {
        List<Integer> fields = IntStream.range(0, schema.columnCount()).boxed().toList();
        return Sampler.take(
                List.of(new TextSource(text, true)),
                new SampleRequest(schema, dialect, fields, rows, 30, 12, false, true, seed));
    }

    /** A sample that may divide an input in order into so many regions. */
    private static Sample dividing(
            List<TextSource> sources, TableSchema schema, Dialect dialect, int rows, int regions) {
        List<Integer> fields = IntStream.range(0, schema.columnCount()).boxed().toList();
        return Sampler.take(
                sources,
                new SampleRequest(schema, dialect, fields, rows, 30, regions, true, true, 1));
    }

    private static byte[] words(Sample sample) {
        ByteBuilder words = new ByteBuilder(64);
        sample.tokens().join().write(words);
        return words.toByteArray();
    }

    private static double imbalance(
            byte[] text, TableSchema schema, Dialect dialect, List<byte[]> points) {
        long[] rows = regionRows(text, schema, dialect, points);
        return (double) Arrays.stream(rows).max().orElse(0)
                * rows.length
                / Arrays.stream(rows).sum();
    }

    private static long[] regionRows(
            byte[] text, TableSchema schema, Dialect dialect, List<byte[]> points) {
        List<Integer> fields = IntStream.range(0, schema.columnCount()).boxed().toList();
        ColumnBatch batch = ColumnBatch.forColumns(schema.columns(), 1024);
        byte[] padded = Arrays.copyOf(text, text.length + Deserialize.PADDING);
        new Deserialize(schema, dialect, fields, 0)
                .run(padded, 0, text.length, 0, 0, 0, batch, reject -> {});
        KeyCodec codec = new KeyCodec(schema);
        long[] rows = new long[points.size() + 1];
        for (int row = 0; row < batch.rowCount(); row++) {
            byte[] key = codec.encode(batch, row);
            int region = 0;
            while (region < points.size() && Arrays.compareUnsigned(points.get(region), key) <= 0) {
                region++;
            }
            rows[region]++;
        }
        return rows;
    }
}
