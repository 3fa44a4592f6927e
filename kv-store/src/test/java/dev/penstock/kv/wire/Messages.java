package dev.penstock.kv.wire;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.GroupKey;
import dev.penstock.aggregate.PartialResult;
import dev.penstock.aggregate.PartialValue;
import dev.penstock.aggregate.Product;
import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnData;
import dev.penstock.batch.ColumnSums;
import dev.penstock.batch.LongColumn;
import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTable;
import dev.penstock.dict.TokenTables;
import dev.penstock.error.ErrorCategory;
import dev.penstock.key.KeyRange;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.HostedRegions;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadProgress;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.RegionStatus;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ScanRequest;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.ServerStatus;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.reject.Reject;
import dev.penstock.reject.RejectReason;
import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;
import dev.penstock.step.FragmentForm;
import dev.penstock.step.StepName;
import dev.penstock.step.StepTimes;
import dev.penstock.target.ColumnOutcome;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.RegionReceipt;
import dev.penstock.target.Verification;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Random messages of every kind, from one seed. */
final class Messages {
    private final Random random;

    Messages(long seed) {
        this.random = new Random(seed);
    }

    List<Request> requests() {
        return List.of(
                new Request.Ping(),
                new Request.CreateRegions(regions()),
                new Request.DropRegion(random.nextLong()),
                new Request.CloseIfEmpty(random.nextLong()),
                new Request.Put(random.nextLong(), random.nextLong(), batch()),
                new Request.Insert(random.nextLong(), random.nextLong(), batch()),
                new Request.Delete(random.nextLong(), random.nextLong(), some(this::bytes)),
                new Request.Get(random.nextLong(), random.nextLong(), bytes()),
                new Request.CheckWrite(
                        random.nextLong(),
                        random.nextLong(),
                        some(this::bytes),
                        random.nextBoolean()),
                new Request.FirstPresent(random.nextLong(), random.nextLong(), some(this::bytes)),
                openScan(),
                new Request.NextRows(random.nextLong()),
                new Request.CloseScan(random.nextLong()),
                new Request.Count(random.nextLong(), random.nextLong(), range(), predicate(3)),
                new Request.Aggregate(random.nextLong(), random.nextLong(), query()),
                new Request.Checksum(random.nextLong(), random.nextLong()),
                new Request.OpenLoad(load()),
                new Request.Fragment(
                        text(),
                        new FragmentHeader(
                                random.nextInt(),
                                random.nextLong(),
                                oneOf(FragmentForm.values()),
                                random.nextInt(),
                                sums()),
                        random.nextInt()),
                new Request.ForceLoad(text()),
                new Request.Finish(text(), some(random::nextLong)),
                new Request.Install(text(), random.nextLong()),
                new Request.Discard(text()),
                new Request.RevokeLease("load-1", List.of(4L, 9L)),
                new Request.ServerStatus(),
                new Request.CreateTable(schema()),
                new Request.DropTable(text()),
                new Request.Tables(),
                new Request.Table(text()),
                new Request.Regions(text()),
                new Request.PreSplit(text(), some(this::bytes)),
                new Request.BeginLoad(loadRequest()),
                new Request.Load(text()),
                new Request.RunningLoads(text(), text()),
                new Request.ResumeLoad(text(), random.nextLong()),
                new Request.ReleaseLoad(text(), random.nextLong()),
                new Request.Checkpoint(text(), random.nextLong(), bytes()),
                new Request.Checkpoints(text(), random.nextInt()),
                new Request.Publish(text(), regionRows(), text()),
                new Request.Labelled(text(), text()),
                new Request.Abort(text()),
                new Request.LoadState(text()),
                new Request.SignOfLife(text(), random.nextLong()),
                new Request.Epoch(),
                new Request.PublishedSince(random.nextLong()),
                new Request.Join(server()),
                new Request.Report(server()),
                new Request.Servers(),
                new Request.ClusterStatus());
    }

    List<Reply> replies() {
        return List.of(
                new Reply.Failure(oneOf(ErrorCategory.values()), text(), bytes()),
                new Reply.Pong(),
                new Reply.Done(),
                new Reply.Flag(random.nextBoolean()),
                new Reply.LongValue(random.nextLong()),
                new Reply.Row(some(this::batch)),
                new Reply.Rows(random.nextLong(), random.nextBoolean(), some(this::batch)),
                new Reply.Aggregates(result()),
                new Reply.Checksum(
                        new RegionChecksum(
                                random.nextLong(),
                                random.nextLong(),
                                random.nextLong(),
                                random.longs(random.nextInt(5)).toArray())),
                new Reply.Acknowledged(
                        new FragmentAck(
                                random.nextInt(),
                                random.nextLong(),
                                random.nextLong(),
                                some(this::reject),
                                bits(),
                                sums(),
                                FragmentAck.Outcome.values()[random.nextInt(3)]),
                        random.nextLong()),
                new Reply.Receipts(some(this::receipt)),
                new Reply.ServerStatus(
                        new RegionServerStatus(
                                server(), some(this::regionStatus), some(this::progress))),
                new Reply.Tables(some(this::table)),
                new Reply.Regions(some(this::assignment)),
                new Reply.Load(load()),
                new Reply.Loads(some(this::running)),
                new Reply.Checkpoints(some(this::bytes)),
                new Reply.State(oneOf(LoadState.values())),
                new Reply.Published(new PublishedPage(some(this::published), random.nextLong())),
                new Reply.Labelled(some(() -> new LabelledLoad(text(), random.nextLong(), text()))),
                new Reply.Joined(new JoinReply(hosted(random.nextInt(4)), report())),
                new Reply.Reported(report()),
                new Reply.Servers(some(this::server)),
                new Reply.Cluster(
                        new ClusterStatus(
                                random.nextLong(),
                                some(this::table),
                                some(this::serverStatus),
                                some(this::running))));
    }

    private AggregateQuery query() {
        return new AggregateQuery(
                range(),
                predicate(2),
                some(random::nextInt),
                some(this::aggregate),
                some(this::product));
    }

    private Product product() {
        List<Product.Term> terms = new ArrayList<>();
        for (int i = 1 + random.nextInt(Product.MAX_TERMS); i > 0; i--) {
            long constant = random.nextLong() >> 8 + random.nextInt(50);
            terms.add(new Product.Term(random.nextInt(1000), constant, random.nextBoolean()));
        }
        return new Product(terms);
    }

    private Aggregate aggregate() {
        Aggregate.Function function = oneOf(Aggregate.Function.values());
        return function == Aggregate.Function.COUNT_ROWS
                ? Aggregate.countRows()
                : new Aggregate(function, random.nextInt(1000));
    }

    private PartialResult result() {
        PartialResult result = new PartialResult(some(this::aggregate));
        for (int i = random.nextInt(5); i > 0; i--) {
            List<PartialValue> values = new ArrayList<>();
            result.aggregates().forEach(aggregate -> values.add(value(aggregate.function())));
            List<Optional<Literal>> key =
                    some(() ->
                            random.nextBoolean()
                                    ? Optional.of(literal())
                                    : Optional.<Literal>empty());
            if (!result.groups().containsKey(new GroupKey(key))) {
                result.add(new GroupKey(key), values);
            }
        }
        return result;
    }

    private PartialValue value(Aggregate.Function function) {
        return switch (function) {
            case COUNT, COUNT_ROWS -> new PartialValue.Count(random.nextLong());
            case SUM ->
                    random.nextBoolean()
                            ? new PartialValue.ExactSum(new BigInteger(130, random).negate())
                            : new PartialValue.FloatSum(random.nextDouble(), random.nextDouble());
            case MIN, MAX ->
                    switch (random.nextInt(3)) {
                        case 0 -> new PartialValue.None();
                        case 1 -> new PartialValue.LongValue(random.nextLong());
                        default -> new PartialValue.BytesValue(bytes());
                    };
        };
    }

    private Request openScan() {
        int columns = random.nextInt(4);
        byte[] kinds = new byte[columns];
        for (int i = 0; i < columns; i++) {
            kinds[i] = (byte) random.nextInt(2);
        }
        return new Request.OpenScan(
                new ScanRequest(
                        random.nextLong(),
                        random.nextLong(),
                        range(),
                        random.ints(columns).toArray(),
                        predicate(3),
                        random.nextLong()),
                kinds);
    }

    ColumnBatch batch() {
        int rows = random.nextInt(200);
        List<ColumnData> columns = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            columns.add(random.nextBoolean() ? longs(rows) : byteStrings(rows));
        }
        ColumnBatch batch = new ColumnBatch(columns);
        batch.setRowCount(rows);
        return batch;
    }

    private ColumnData longs(int rows) {
        LongColumn column = new LongColumn(rows);
        int shift = random.nextInt(64);
        for (int row = 0; row < rows; row++) {
            column.values()[row] = random.nextLong() >> shift;
        }
        addNulls(column, rows);
        return column;
    }

    private ColumnData byteStrings(int rows) {
        BytesColumn column = new BytesColumn(rows, 16);
        int longest = random.nextInt(10) == 0 ? 70_000 : 300;
        for (int row = 0; row < rows; row++) {
            byte[] value = new byte[random.nextInt(rows > 3 ? 300 : longest)];
            random.nextBytes(value);
            column.append(row, value, 0, value.length);
        }
        addNulls(column, rows);
        return column;
    }

    private void addNulls(ColumnData column, int rows) {
        if (random.nextBoolean()) {
            for (int row = 0; row < rows; row++) {
                if (random.nextInt(3) == 0) {
                    column.validity().setNull(row, rows);
                }
            }
        }
    }

    Predicate predicate(int depth) {
        int column = random.nextInt(1000);
        return switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> new Predicate.Compare(column, oneOf(Predicate.Operator.values()), literal());
            case 1 -> new Predicate.In(column, some(this::literal), random.nextBoolean());
            case 2 -> new Predicate.IsNull(column, random.nextBoolean());
            case 3 -> new Predicate.StartsWith(column, bytes(), random.nextBoolean());
            case 4 -> new Predicate.And(some(() -> predicate(depth - 1)));
            default -> new Predicate.Or(some(() -> predicate(depth - 1)));
        };
    }

    private Literal literal() {
        return random.nextBoolean()
                ? new Literal.LongLiteral(random.nextLong())
                : new Literal.BytesLiteral(bytes());
    }

    private TableSchema schema() {
        List<ColumnType> types =
                List.of(
                        new ColumnType.BooleanType(),
                        new ColumnType.DecimalType(1 + random.nextInt(38), 0),
                        new ColumnType.VarcharType(1 + random.nextInt(1000)),
                        new ColumnType.TimestampType(),
                        new ColumnType.UuidType());
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            columns.add(new Column("c" + i + text(), types.get(i), random.nextBoolean()));
        }
        List<KeyColumn> key =
                random.nextBoolean()
                        ? List.of()
                        : List.of(
                                new KeyColumn(random.nextInt(2), random.nextBoolean()),
                                new KeyColumn(2 + random.nextInt(3), random.nextBoolean()));
        return TableSchema.declare("t" + text(), columns, key);
    }

    private LoadRequest loadRequest() {
        return new LoadRequest(
                text(),
                text(),
                oneOf(DuplicatePolicy.values()),
                random.nextBoolean() ? Dialect.csv() : Dialect.tpch().withNullText(text()),
                some(random::nextInt),
                some(this::text),
                random.nextBoolean(),
                random.nextBoolean(),
                oneOf(Verification.values()),
                tokens(),
                text());
    }

    private TokenTables tokens() {
        if (random.nextBoolean()) {
            return TokenTables.NONE;
        }
        byte[] token = new byte[2 + random.nextInt(14)];
        random.nextBytes(token);
        return new TokenTables(
                Map.of(
                        random.nextInt(5),
                        new TokenTable(List.of()),
                        5 + random.nextInt(5),
                        new TokenTable(List.of(token))));
    }

    private LoadDescriptor load() {
        return new LoadDescriptor(
                text(), random.nextLong(), table(), loadRequest(), some(this::assignment));
    }

    private RunningLoad running() {
        return new RunningLoad(
                load(),
                random.nextBoolean(),
                random.nextBoolean()
                        ? Optional.of(Instant.ofEpochMilli(random.nextLong()))
                        : Optional.empty());
    }

    private TableDescriptor table() {
        return new TableDescriptor(random.nextLong(), schema());
    }

    private ReportReply report() {
        return new ReportReply(random.nextLong(), some(this::text), random.nextBoolean());
    }

    private List<RegionDescriptor> regions() {
        List<TableSchema> schemas = List.of(schema(), schema());
        return some(() ->
                new RegionDescriptor(
                        random.nextLong(),
                        random.nextLong(),
                        schemas.get(random.nextInt(2)),
                        range()));
    }

    private RegionAssignment assignment() {
        return new RegionAssignment(random.nextLong(), random.nextLong(), range(), server());
    }

    private ServerDescriptor server() {
        return new ServerDescriptor(text(), text());
    }

    private ServerStatus serverStatus() {
        return new ServerStatus(
                server(),
                random.nextBoolean(),
                random.nextInt(),
                some(this::regionStatus),
                some(this::progress));
    }

    private RegionStatus regionStatus() {
        return new RegionStatus(
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextInt());
    }

    private LoadProgress progress() {
        return new LoadProgress(
                text(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextBoolean());
    }

    private HostedRegions hosted(int count) {
        return new HostedRegions(
                random.longs(count).toArray(), random.longs(count).toArray(), random.nextLong());
    }

    private PublishedLoad published() {
        return new PublishedLoad(
                text(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                text(),
                random.nextLong(),
                random.longs(random.nextInt(4)).toArray());
    }

    private RegionReceipt receipt() {
        StepTimes times = new StepTimes();
        times.add(oneOf(StepName.values()), random.nextLong());
        return new RegionReceipt(
                random.nextLong(),
                text(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                some(() -> new ColumnOutcome(text(), text(), random.nextLong(), random.nextLong())),
                sums(),
                sums(),
                some(this::reject),
                times);
    }

    private ColumnSums sums() {
        return random.nextBoolean()
                ? ColumnSums.NONE
                : ColumnSums.of(random.nextLong(), new long[] {random.nextLong(), 0});
    }

    private Reject reject() {
        return new Reject(
                oneOf(RejectReason.values()),
                random.nextInt(),
                random.nextLong(),
                random.nextLong(),
                text(),
                text(),
                text(),
                bytes());
    }

    private Map<Long, Long> regionRows() {
        Map<Long, Long> rows = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            rows.put(random.nextLong(), random.nextLong());
        }
        return rows;
    }

    private KeyRange range() {
        return new KeyRange(bytes(), bytes());
    }

    private BitSet bits() {
        return BitSet.valueOf(random.longs(random.nextInt(3)).toArray());
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(random.nextBoolean() ? "é" : (char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    private <T> List<T> some(Supplier<T> element) {
        List<T> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            list.add(element.get());
        }
        return list;
    }

    private <T> T oneOf(T[] values) {
        return values[random.nextInt(values.length)];
    }
}
