package dev.penstock.loader.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyCodec;
import dev.penstock.loader.BulkLoad;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadPlan;
import dev.penstock.loader.LoadReport;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;
import dev.penstock.loader.fake.FolderTarget;
import dev.penstock.loader.fake.TestTables;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;

class PlannerTest {
    private static final TableSchema PAIRS =
            TableSchema.declare(
                    "pairs",
                    List.of(
                            new Column("id", new ColumnType.IntegerType(), false),
                            new Column("name", new ColumnType.VarcharType(500), true)),
                    List.of(new KeyColumn(0, false)));

    @TempDir Path folder;

    private String write(String name, String text) {
        return write(name, text, StandardCharsets.UTF_8);
    }

    private String write(String name, String text, Charset charset) {
        try {
            return Files.write(folder.resolve(name), text.getBytes(charset)).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static LoadPlan plan(LoadSpecBuilder spec) {
        return BulkLoad.planFor(PAIRS).spec(spec.build()).plan();
    }

    private static LoadSpecBuilder spec(String... inputs) {
        return LoadSpec.builder("pairs").schema(PAIRS).from(List.of(inputs));
    }

    @ParameterizedTest
    @CsvSource({
        "a.csv, 1;x, ',', true, false",
        "a.tsv, 1>x, tab, true, false",
        "a.tbl, 1|x|, '|', false, true",
        "a.tbl, 1|x, '|', false, false",
        "a.unknown, 1;x, ',', true, false"
    })
    void theEndingChoosesTheDialectAndTheRecordsTheTrailingDelimiter(
            String name, String record, String delimiter, boolean quoted, boolean trailing) {
        String text = record.replace(';', ',').replace('>', '\t') + "\n";
        LoadPlan plan = plan(spec(write(name, text + text.replace('1', '2'))));
        assertThat(plan.dialect().delimiter().replace("'", "")).isEqualTo(delimiter);
        assertThat(plan.dialect().quote().isEmpty()).isEqualTo(!quoted);
        assertThat(plan.dialect().trailingDelimiter()).isEqualTo(trailing);
        assertThat(plan.balance().sampledRows()).isEqualTo(2);
    }

    @Test
    void anExplicitDelimiterWinsAndATrailingOneIsSeen() {
        String input = write("a.dat", "1|x|\n2|y|\n");
        LoadPlan plan = plan(spec(input).dialect(DialectOptions.DEFAULT.withDelimiter('|')));
        assertThat(plan.dialect().trailingDelimiter()).isTrue();
        assertThat(plan.dialect().because()).contains("as given").contains("trailing");
        assertThat(plan.balance().sampleRejects()).isZero();
    }

    @Test
    void recordsThatDoNotFitTheTableAreRefusedWithTheCountsSeen() {
        String input = write("a.csv", "1;x\n2;y\n3;z,t,u\n");
        assertThatThrownBy(() -> plan(spec(input)))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageContaining("a.csv")
                .hasMessageContaining("the 2 fields that table pairs takes")
                .hasMessageContaining("1 in 2 records, 3 in 1 record; ")
                .hasMessageContaining("--delimiter");
    }

    @ParameterizedTest
    @CsvSource({"a.csv, ;", "a.csv, |", "a.csv, tab", "a.tsv, ','"})
    void theDelimiterThatWouldFitIsNamed(String name, String delimiter) {
        boolean tab = delimiter.equals("tab");
        String between = tab ? "\t" : delimiter;
        String word = tab ? "tab" : "'" + delimiter + "'";
        String text = "1_\"x_y\"_\n2_y_\n".replace("_", between);
        for (String records : List.of(text, text.replace(between + "\n", "\n"))) {
            assertThatThrownBy(() -> plan(spec(write(name, records))))
                    .hasMessageContaining("None of the first 2 records of ")
                    .hasMessageEndingWith(
                            "; with the delimiter "
                                    + word
                                    + " they have 2: say --delimiter "
                                    + word
                                    + ".");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1;2|3\n4;5|6\n", "1;2\n3;4;5\n", "1;2;\n3;4\n", "1:2\n3:4\n"})
    void noDelimiterIsNamedUnlessItIsTheOnlyOneAndFitsAllRecords(String records) {
        assertThatThrownBy(() -> plan(spec(write("a.csv", records))))
                .hasMessageEndingWith(
                        ". Name the delimiter with --delimiter, or the fields with --columns.");
    }

    @Test
    void aDelimiterThatIsTheQuoteIsNotNamedAndColumnsSayHowManyFieldsThereAre() {
        String input = write("a.csv", "1;x;y\n2;z;u\n");
        List<String> columns = List.of("id", "-", "name");
        assertThatThrownBy(() -> plan(spec(input).columns(columns)))
                .hasMessageContaining("that --columns names")
                .hasMessageEndingWith("with the delimiter ';' they have 3: say --delimiter ';'.");
        DialectOptions quote = DialectOptions.DEFAULT.withQuote(';');
        assertThatThrownBy(() -> plan(spec(input).columns(columns).dialect(quote)))
                .hasMessageEndingWith("or the fields with --columns.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id,a_name", "a_name, ID", "id,id", ",name"})
    void aFirstRecordThatIsHalfAHeaderIsRefusedUnlessTheUserSaysWhatItIs(String first) {
        String input = write("a.csv", first + "\n1,x\n");
        assertThatThrownBy(() -> plan(spec(input)))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageStartingWith("The first record of " + input + " may be a header: ")
                .hasMessageContaining(" names a column of table pairs, and ")
                .hasMessageContaining("--columns, and say --header")
                .hasMessageEndingWith("or --no-header if it is data.");
        DialectOptions none = DialectOptions.DEFAULT.withHeader(false);
        assertThat(plan(spec(input).dialect(none)).dialect().header()).isFalse();
        DialectOptions header = DialectOptions.DEFAULT.withHeader(true);
        LoadSpecBuilder named = spec(input).columns(List.of("id", "name"));
        assertThatThrownBy(() -> plan(named))
                .hasMessageEndingWith("; say --header if it is one, or --no-header if it is data.");
        assertThat(plan(named.dialect(header)).balance().sampledRows()).isEqualTo(1);
    }

    @Test
    void theFieldsThatAreColumnsAndThoseThatAreNotAreNamed() {
        assertThatThrownBy(() -> plan(spec(write("a.csv", "a\u001bname,Id\n"))))
                .hasMessageContaining(
                        "'Id' names a column of table pairs, and 'a\\u001bname' names no other; ");
    }

    @Test
    void lessThanHalfAHeaderIsData() {
        String input = write("a.csv", "id,x,y\n");
        assertThat(plan(spec(input).columns(List.of("name", "id", "-"))).dialect().header())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,name", "-1,name", "id,.5", "ID,2024"})
    void aNumberNamesNoColumn(String first) {
        String input = write("a.csv", first + "\n1,x\n");
        assertThat(plan(spec(input)).dialect().header()).isFalse();
    }

    @Test
    void halfAHeaderOfALaterInputIsRefusedToo() {
        String a = write("a.csv", "1,x\n");
        String b = write("b.csv", "Name,key\n2,y\n");
        assertThatThrownBy(() -> plan(spec(a, b)))
                .hasMessageStartingWith("The first record of " + b + " may be a header");
    }

    @Test
    void aHeaderIsRecognisedWhenItNamesTheColumns() {
        LoadPlan plan = plan(spec(write("a.csv", "Name,ID\nx,1\n")));
        assertThat(plan.dialect().header()).isTrue();
        assertThat(plan.dialect().because()).contains("header");
        assertThat(plan.fields()).containsExactly("name", "id");
        assertThat(plan.balance().sampledRows()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1,x\n", "\n1,x\n"})
    void aHeaderThatOnlyAnotherInputHasIsRefusedUnlessTheUserSaysWhatItIs(String first) {
        String a = write("a.csv", first);
        String b = write("b.csv", "ID,name\n2,y\n");
        assertThatThrownBy(() -> plan(spec(a, b)))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.USAGE))
                .hasMessageContaining(b)
                .hasMessageContaining(a)
                .hasMessageContaining("--header")
                .hasMessageContaining("--no-header");
        DialectOptions none = DialectOptions.DEFAULT.withHeader(false);
        assertThat(plan(spec(a, b).dialect(none)).dialect().header()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n\n", "# nothing, \"yet\n"})
    void anInputWithoutARecordHasNoHeaderToo(String nothing) {
        DialectOptions comments = DialectOptions.DEFAULT.withComment('#');
        String empty = write("a.csv", nothing);
        String full = write("b.csv", "id,name\n1,x\n");
        assertThat(plan(spec(empty, full).dialect(comments)).dialect().header()).isTrue();
        assertThat(plan(spec(full, empty).dialect(comments)).dialect().header()).isTrue();
        LoadPlan alone = plan(spec(empty).dialect(comments.withHeader(true)));
        assertThat(alone.balance().sampledRows()).isZero();
    }

    @Test
    void emptyLinesAndCommentsBeforeTheHeaderAreSkipped() {
        DialectOptions comments = DialectOptions.DEFAULT.withComment('#').withHeader(true);
        String text = "\r\n# by,\"x\n\nname,id\n\"a\",1\nb,2\nc,3\n";
        LoadPlan plan = plan(spec(write("a.csv", text)).dialect(comments));
        assertThat(plan.fields()).containsExactly("name", "id");
        assertThat(plan.balance().sampledRows()).isEqualTo(3);
        assertThat(plan.balance().sampleRejects()).isZero();
    }

    @Test
    void endingsThatDifferInQuotesNeedMoreThanADelimiter() {
        String bars = write("a.tbl", "1|x\n2|y\n");
        String quotes = write("b.csv", "3|\"x\"\n4|\"y\"\n");
        DialectOptions delimiter = DialectOptions.DEFAULT.withDelimiter('|');
        assertThatThrownBy(() -> plan(spec(bars, quotes).dialect(delimiter)))
                .hasMessageContaining("a.tbl")
                .hasMessageContaining("b.csv")
                .hasMessageContaining("--quote")
                .hasMessageNotContaining("--delimiter");
        assertThatThrownBy(() -> plan(spec(quotes, bars).dialect(delimiter)))
                .hasMessageContaining("--quote");
        assertThatThrownBy(() -> plan(spec(quotes, bars)))
                .hasMessageContaining("--delimiter and --quote");
        LoadPlan plan = plan(spec(bars, quotes).dialect(delimiter.withQuote('"')));
        assertThat(plan.dialect().quote()).contains("\"");
        String tabs = write("c.tsv", "5|x\n");
        assertThat(plan(spec(quotes, tabs).dialect(delimiter)).dialect().quote()).contains("\"");
    }

    @Test
    void theFirstInputThatIsNotEmptyAndLoneReturnsInAnyInputDecide() {
        LoadPlan plan =
                plan(
                        spec(
                                write("a.csv", ""),
                                write("b.csv", "Name,ID\nx,1\n"),
                                write("c.csv", ""),
                                write("d.csv", "name,id\ry,2\rz,3\r")));
        assertThat(plan.dialect().header()).isTrue();
        assertThat(plan.dialect().newline()).isEqualTo("any");
        assertThat(plan.fields()).containsExactly("name", "id");
        assertThat(plan.balance().sampledRows()).isEqualTo(3);
        String other = write("e.csv", "id,name\n4,t\n");
        assertThatThrownBy(() -> plan(spec(write("f.csv", "name,id\nx,1\n"), other)))
                .hasMessageContaining("header of " + other)
                .hasMessageContaining("differs from that of");
    }

    @Test
    void aHeaderWithUnknownNamesIsRefused() {
        String input = write("a.csv", "id,nombre\n1,x\n");
        assertThatThrownBy(() -> plan(spec(input).dialect(DialectOptions.DEFAULT.withHeader(true))))
                .hasMessageContaining("'nombre'")
                .hasMessageContaining("id, name");
    }

    @Test
    void columnsMayBeReorderedAndFieldsSkipped() {
        LoadPlan plan =
                plan(spec(write("a.csv", "x,y,1\nz,t,2\n")).columns(List.of("name", "-", "ID")));
        assertThat(plan.fields()).containsExactly("name", "", "id");
        assertThat(plan.balance().sampledRows()).isEqualTo(2);
        assertThatThrownBy(() -> plan(spec(write("b.csv", "x\n")).columns(List.of("name"))))
                .hasMessageContaining("leaves out column id");
    }

    @Test
    void aByteOrderMarkIsSkippedAndUtf16Refused() {
        LoadPlan plan = plan(spec(write("a.csv", "\uFEFF1,x\n2,y\n")));
        assertThat(plan.balance().sampledRows()).isEqualTo(2);
        assertThat(plan.balance().sampleRejects()).isZero();
        String utf16 = write("b.csv", "1,x\n2,y\n", StandardCharsets.UTF_16);
        assertThatThrownBy(() -> plan(spec(utf16))).hasMessageContaining("UTF-16");
    }

    /** A line feed in quotes ends no record, so it says nothing about what does. */
    @Test
    void lineFeedsInQuotedFieldsDoNotHideLoneCarriageReturns() {
        String quoted = "1,\"two\nlines\"\r2,\"\r\n\"\r";
        assertThat(newline("returns.csv", quoted)).isEqualTo("any");
        assertThat(newline("feeds.csv", quoted.replace("\"\r", "\"\r\n"))).isEqualTo("lf");
        assertThat(newline("data.csv", "1,\"a\rb\"\n2,a\rb\n")).isEqualTo("lf");
    }

    /** A quote that does not close says nothing either, but that a return was in the record. */
    @Test
    void aReturnInTheFirstRecordBeforeAQuoteThatDoesNotCloseEndsNoRecord() {
        assertThat(newline("short.csv", "1,a\r\"b\n2,y\n3,z\n")).isEqualTo("lf");
        assertThat(newline("last.csv", "1,a\r2,\"b\nc\"")).isEqualTo("any");
        assertThat(newline("long.csv", "1,a\r\"b\n" + "4,x\n".repeat(30_000))).isEqualTo("lf");
        String field = "\"" + "some text\n".repeat(10_000);
        assertThat(newline("field.csv", "1,a\r" + field + "\"\n2,y\n")).isEqualTo("lf");
        assertThat(newline("returns.csv", "1,a\r2,b\r3," + field + "\"\r")).isEqualTo("any");
    }

    private String newline(String name, String text) {
        return plan(spec(write(name, text))).dialect().newline();
    }

    @Test
    void loneCarriageReturnsEndRecordsWhereThereIsNoLineFeed() {
        LoadPlan plan = plan(spec(write("a.csv", "1,x\r2,y\r3,z")));
        assertThat(plan.dialect().newline()).isEqualTo("any");
        assertThat(plan.balance().sampledRows()).isEqualTo(3);
    }

    @Test
    void emptyInputsAreFine() {
        LoadPlan plan = plan(spec(write("a.csv", ""), write("b.csv", "1,x")));
        assertThat(plan.balance().sampledRows()).isEqualTo(1);
        assertThat(plan(spec(write("c.csv", ""))).balance().sampledRows()).isZero();
    }

    @Test
    void foldersAndGlobsStandForTheirFilesInOrder() throws IOException {
        Files.createDirectory(folder.resolve("in"));
        write("in/b.csv", "2,y\n");
        write("in/a.csv", "1,x\n");
        write("in/.hidden", "nothing");
        assertThat(plan(spec(folder.resolve("in").toString())).inputs())
                .extracting(input -> Path.of(input.name()).getFileName().toString())
                .containsExactly("a.csv", "b.csv");
        assertThat(plan(spec(folder + "/in/b*.csv")).inputs()).hasSize(1);
        assertThatThrownBy(() -> plan(spec(folder + "/in/x*.csv")))
                .hasMessageContaining("No file matches");
        assertThatThrownBy(() -> plan(spec(folder + "/none.csv")))
                .hasMessageContaining("There is no file");
    }

    @Test
    void aTableThatIsNotThereAndNotDeclaredIsRefused() {
        FolderTarget target = new FolderTarget(folder.resolve("store"));
        LoadSpec spec = LoadSpec.builder("orders").from(write("a.csv", "1\n")).build();
        assertThatThrownBy(() -> BulkLoad.into(target, "orders").spec(spec).plan())
                .hasMessageContaining("no table orders")
                .hasMessageContaining("--ddl");
    }

    @Test
    void aDeclarationThatContradictsTheTableIsRefused() {
        FolderTarget target = new FolderTarget(folder.resolve("store"));
        target.createTable(TestTables.ORDERS);
        TableSchema other = TableSchema.declare("orders", PAIRS.columns(), PAIRS.key());
        LoadSpec spec =
                LoadSpec.builder("orders").schema(other).from(write("a.csv", "1,x\n")).build();
        assertThatThrownBy(() -> BulkLoad.into(target, "orders").spec(spec).plan())
                .hasMessageContaining("exists with other columns");
    }

    @Test
    void aMemoryLimitCutsChunksDownAndAChunkSizeThatBreaksItIsRefused() {
        String input = write("a.csv", "1,x\n".repeat(1000));
        LoadPlan plan = plan(spec(input).threads(4).memoryBytes(32L << 20));
        assertThat(plan.chunkBytes() * 4 * WorkShape.MEMORY_PER_CHUNK_BYTE)
                .isLessThanOrEqualTo(32L << 20);
        assertThatThrownBy(() ->
                        plan(spec(input).threads(4).memoryBytes(32L << 20).chunkBytes(16 << 20)))
                .hasMessageContaining("--chunk-size");
    }

    @Test
    void aChunkHasNoMoreThanIsWantedThanFitsAndThanThreadsNeed() {
        WorkShape shape = new WorkShape(2, 0, 512L << 20);
        assertThat(shape.limited(16 << 20, 1L << 30)).isEqualTo(16 << 20);
        assertThat(shape.limited(64 << 20, 1L << 30)).isEqualTo((512 << 20) / 14);
        assertThat(shape.limited(16 << 20, 80 << 20)).isEqualTo(10 << 20);
        assertThat(shape.limited(16 << 20, -1)).isEqualTo(16 << 20);
        assertThat(shape.limited(1, 1L << 30)).isEqualTo(256 << 10);
    }

    /** An input of 36 MiB for one thread, whose chunks may be a quarter of it. */
    private LoadSpecBuilder rows(int rowBytes, boolean inOrder) {
        StringBuilder text = new StringBuilder();
        String rest = "," + "x".repeat(rowBytes - 10) + "\n";
        int rows = (36 << 20) / rowBytes;
        for (int i = 0; i < rows; i++) {
            long id = inOrder ? i : i * 7_919L % rows;
            text.append(10_000_000 + id).append(rest);
        }
        return spec(write("a.csv", text.toString())).threads(1);
    }

    @Test
    void chunksAreSmallWhereRowsComeInOrderAndLargerWhereTheyAreLongOrDoNot() {
        assertThat(plan(rows(12, true)).chunkBytes()).isEqualTo(6L << 20);
        assertThat(plan(rows(58, false)).chunkBytes()).isBetween(8L << 20, 9L << 20);
        assertThat(plan(rows(150, true)).chunkBytes()).isBetween(7_100_000L, 7_300_000L);
        LoadSpecBuilder longer = rows(300, true);
        assertThat(plan(longer).chunkBytes()).isEqualTo(8L << 20);
        LoadSpecBuilder resumable = rows(12, true).label("nightly").resume(true);
        assertThat(plan(resumable).chunkBytes()).isBetween(9_400_000L, 9L << 20);
    }

    @Test
    void oneSeedGivesOnePlan() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            text.append(i * 7919L % 20_011).append(",named\n");
        }
        String input = write("a.csv", text.toString());
        LoadSpecBuilder spec = spec(input).regions(7).samples(3_000);
        assertThat(plan(spec)).isEqualTo(plan(spec));
        assertThat(plan(spec).splitPoints()).hasSize(6);
        assertThat(plan(spec.seed(5)).splitPoints()).isNotEqualTo(plan(spec.seed(6)).splitPoints());
    }

    @Test
    void splitPointsAreLeftOutForWantOfKeys() {
        String few = write("a.csv", "1,x\n2,x\n3,x\n4,x\n5,x\n6,x\n7,x\n");
        assertThat(plan(spec(few).regions(12)).notes())
                .containsExactly(
                        "5 of 11 split points were left out: the sample has only 7 different"
                                + " keys.");
        String one = write("b.csv", "1,x\n1,x\n");
        assertThat(plan(spec(one).regions(2)).notes())
                .containsExactly(
                        "1 of 1 split point was left out: the sample has only 1 different key.");
    }

    @Test
    void longRowsAreSampledLessButNotTooFewOfThem() {
        assertThat(Planner.defaultSamples(1, 1L << 20, 100)).isEqualTo(10_000);
        assertThat(Planner.defaultSamples(16, 1L << 32, 100)).isEqualTo(40_000);
        assertThat(Planner.defaultSamples(16, 1L << 32, 700)).isBetween(23_000, 24_500);
        assertThat(Planner.defaultSamples(16, 1L << 32, 10_000)).isEqualTo(16_000);
        assertThat(Planner.defaultSamples(1, -1, 0)).isEqualTo(10_000);
        assertThat(Planner.defaultSamples(256, 1L << 40, 100)).isEqualTo(400_000);
    }

    @Test
    void recordsHoweverLongAreNotAllReadForTheSample() {
        assertThat(Planner.defaultSamples(16, 1L << 32, 100_000)).isBetween(2_600, 2_700);
        assertThat(Planner.defaultSamples(200, 50L << 30, 150_000)).isBetween(20_000, 24_000);
        assertThat(Planner.defaultSamples(16, 1L << 32, 10_000_000)).isEqualTo(256);
        assertThat(Planner.defaultSamples(12, 100L << 20, 4_000)).isEqualTo(12_000);
    }

    /** A table of orders that has been split at these ids, and an input with even ids to 20,000. */
    private FolderTarget splitOrders(long... ids) {
        FolderTarget target = new FolderTarget(folder.resolve("store"));
        target.createTable(TestTables.ORDERS);
        target.preSplit("orders", LongStream.of(ids).mapToObj(PlannerTest::order).toList());
        return target;
    }

    private static byte[] order(long id) {
        ByteBuilder key = new ByteBuilder(8);
        new KeyCodec(TestTables.ORDERS).putLong(0, id, key);
        return key.toByteArray();
    }

    private BulkLoad.Builder orders(FolderTarget target, int regions, boolean dryRun) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            text.append(i * 7_919L % 10_000 * 2).append("|open|1.00|2024-01-01|a note\n");
        }
        return BulkLoad.into(target, "orders")
                .spec(
                        LoadSpec.builder("orders")
                                .from(write("orders.tbl", text.toString()))
                                .regions(regions)
                                .dryRun(dryRun)
                                .build());
    }

    @Test
    void regionsThatAnEmptyTableHasAreAmongThoseThatAreWanted() {
        FolderTarget target = splitOrders(2_000, 4_000, 6_000);
        LoadPlan plan = orders(target, 12, false).plan();
        assertThat(plan.splitPoints()).hasSize(8).doesNotContain("2000", "4000", "6000");
        assertThat(plan.regions()).isEqualTo(12);
        assertThat(plan.notes()).isEmpty();
        LoadReport dry = orders(target, 12, true).run();
        LoadReport report = orders(target, 12, false).run();
        assertThat(List.of(dry.regions(), report.regions())).containsOnly(12);
        assertThat(report.imbalance())
                .isCloseTo(plan.balance().predictedImbalance(), Offset.offset(0.1))
                .isLessThan(1.25);
        assertThat(dry.imbalance()).isEqualTo(report.imbalance());
    }

    @Test
    void ofATableWithRowsNoRegionsArePromised() {
        FolderTarget target = splitOrders(2_000, 4_000, 6_000);
        orders(target, 4, false).run();
        LoadPlan plan = orders(target, 12, false).plan();
        assertThat(plan.regions()).isEqualTo(4);
        assertThat(plan.balance().predictedImbalance()).isBetween(2.75, 2.85);
        assertThat(plan.notes())
                .containsExactly(
                        "The table holds rows already, so only those of its regions are split that"
                                + " hold none.");
        assertThat(orders(target, 12, true).run().regions()).isEqualTo(4);
    }

    @Test
    void aTableOfOneRegionWithRowsIsNotSplitHoweverManyAreWanted() {
        FolderTarget target = splitOrders();
        orders(target, 1, false).run();
        LoadPlan plan = orders(target, 12, false).plan();
        assertThat(plan.regions()).isEqualTo(1);
        assertThat(plan.splitPoints()).isEmpty();
        assertThat(plan.notes())
                .containsExactly("The table holds rows already, so its regions stay as they are.");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 8})
    void laterLoadsIntoATableWithoutKeyAreSaidToGoToItsLastRegion(int regions) {
        FolderTarget target = new FolderTarget(folder.resolve("store"), 4);
        String input = write("events.tbl", "town|1\n".repeat(40_000));
        LoadSpecBuilder spec = LoadSpec.builder("events").schema(TestTables.EVENTS).from(input);
        BulkLoad.Builder first = BulkLoad.into(target, "events").spec(spec.regions(4).build());
        assertThat(first.plan().regions()).isEqualTo(4);
        assertThat(first.plan().notes()).isEmpty();
        assertThat(first.run().regions()).isEqualTo(4);
        BulkLoad.Builder second =
                BulkLoad.into(target, "events").spec(spec.regions(regions).build());
        assertThat(second.plan().regions()).isEqualTo(4);
        assertThat(second.plan().notes())
                .containsExactly(
                        "The table has no key, so rows of a load come after those of all loads"
                                + " before: they go to its last region.");
        BulkLoad.Builder dry =
                BulkLoad.into(target, "events").spec(spec.regions(regions).dryRun(true).build());
        assertThat(dry.run().imbalance()).isEqualTo(4);
    }
}
