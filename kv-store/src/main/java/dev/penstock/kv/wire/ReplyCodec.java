package dev.penstock.kv.wire;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadState;

/** Replies as the message part of a frame. */
public final class ReplyCodec {
    private ReplyCodec() {}

    public static MessageType typeOf(Reply reply) {
        return switch (reply) {
            case Reply.Failure _ -> MessageType.FAILURE;
            case Reply.Pong _ -> MessageType.PING;
            case Reply.Done _ -> MessageType.DONE;
            case Reply.Flag _ -> MessageType.FLAG;
            case Reply.LongValue _ -> MessageType.LONG_VALUE;
            case Reply.Row _ -> MessageType.ROW;
            case Reply.Rows _ -> MessageType.ROWS;
            case Reply.Aggregates _ -> MessageType.AGGREGATES;
            case Reply.Checksum _ -> MessageType.REGION_CHECKSUM;
            case Reply.Acknowledged _ -> MessageType.ACKNOWLEDGED;
            case Reply.Receipts _ -> MessageType.RECEIPTS;
            case Reply.ServerStatus _ -> MessageType.REGION_SERVER_STATUS;
            case Reply.Tables _ -> MessageType.TABLE_LIST;
            case Reply.Regions _ -> MessageType.REGION_LIST;
            case Reply.Load _ -> MessageType.LOAD_DESCRIPTOR;
            case Reply.Loads _ -> MessageType.LOAD_LIST;
            case Reply.Checkpoints _ -> MessageType.CHECKPOINT_LIST;
            case Reply.State _ -> MessageType.STATE;
            case Reply.Published _ -> MessageType.PUBLISHED_LOADS;
            case Reply.Labelled _ -> MessageType.LABELLED_LOADS;
            case Reply.Joined _ -> MessageType.JOINED;
            case Reply.Reported _ -> MessageType.REPORTED;
            case Reply.Servers _ -> MessageType.SERVER_LIST;
            case Reply.Cluster _ -> MessageType.CLUSTER;
        };
    }

    public static void put(Reply reply, ByteBuilder out) {
        switch (reply) {
            case Reply.Pong _, Reply.Done _ -> {}
            case Reply.Failure r -> {
                Fields.putConstant(r.category(), out);
                out.putString(r.message()).putBytes(r.key());
            }
            case Reply.Flag r -> Fields.putBoolean(r.value(), out);
            case Reply.LongValue r -> out.putLong(r.value());
            case Reply.Row r -> Fields.putList(r.row(), out, BatchCodec::put);
            case Reply.Rows r -> {
                out.putLong(r.cursorId());
                Fields.putBoolean(r.more(), out);
                Fields.putList(r.batches(), out, BatchCodec::put);
            }
            case Reply.Aggregates r -> AggregateCodec.putResult(r.result(), out);
            case Reply.Checksum r -> DescriptorCodec.putChecksum(r.checksum(), out);
            case Reply.Acknowledged r -> {
                out.putLong(r.creditBytes());
                TargetCodec.putAck(r.ack(), out);
            }
            case Reply.Receipts r -> Fields.putList(r.receipts(), out, TargetCodec::putReceipt);
            case Reply.ServerStatus r -> DescriptorCodec.putServerStatus(r.status(), out);
            case Reply.Tables r -> Fields.putList(r.tables(), out, DescriptorCodec::putTable);
            case Reply.Regions r ->
                    Fields.putList(r.regions(), out, DescriptorCodec::putAssignment);
            case Reply.Load r -> DescriptorCodec.putLoad(r.load(), out);
            case Reply.Loads r -> Fields.putList(r.loads(), out, DescriptorCodec::putRunning);
            case Reply.Checkpoints r -> Fields.putList(r.entries(), out, Fields::putBytes);
            case Reply.State r -> Fields.putConstant(r.state(), out);
            case Reply.Published r -> DescriptorCodec.putPage(r.page(), out);
            case Reply.Labelled r -> Fields.putList(r.loads(), out, DescriptorCodec::putLabelled);
            case Reply.Joined r -> {
                DescriptorCodec.putHosted(r.reply().regions(), out);
                DescriptorCodec.putReport(r.reply().report(), out);
            }
            case Reply.Reported r -> DescriptorCodec.putReport(r.reply(), out);
            case Reply.Servers r -> Fields.putList(r.servers(), out, DescriptorCodec::putServer);
            case Reply.Cluster r -> DescriptorCodec.putCluster(r.status(), out);
        }
    }

    /** The reply in the message part of a frame; anything else is refused as corrupt. */
    public static Reply get(MessageType type, ByteParser in) {
        Reply reply = read(type, in);
        in.expectEnd();
        return reply;
    }

    private static Reply read(MessageType type, ByteParser in) {
        return switch (type) {
            case FAILURE ->
                    new Reply.Failure(
                            Fields.getConstant(ErrorCategory.values(), in),
                            in.getString(),
                            in.getBytes());
            case PING -> new Reply.Pong();
            case DONE -> new Reply.Done();
            case FLAG -> new Reply.Flag(Fields.getBoolean(in));
            case LONG_VALUE -> new Reply.LongValue(in.getLong());
            case ROW -> new Reply.Row(Fields.getList(in, 8, BatchCodec::get));
            case ROWS ->
                    new Reply.Rows(
                            in.getLong(),
                            Fields.getBoolean(in),
                            Fields.getList(in, 8, BatchCodec::get));
            case AGGREGATES -> new Reply.Aggregates(AggregateCodec.getResult(in));
            case REGION_CHECKSUM -> new Reply.Checksum(DescriptorCodec.getChecksum(in));
            case ACKNOWLEDGED -> {
                long credit = in.getLong();
                yield new Reply.Acknowledged(TargetCodec.getAck(in), credit);
            }
            case RECEIPTS -> new Reply.Receipts(Fields.getList(in, 40, TargetCodec::getReceipt));
            case REGION_SERVER_STATUS ->
                    new Reply.ServerStatus(DescriptorCodec.getServerStatus(in));
            case TABLE_LIST -> new Reply.Tables(Fields.getList(in, 16, DescriptorCodec::getTable));
            case REGION_LIST ->
                    new Reply.Regions(Fields.getList(in, 32, DescriptorCodec::getAssignment));
            case LOAD_DESCRIPTOR -> new Reply.Load(DescriptorCodec.getLoad(in));
            case LOAD_LIST -> new Reply.Loads(Fields.getList(in, 42, DescriptorCodec::getRunning));
            case CHECKPOINT_LIST ->
                    new Reply.Checkpoints(Fields.getList(in, 4, ByteParser::getBytes));
            case STATE -> new Reply.State(Fields.getConstant(LoadState.values(), in));
            case PUBLISHED_LOADS -> new Reply.Published(DescriptorCodec.getPage(in));
            case LABELLED_LOADS ->
                    new Reply.Labelled(Fields.getList(in, 16, DescriptorCodec::getLabelled));
            case JOINED ->
                    new Reply.Joined(
                            new JoinReply(
                                    DescriptorCodec.getHosted(in), DescriptorCodec.getReport(in)));
            case REPORTED -> new Reply.Reported(DescriptorCodec.getReport(in));
            case SERVER_LIST ->
                    new Reply.Servers(Fields.getList(in, 8, DescriptorCodec::getServer));
            case CLUSTER -> new Reply.Cluster(DescriptorCodec.getCluster(in));
            case HELLO,
                    CREATE_REGIONS,
                    DROP_REGION,
                    CLOSE_IF_EMPTY,
                    PUT,
                    DELETE,
                    GET,
                    OPEN_SCAN,
                    NEXT_ROWS,
                    CLOSE_SCAN,
                    COUNT,
                    CHECKSUM,
                    OPEN_LOAD,
                    FRAGMENT,
                    FINISH,
                    INSTALL,
                    DISCARD,
                    SERVER_STATUS,
                    AGGREGATE,
                    REVOKE_LEASE,
                    FIRST_PRESENT,
                    INSERT,
                    FORCE_LOAD,
                    CHECK_WRITE,
                    CREATE_TABLE,
                    DROP_TABLE,
                    TABLES,
                    TABLE,
                    REGIONS,
                    PRE_SPLIT,
                    BEGIN_LOAD,
                    LOAD,
                    PUBLISH,
                    ABORT,
                    LOAD_STATE,
                    EPOCH,
                    PUBLISHED_SINCE,
                    JOIN,
                    SERVERS,
                    CLUSTER_STATUS,
                    LABELLED,
                    RUNNING_LOADS,
                    RESUME_LOAD,
                    RELEASE_LOAD,
                    CHECKPOINT,
                    CHECKPOINTS,
                    SIGN_OF_LIFE,
                    REPORT ->
                    throw PenstockException.corrupt(type + " is no reply");
        };
    }
}
