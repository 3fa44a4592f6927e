package dev.penstock.kv.wire;

import dev.penstock.error.PenstockException;

/** What a frame holds. The code is the type byte on the wire and never changes its meaning. */
public enum MessageType {
    HELLO(1),
    PING(2),
    FAILURE(3),

    // Requests to a region server
    CREATE_REGIONS(16),
    DROP_REGION(17),
    CLOSE_IF_EMPTY(18),
    PUT(19),
    DELETE(20),
    GET(21),
    OPEN_SCAN(22),
    NEXT_ROWS(23),
    CLOSE_SCAN(24),
    COUNT(25),
    CHECKSUM(26),
    OPEN_LOAD(27),
    FRAGMENT(28),
    FINISH(29),
    INSTALL(30),
    DISCARD(31),
    SERVER_STATUS(32),
    AGGREGATE(33),
    REVOKE_LEASE(34),
    FIRST_PRESENT(35),
    INSERT(36),
    FORCE_LOAD(37),
    CHECK_WRITE(38),

    // Requests to the leader
    CREATE_TABLE(48),
    DROP_TABLE(49),
    TABLES(50),
    TABLE(51),
    REGIONS(52),
    PRE_SPLIT(53),
    BEGIN_LOAD(54),
    LOAD(55),
    PUBLISH(56),
    ABORT(57),
    LOAD_STATE(58),
    EPOCH(59),
    PUBLISHED_SINCE(60),
    JOIN(61),
    SERVERS(62),
    CLUSTER_STATUS(63),
    LABELLED(64),
    RUNNING_LOADS(65),
    RESUME_LOAD(66),
    RELEASE_LOAD(67),
    CHECKPOINT(68),
    CHECKPOINTS(69),
    SIGN_OF_LIFE(70),
    REPORT(71),

    // Replies
    DONE(96),
    FLAG(97),
    LONG_VALUE(98),
    ROW(99),
    ROWS(100),
    REGION_CHECKSUM(101),
    ACKNOWLEDGED(102),
    RECEIPTS(103),
    REGION_SERVER_STATUS(104),
    TABLE_LIST(105),
    REGION_LIST(106),
    LOAD_DESCRIPTOR(107),
    STATE(108),
    PUBLISHED_LOADS(109),
    JOINED(110),
    SERVER_LIST(111),
    CLUSTER(112),
    AGGREGATES(113),
    LABELLED_LOADS(114),
    LOAD_LIST(115),
    CHECKPOINT_LIST(116),
    REPORTED(117);

    private static final MessageType[] BY_CODE = byCode();

    private final int code;

    MessageType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The type with that code; others are refused as corrupt. */
    public static MessageType of(int code) {
        MessageType type = code < 0 || code >= BY_CODE.length ? FAILURE : BY_CODE[code];
        if (type.code != code) {
            throw PenstockException.corrupt("there is no message type " + code);
        }
        return type;
    }

    private static MessageType[] byCode() {
        MessageType[] types = new MessageType[128];
        java.util.Arrays.fill(types, FAILURE);
        for (MessageType type : values()) {
            types[type.code] = type;
        }
        return types;
    }
}
