package dev.penstock.reject;

/**
 * A key that more rows have than may, as a region names it: only the loader can find the records.
 * Travels with a region's other rejects.
 *
 * @param key as a {@link dev.penstock.key.KeyCodec} writes it
 * @param text the key for a reader
 * @param stored whether the table has the key already; else the load has it more than once
 */
public record DuplicateKey(byte[] key, String text, boolean stored) {
    /** Most keys that a region names: its answer has to fit into one message and one log record. */
    public static final int MAX_PER_REGION = 16_384;

    /** Most bytes of keys that a region names. */
    public static final int MAX_BYTES_PER_REGION = 2 << 20;

    /** No input has this index, so a key is told from a record that was rejected. */
    private static final int NO_SOURCE = -1;

    private static final long STORED = 1;
    private static final long MORE = 2;

    public Reject toReject() {
        return new Reject(
                RejectReason.DUPLICATE_KEY,
                NO_SOURCE,
                stored ? STORED : 0,
                Reject.LINE_UNKNOWN,
                "",
                text,
                "",
                key);
    }

    /** Says that a region has more such keys than it names. */
    public static Reject more() {
        return new Reject(
                RejectReason.DUPLICATE_KEY,
                NO_SOURCE,
                MORE,
                Reject.LINE_UNKNOWN,
                "",
                "",
                "",
                new byte[0]);
    }

    public static boolean isMore(Reject reject) {
        return is(reject) && reject.bytePosition() == MORE;
    }

    public static boolean is(Reject reject) {
        return reject.reason() == RejectReason.DUPLICATE_KEY && reject.sourceIndex() == NO_SOURCE;
    }

    /** What {@link #toReject} wrote. */
    public static DuplicateKey of(Reject reject) {
        return new DuplicateKey(reject.record(), reject.value(), reject.bytePosition() == STORED);
    }
}
