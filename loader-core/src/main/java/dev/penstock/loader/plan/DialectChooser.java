package dev.penstock.loader.plan;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.file.Compression;
import dev.penstock.loader.file.FirstRecords;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Chooses the dialect: what the user says wins, then the ending of the inputs' names, then their
 * first records. The choice is checked against the first records of each input; one that does not
 * fit the table is refused with the counts seen, never guessed away.
 *
 * <p>Reads the beginning of each input twice, so that of thousands of them it never holds more than
 * two: to choose, and to check.
 */
final class DialectChooser {
    /** Bytes looked at in each input; a header must fit. */
    static final int HEAD_BYTES = 64 << 10;

    private static final int RECORDS_LOOKED_AT = 100;

    /** Those that a message may name where the chosen one does not fit. */
    private static final byte[] USUAL_DELIMITERS = {',', ';', '|', '\t'};

    private final Inputs inputs;
    private final TableSchema schema;
    private final DialectOptions options;
    private final List<String> columns;
    private final List<String> reasons = new ArrayList<>();

    private DialectChooser(
            Inputs inputs, TableSchema schema, DialectOptions options, List<String> columns) {
        this.inputs = inputs;
        this.schema = schema;
        this.options = options;
        this.columns = columns;
    }

    static ChosenDialect choose(
            Inputs inputs, TableSchema schema, DialectOptions options, List<String> columns) {
        return new DialectChooser(inputs, schema, options, columns).run();
    }

    private ChosenDialect run() {
        Dialect dialect = withOptions(byEnding());
        Head first = null;
        boolean firstIsEmpty = true;
        boolean loneReturns = false;
        for (InputFile file : inputs.files()) {
            Head head = Head.read(inputs, file);
            boolean returns = head.endsLinesWithLoneReturns(dialect);
            loneReturns |= returns;
            if (firstIsEmpty) {
                boolean empty =
                        head.isEmpty(returns ? dialect.withNewline(Dialect.Newline.ANY) : dialect);
                first = first == null || !empty ? head : first;
                firstIsEmpty = empty;
            }
        }
        if (loneReturns) {
            dialect = dialect.withNewline(Dialect.Newline.ANY);
            reasons.add("records end with a carriage return alone");
        }
        return checked(dialect, Objects.requireNonNull(first, "a load has an input"));
    }

    /**
     * @param first the beginning of the first input that has a record, or else of the first one
     */
    private ChosenDialect checked(Dialect byName, Head first) {
        Dialect dialect = withTrailing(withHeader(byName, first), first);
        List<Integer> fieldColumns = fieldColumns(dialect, first);
        long[] dataStarts = new long[inputs.count()];
        byte[] header = new byte[0];
        for (InputFile file : inputs.files()) {
            int i = file.index();
            Head head = i == first.file().index() ? first : Head.read(inputs, file);
            dataStarts[i] = head.mark();
            if (dialect.header() && head.isEmpty(dialect)) {
                dataStarts[i] = head.bytes().length;
            } else if (!dialect.header()) {
                checkNoHeader(dialect, first, head);
            } else {
                FirstRecords.SplitRecord record = headerRecord(dialect, head);
                checkSameHeader(dialect, first, head, record);
                dataStarts[i] = record.end();
                if (i == first.file().index()) {
                    header = withoutLineEnd(head.bytes(), record.start(), record.end());
                }
            }
            checkFields(dialect, head, (int) dataStarts[i], fieldColumns.size());
        }
        return new ChosenDialect(
                dialect,
                String.join("; ", reasons),
                fieldColumns,
                dataStarts,
                header,
                recordBytes(dialect, first));
    }

    private Dialect byEnding() {
        Dialect chosen = null;
        String from = "";
        for (InputFile file : inputs.files()) {
            String name = Compression.stripEnding(file.name()).toLowerCase(Locale.ROOT);
            Dialect dialect = Dialect.csv();
            String reason = "comma and double quotes by default";
            if (name.endsWith(".tbl")) {
                dialect = Dialect.tpch();
                reason = "by the ending .tbl";
            } else if (name.endsWith(".tsv") || name.endsWith(".tab")) {
                dialect = Dialect.csv().withDelimiter((byte) '\t');
                reason = "tabs by the ending of the name";
            }
            if (chosen == null) {
                chosen = dialect;
                from = file.name();
                reasons.add(reason);
            } else {
                checkSameDialect(chosen, from, dialect, file.name());
            }
        }
        return chosen == null ? Dialect.csv() : chosen;
    }

    /** Whether there is a trailing delimiter is no matter here: the records say so. */
    private void checkSameDialect(Dialect first, String firstName, Dialect other, String name) {
        List<String> missing = new ArrayList<>();
        if (options.delimiter() == null && first.delimiter() != other.delimiter()) {
            missing.add("--delimiter");
        }
        if (options.quote() == null && first.quote() != other.quote()) {
            missing.add("--quote");
        }
        if (!missing.isEmpty()) {
            throw PenstockException.usage(
                    "The names of "
                            + firstName
                            + " and "
                            + name
                            + " suggest different dialects; name one with "
                            + String.join(" and ", missing)
                            + ", or load them apart.");
        }
    }

    private Dialect withOptions(Dialect base) {
        Dialect dialect = base;
        try {
            // The quote first: a delimiter or escape may clash with the default one.
            if (options.quote() != null) {
                dialect = dialect.withQuote(options.quote());
            }
            if (options.delimiter() != null) {
                dialect = dialect.withDelimiter(ascii(options.delimiter()));
                reasons.add("delimiter as given");
            }
            if (options.escape() != null) {
                dialect = dialect.withEscape(options.escape());
            }
            if (options.comment() != null) {
                dialect = dialect.withComment(options.comment());
            }
            if (options.nullText() != null) {
                dialect = dialect.withNullText(options.nullText());
            }
            return dialect;
        } catch (IllegalArgumentException e) {
            throw PenstockException.usage("The dialect does not work: " + e.getMessage() + ".");
        }
    }

    private static byte ascii(char value) {
        if (value > 126) {
            throw new IllegalArgumentException("the delimiter must be one ASCII character");
        }
        return (byte) value;
    }

    private Dialect withHeader(Dialect dialect, Head first) {
        if (options.header() != null) {
            return dialect.withHeader(options.header());
        }
        List<FirstRecords.SplitRecord> records = first.records(dialect, first.mark(), 1);
        if (!records.isEmpty() && namesColumns(records.get(0))) {
            reasons.add("a header, because the first record names the table's columns");
            return dialect.withHeader(true);
        }
        checkNotNearlyHeader(first, records);
        return dialect;
    }

    private Dialect withTrailing(Dialect dialect, Head first) {
        if (options.trailingDelimiter() != null) {
            return dialect.withTrailingDelimiter(options.trailingDelimiter());
        }
        int from = first.mark();
        if (dialect.header() && !first.isEmpty(dialect)) {
            from = headerRecord(dialect, first).end();
        }
        int fields = expectedFields(dialect, first);
        int plain = 0;
        int trailing = 0;
        for (FirstRecords.SplitRecord record : first.records(dialect, from, RECORDS_LOOKED_AT)) {
            int count = record.fields().size();
            plain += count == fields ? 1 : 0;
            trailing += count == fields + 1 && record.fields().get(fields).isEmpty() ? 1 : 0;
        }
        if (trailing > plain && !dialect.trailingDelimiter()) {
            reasons.add("a trailing delimiter, as the first records have one");
        }
        boolean chosen =
                plain == 0 && trailing == 0 ? dialect.trailingDelimiter() : trailing > plain;
        return dialect.withTrailingDelimiter(chosen);
    }

    private int expectedFields(Dialect dialect, Head first) {
        if (!columns.isEmpty()) {
            return columns.size();
        }
        if (dialect.header() && !first.isEmpty(dialect)) {
            return headerNames(headerRecord(dialect, first).fields()).size();
        }
        return schema.visibleColumnCount();
    }

    private List<Integer> fieldColumns(Dialect dialect, Head first) {
        if (!columns.isEmpty()) {
            return FieldMapper.byName(schema, columns, "--columns");
        }
        if (dialect.header() && !first.isEmpty(dialect)) {
            List<String> names = headerNames(headerRecord(dialect, first).fields());
            return FieldMapper.byName(schema, names, "The header of " + first.file().name());
        }
        return FieldMapper.inTableOrder(schema);
    }

    /** Field names of a header; one more empty field than columns is a trailing delimiter. */
    private static List<String> headerNames(List<String> fields) {
        int last = fields.size() - 1;
        boolean trailing = last > 0 && fields.get(last).isEmpty();
        return trailing ? fields.subList(0, last) : fields;
    }

    private static FirstRecords.SplitRecord headerRecord(Dialect dialect, Head head) {
        List<FirstRecords.SplitRecord> records = head.records(dialect, head.mark(), 1);
        if (records.isEmpty()) {
            throw PenstockException.usage(
                    "The header of "
                            + head.file().name()
                            + " does not end within its first "
                            + HEAD_BYTES
                            + " bytes.");
        }
        return records.get(0);
    }

    private static void checkSameHeader(
            Dialect dialect, Head first, Head head, FirstRecords.SplitRecord record) {
        if (head.file().index() == first.file().index()) {
            return;
        }
        List<String> expected = headerNames(headerRecord(dialect, first).fields());
        List<String> names = headerNames(record.fields());
        if (!String.join("\n", names).equalsIgnoreCase(String.join("\n", expected))) {
            throw PenstockException.usage(
                    "The header of "
                            + head.file().name()
                            + " ("
                            + String.join(", ", names)
                            + ") differs from that of "
                            + first.file().name()
                            + " ("
                            + String.join(", ", expected)
                            + ").");
        }
    }

    /** Refuses a header where the first input has none, unless the user says what it is. */
    private void checkNoHeader(Dialect dialect, Head first, Head head) {
        if (options.header() != null || head.file().index() == first.file().index()) {
            return;
        }
        List<FirstRecords.SplitRecord> records = head.records(dialect, head.mark(), 1);
        if (!records.isEmpty() && namesColumns(records.get(0))) {
            throw PenstockException.usage(
                    "The first record of "
                            + head.file().name()
                            + " names columns of table "
                            + schema.name()
                            + ", but that of "
                            + first.file().name()
                            + " does not; say with --header that each file has a header, or with"
                            + " --no-header that none has.");
        }
        checkNotNearlyHeader(head, records);
    }

    /**
     * Refuses a first record of which half of the fields or more name columns, but not all: a
     * header with a name that is wrong would be loaded as a row, and all others into the wrong
     * columns if they are in another order. Numbers are no names: with one it is data.
     */
    private void checkNotNearlyHeader(Head head, List<FirstRecords.SplitRecord> first) {
        List<String> fields = first.isEmpty() ? List.of() : headerNames(first.get(0).fields());
        BitSet naming = FieldMapper.naming(schema, fields);
        int names = naming.cardinality();
        if (names == 0 || 2 * names < fields.size() || names == fields.size()) {
            return;
        }
        List<String> known = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            (naming.get(i) ? known : others).add(fields.get(i));
        }
        if (others.stream().anyMatch(DialectChooser::beginsAsNumber)) {
            return;
        }
        throw PenstockException.usage(
                "The first record of "
                        + head.file().name()
                        + " may be a header: "
                        + PlanWords.fields(known)
                        + (names == 1 ? " names a column" : " name columns")
                        + " of table "
                        + schema.name()
                        + ", and "
                        + PlanWords.fields(others)
                        + (others.size() == 1 ? " names no other; " : " name no others; ")
                        + (columns.isEmpty()
                                ? "if it is one, mend it or name the fields with --columns, and say"
                                        + " --header"
                                : "say --header if it is one")
                        + ", or --no-header if it is data.");
    }

    private static boolean beginsAsNumber(String field) {
        return !field.isEmpty() && "0123456789+-.".indexOf(field.charAt(0)) >= 0;
    }

    private boolean namesColumns(FirstRecords.SplitRecord record) {
        return FieldMapper.namesColumns(schema, headerNames(record.fields()));
    }

    private void checkFields(Dialect dialect, Head head, int from, int fields) {
        int expected = fields + (dialect.trailingDelimiter() ? 1 : 0);
        // Of most inputs the first record fits, and there may be thousands of them.
        List<FirstRecords.SplitRecord> one = head.records(dialect, from, 1);
        if (one.isEmpty() || one.getFirst().fields().size() == expected) {
            return;
        }
        List<FirstRecords.SplitRecord> records = head.records(dialect, from, RECORDS_LOOKED_AT);
        TreeMap<Integer, Integer> counts = new TreeMap<>();
        for (FirstRecords.SplitRecord record : records) {
            counts.merge(record.fields().size(), 1, Integer::sum);
        }
        if (records.size() < 2 || counts.containsKey(expected)) {
            return;
        }
        List<String> seen = new ArrayList<>();
        counts.forEach((count, times) -> seen.add(count + " in " + Counted.of(times, "record")));
        throw PenstockException.usage(
                "None of the first "
                        + records.size()
                        + " records of "
                        + head.file().name()
                        + " has the "
                        + Counted.of(fields, "field")
                        + " that "
                        + (columns.isEmpty()
                                ? "table " + schema.name() + " takes"
                                : "--columns names")
                        + "; fields seen with the delimiter "
                        + PlanWords.character(dialect.delimiter())
                        + ": "
                        + String.join(", ", seen)
                        + fittingDelimiter(dialect, head, from, fields)
                                .map(word ->
                                        "; with the delimiter "
                                                + word
                                                + " they have "
                                                + fields
                                                + ": say --delimiter "
                                                + word
                                                + ".")
                                .orElse(
                                        ". Name the delimiter with --delimiter, or the fields with"
                                                + " --columns."));
    }

    /** The one usual delimiter with which all first records have so many fields, as an option. */
    private Optional<String> fittingDelimiter(Dialect dialect, Head head, int from, int fields) {
        List<String> fitting = new ArrayList<>();
        for (byte delimiter : USUAL_DELIMITERS) {
            if (mayBecome(dialect, delimiter)) {
                Dialect other = dialect.withDelimiter(delimiter);
                if (allHave(fields, head.records(other, from, RECORDS_LOOKED_AT))) {
                    fitting.add(PlanWords.character(delimiter));
                }
            }
        }
        return fitting.size() == 1 ? Optional.of(fitting.getFirst()) : Optional.empty();
    }

    private static boolean mayBecome(Dialect dialect, byte delimiter) {
        return delimiter != dialect.delimiter()
                && delimiter != dialect.quote()
                && delimiter != dialect.escape()
                && delimiter != dialect.comment()
                && dialect.nullText().indexOf(delimiter) < 0;
    }

    /** Whether all have so many fields, with a trailing delimiter or without as the user says. */
    private boolean allHave(int fields, List<FirstRecords.SplitRecord> records) {
        int trailing = 0;
        for (FirstRecords.SplitRecord record : records) {
            int count = record.fields().size();
            boolean ends = count == fields + 1 && record.fields().get(fields).isEmpty();
            if (count != fields && !ends) {
                return false;
            }
            trailing += ends ? 1 : 0;
        }
        Boolean said = options.trailingDelimiter();
        boolean none = trailing == 0 && !Boolean.TRUE.equals(said);
        boolean all = trailing == records.size() && !Boolean.FALSE.equals(said);
        return !records.isEmpty() && (none || all);
    }

    private static double recordBytes(Dialect dialect, Head head) {
        List<FirstRecords.SplitRecord> records =
                head.records(dialect, head.mark(), RECORDS_LOOKED_AT);
        if (records.isEmpty()) {
            return Math.max(1, head.bytes().length - head.mark());
        }
        return (double) (records.get(records.size() - 1).end() - head.mark()) / records.size();
    }

    private static byte[] withoutLineEnd(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r')) {
            end--;
        }
        return Arrays.copyOfRange(bytes, from, end);
    }
}
