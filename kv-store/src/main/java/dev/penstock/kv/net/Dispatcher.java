package dev.penstock.kv.net;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.PublishedLoad;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionService;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.security.Guard;
import dev.penstock.kv.security.Peer;
import dev.penstock.kv.security.Permission;
import dev.penstock.kv.security.Role;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.Request;
import dev.penstock.kv.wire.RequestCodec;
import dev.penstock.step.ChunkInFile;
import dev.penstock.step.StepName;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.RegionReceipt;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/** Executes requests on a server's services. Knows of connections their {@link Caller}s only. */
final class Dispatcher {
    private static final byte[] NO_BULK = new byte[0];

    private final Served served;
    private final Guard guard;
    private final Transport transport;

    Dispatcher(Served served, Guard guard, Transport transport) {
        this.served = served;
        this.guard = guard;
        this.transport = transport;
    }

    /**
     * The reply's frame; a failed request's reply says so. Rows and keys which the peer may not
     * store or ask for are not taken apart.
     *
     * @throws PenstockException of category CORRUPT if the message is no request
     */
    ByteBuilder answer(
            Caller caller,
            MessageType type,
            long requestId,
            byte[] message,
            byte[] bulk,
            int bulkLength) {
        Optional<Permission> ofRows = Permissions.ofRows(type, message);
        try {
            ofRows.ifPresent(needed -> guard.check(caller.peer(), needed));
        } catch (PenstockException e) {
            return FrameSender.frame(Reply.Failure.of(e), requestId);
        }
        Request request = RequestCodec.get(type, new ByteParser(message, "a request " + type));
        Optional<Permission> needed =
                ofRows.isPresent() ? Optional.empty() : Optional.of(Permissions.of(request));
        return execute(caller, request, needed, requestId, bulk, bulkLength);
    }

    /**
     * The reply to a request for a single row, or to one that fails, if it can be made without
     * asking another server.
     *
     * @throws PenstockException of category CORRUPT if the message is no such request
     */
    Optional<ByteBuilder> rowAtHand(Caller caller, long requestId, byte[] message) {
        MessageType type = MessageType.GET;
        Request request = RequestCodec.get(type, new ByteParser(message, "a request " + type));
        if (!(request instanceof Request.Get get)) {
            return Optional.empty();
        }
        Optional<Long> epoch = served.regions().epochAtHand(get.epoch());
        if (epoch.isEmpty()) {
            return Optional.empty();
        }
        Request.Get row = new Request.Get(get.regionId(), epoch.get(), get.key());
        Optional<Permission> needed = Optional.of(Permissions.of(row));
        return Optional.of(execute(caller, row, needed, requestId, NO_BULK, 0));
    }

    /**
     * Never fails.
     *
     * @param needed empty if that has been checked
     */
    private ByteBuilder execute(
            Caller caller,
            Request request,
            Optional<Permission> needed,
            long requestId,
            byte[] bulk,
            int bulkLength) {
        try {
            needed.ifPresent(permission -> guard.check(caller.peer(), permission));
            Reply reply = reply(caller, request, bulk, bulkLength);
            return FrameSender.frame(visible(caller.peer(), reply), requestId);
        } catch (PenstockException e) {
            return FrameSender.frame(Reply.Failure.of(e), requestId);
        } catch (RuntimeException | StackOverflowError | InternalError | OutOfMemoryError e) {
            // An internal error is what Java throws if a mapped file cannot be read.
            served.log().accept("a request failed unexpectedly: " + describe(e));
            return FrameSender.frame(
                    new Reply.Failure(ErrorCategory.INTERNAL, unexpected(e)), requestId);
        }
    }

    private static String unexpected(Throwable failure) {
        return failure instanceof OutOfMemoryError memory
                ? "the server could not do it. " + MemoryUsedUp.says(memory)
                : "the server failed unexpectedly: " + failure;
    }

    /** Of tables, and of what was published, only what the peer may read; a server sees all. */
    private Reply visible(Peer peer, Reply reply) {
        return switch (reply) {
            case Reply.Tables(List<TableDescriptor> tables) ->
                    new Reply.Tables(readable(peer, tables));
            case Reply.Published(PublishedPage(List<PublishedLoad> loads, long upTo))
                    when !guard.allows(peer, new Permission.ServerOnly()) ->
                    new Reply.Published(
                            new PublishedPage(
                                    ofTables(loads, readable(peer, metadata().tables())), upTo));
            default -> reply;
        };
    }

    private List<TableDescriptor> readable(Peer peer, List<TableDescriptor> tables) {
        return tables.stream()
                .filter(table ->
                        guard.allows(
                                peer, new Permission.OfTable(Role.READ, table.schema().name())))
                .toList();
    }

    private static List<PublishedLoad> ofTables(
            List<PublishedLoad> loads, List<TableDescriptor> tables) {
        Set<Long> ids = tables.stream().map(TableDescriptor::tableId).collect(Collectors.toSet());
        return loads.stream().filter(load -> ids.contains(load.tableId())).toList();
    }

    private Reply reply(Caller caller, Request request, byte[] bulk, int bulkLength) {
        OpenScans scans = caller.scans();
        RegionService regions = served.regions();
        return switch (request) {
            case Request.Ping _ -> new Reply.Pong();
            case Request.CreateRegions r -> done(() -> regions.createRegions(r.regions()));
            case Request.DropRegion r -> done(() -> regions.dropRegion(r.regionId()));
            case Request.CloseIfEmpty r -> new Reply.Flag(regions.closeIfEmpty(r.regionId()));
            case Request.Put r -> done(() -> regions.put(r.regionId(), r.rows(), r.epoch()));
            case Request.Insert r ->
                    new Reply.LongValue(regions.insert(r.regionId(), r.rows(), r.epoch()));
            case Request.Delete r -> done(() -> regions.delete(r.regionId(), r.keys(), r.epoch()));
            case Request.CheckWrite r ->
                    done(() -> regions.checkWrite(r.regionId(), r.keys(), r.removal(), r.epoch()));
            case Request.FirstPresent r ->
                    new Reply.LongValue(regions.firstPresent(r.regionId(), r.keys(), r.epoch()));
            case Request.Get r ->
                    new Reply.Row(regions.get(r.regionId(), r.key(), r.epoch()).stream().toList());
            case Request.OpenScan r -> {
                String table = served.tableOfRegion().apply(r.scan().regionId());
                yield scans.open(regions.openScan(r.scan()), table, r.kinds());
            }
            case Request.NextRows r ->
                    scans.next(
                            r.cursorId(),
                            table ->
                                    guard.check(
                                            caller.peer(),
                                            new Permission.OfTable(Role.READ, table)));
            case Request.CloseScan r -> done(() -> scans.close(r.cursorId()));
            case Request.Count r ->
                    new Reply.LongValue(
                            regions.count(r.regionId(), r.epoch(), r.range(), r.predicate()));
            case Request.Aggregate r ->
                    new Reply.Aggregates(regions.aggregate(r.regionId(), r.epoch(), r.query()));
            case Request.Checksum r ->
                    new Reply.Checksum(regions.checksum(r.regionId(), r.epoch()));
            case Request.OpenLoad r -> done(() -> regions.openLoad(r.load()));
            case Request.Fragment r -> fragment(caller, r, bulk, bulkLength);
            case Request.ForceLoad r -> done(() -> regions.forceLoad(r.loadId()));
            case Request.Finish r -> finish(r);
            case Request.Install r -> done(() -> regions.install(r.loadId(), r.epoch()));
            case Request.Discard r -> done(() -> regions.discard(r.loadId()));
            case Request.RevokeLease r ->
                    done(() -> regions.revokeLease(r.loadId(), r.regionIds()));
            case Request.ServerStatus _ -> new Reply.ServerStatus(regions.status());
            case Request.CreateTable _,
                    Request.DropTable _,
                    Request.Tables _,
                    Request.Table _,
                    Request.Regions _,
                    Request.PreSplit _,
                    Request.BeginLoad _,
                    Request.Load _,
                    Request.RunningLoads _,
                    Request.ResumeLoad _,
                    Request.ReleaseLoad _,
                    Request.Checkpoint _,
                    Request.Checkpoints _,
                    Request.Publish _,
                    Request.Labelled _,
                    Request.Abort _,
                    Request.LoadState _,
                    Request.SignOfLife _,
                    Request.Epoch _,
                    Request.PublishedSince _,
                    Request.Join _,
                    Request.Report _,
                    Request.Servers _,
                    Request.ClusterStatus _ ->
                    metadataReply(request, metadata());
        };
    }

    private static Reply metadataReply(Request request, MetadataService metadata) {
        return switch (request) {
            case Request.CreateTable r ->
                    new Reply.Tables(List.of(metadata.createTable(r.schema())));
            case Request.DropTable r -> new Reply.Flag(metadata.dropTable(r.name()));
            case Request.Tables _ -> new Reply.Tables(metadata.tables());
            case Request.Table r -> new Reply.Tables(metadata.table(r.name()).stream().toList());
            case Request.Regions r -> new Reply.Regions(metadata.regions(r.table()));
            case Request.PreSplit r -> new Reply.Regions(metadata.preSplit(r.table(), r.points()));
            case Request.BeginLoad r -> new Reply.Load(metadata.beginLoad(r.load()));
            case Request.Load r -> new Reply.Load(metadata.load(r.loadId()));
            case Request.RunningLoads r ->
                    new Reply.Loads(metadata.runningLoads(r.table(), r.label()));
            case Request.ResumeLoad r ->
                    new Reply.Load(metadata.resumeLoad(r.loadId(), r.loader()));
            case Request.ReleaseLoad r -> done(() -> metadata.releaseLoad(r.loadId(), r.loader()));
            case Request.Checkpoint r ->
                    done(() -> metadata.checkpoint(r.loadId(), r.loader(), r.entry()));
            case Request.Checkpoints r ->
                    new Reply.Checkpoints(metadata.checkpoints(r.loadId(), r.from()));
            case Request.Publish r ->
                    new Reply.LongValue(metadata.publish(r.loadId(), r.regionRows(), r.report()));
            case Request.Labelled r ->
                    new Reply.Labelled(metadata.labelled(r.table(), r.label()).stream().toList());
            case Request.Abort r -> done(() -> metadata.abort(r.loadId()));
            case Request.LoadState r -> new Reply.State(metadata.loadState(r.loadId()));
            case Request.SignOfLife r ->
                    new Reply.State(metadata.signOfLife(r.loadId(), r.loader()));
            case Request.Epoch _ -> new Reply.LongValue(metadata.epoch());
            case Request.PublishedSince r ->
                    new Reply.Published(metadata.publishedSince(r.epoch()));
            case Request.Join r -> new Reply.Joined(metadata.join(r.server()));
            case Request.Report r -> new Reply.Reported(metadata.report(r.server()));
            case Request.Servers _ -> new Reply.Servers(metadata.servers());
            case Request.ClusterStatus _ -> new Reply.Cluster(metadata.status());
            default -> throw PenstockException.internal(request + " is not for the leader");
        };
    }

    private Reply fragment(Caller caller, Request.Fragment request, byte[] bulk, int bulkLength) {
        if (request.checksum() != 0 && request.checksum() != checksum(bulk, bulkLength)) {
            throw PenstockException.corrupt(
                    "fragment "
                            + request.header().chunkId()
                            + " of load "
                            + request.loadId()
                            + " for region "
                            + request.header().regionId()
                            + " does not match its checksum");
        }
        FragmentHeader header = request.header();
        if (!header.isInFile()) {
            return acknowledged(request, bulk, bulkLength, bulkLength);
        }
        int creditBytes = ChunkInFile.of(bulk, bulkLength).creditBytes();
        return caller.neighbour().isShown()
                ? acknowledged(request, bulk, bulkLength, creditBytes)
                : new Reply.Acknowledged(
                        FragmentAck.declining(header, new BitSet(), FragmentAck.Outcome.UNREAD),
                        creditBytes);
    }

    private Reply acknowledged(
            Request.Fragment request, byte[] bulk, int bulkLength, int creditBytes) {
        FragmentAck ack =
                served.regions().fragment(request.loadId(), request.header(), bulk, bulkLength);
        return new Reply.Acknowledged(ack, creditBytes);
    }

    /** The CPU time of this server's connections goes to the load that finishes. */
    private Reply finish(Request.Finish request) {
        if (request.regionIds().isEmpty()) {
            throw PenstockException.usage(
                    "a request to finish load " + request.loadId() + " names no region");
        }
        List<RegionReceipt> receipts =
                served.regions().finish(request.loadId(), request.regionIds());
        receipts.getFirst().times().add(StepName.TRANSFER, transport.takeCpuNanos());
        return new Reply.Receipts(receipts);
    }

    /** Never 0, which means none. */
    static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        int value = (int) crc.getValue();
        return value == 0 ? 1 : value;
    }

    private MetadataService metadata() {
        return served.metadata()
                .orElseThrow(() ->
                        new PenstockException(
                                ErrorCategory.REROUTE,
                                "this server is not the leader; " + served.leader().get() + " is"));
    }

    private static Reply done(Runnable call) {
        call.run();
        return new Reply.Done();
    }

    private static String describe(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        return e + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
