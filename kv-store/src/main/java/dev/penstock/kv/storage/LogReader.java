package dev.penstock.kv.storage;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.bytes.MemoryCopy;
import dev.penstock.error.PenstockException;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Reads a log from its start. A record that does not check out ends the log unless something valid
 * after it says that it had been forced: then it was acknowledged, and the log is refused as
 * corrupt. Otherwise it was being written when the machine stopped, and nobody was told that it was
 * kept.
 */
public final class LogReader {
    /** Bytes after damage that are searched at a time. */
    static final int SEARCH_BYTES = 1 << 16;

    /** Receives the records in order. */
    @FunctionalInterface
    public interface Consumer {
        void record(long sequence, byte[] payload);
    }

    /**
     * What was read.
     *
     * @param length bytes up to the end of the last valid record or seal
     */
    public record Outcome(long lastSequence, long length) {}

    /**
     * A place in a log.
     *
     * @param records so many are before it
     * @param position its byte
     */
    public record Place(long records, long position) {
        /** Before the first record. */
        public static final Place START = new Place(0, LogDescriptor.HEADER_BYTES);
    }

    private final Path path;
    private final LogKind kind;
    private final long identity;
    private final MemorySegment bytes;
    private long expected = 1;

    /** Records up to this one were forced by whoever wrote the log. */
    private long forced;

    /** The end of the last record that was; what follows it, a seal too, may not have been. */
    private long forcedEnd = LogDescriptor.HEADER_BYTES;

    private LogReader(Path path, LogKind kind, long identity, MemorySegment bytes) {
        this.path = path;
        this.kind = kind;
        this.identity = identity;
        this.bytes = bytes;
    }

    /**
     * Reads all records and cuts off a torn tail. What the consumer is given will survive: a
     * process that was killed, or that failed to force, may have left records that only the page
     * cache has, and nobody may see a row that a power cut could still take back.
     */
    public static Outcome recover(
            Storage storage, Path path, LogKind kind, long identity, Consumer consumer) {
        makeCertain(storage, path, kind, identity);
        Outcome outcome;
        long size;
        try (MappedFile file = storage.map(path)) {
            size = file.bytes().byteSize();
            outcome = new LogReader(path, kind, identity, file.bytes()).read(consumer);
        }
        if (outcome.length() < size) {
            storage.truncate(path, outcome.length());
        }
        return outcome;
    }

    /**
     * Writes records that nothing in the log calls forced once more, as they are: whoever wrote
     * them may have failed to force them, and then a force would do nothing. Where they are, so
     * that it takes no room; what was forced in the same blocks stays what it is.
     */
    private static void makeCertain(Storage storage, Path path, LogKind kind, long identity) {
        long from;
        long to;
        try (MappedFile file = storage.map(path)) {
            LogReader reader = new LogReader(path, kind, identity, file.bytes());
            if (reader.endsForced()) {
                return;
            }
            Outcome outcome = reader.read((sequence, payload) -> {});
            if (reader.forced >= outcome.lastSequence()) {
                return;
            }
            from = reader.forcedEnd;
            to = outcome.length();
        }
        storage.rewrite(path, from, to);
    }

    /** Whether a seal at the end says that all is forced; most logs need not be read for that. */
    private boolean endsForced() {
        long seal = bytes.byteSize() - LogDescriptor.RECORD_HEADER_BYTES;
        return saysAllForced(bytes, seal) && validFrame(seal).length > 0;
    }

    /** Whether the last bytes of a log, from {@code seal} on, are a seal that says so. */
    private static boolean saysAllForced(MemorySegment log, long seal) {
        return seal >= LogDescriptor.HEADER_BYTES
                && fieldLength(log, seal) == LogDescriptor.SEAL
                && longAt(log, seal + LogDescriptor.FORCED)
                        == longAt(log, seal + LogDescriptor.SEQUENCE);
    }

    /**
     * Reads records on from a place of a log that was recovered and is appended to since.
     *
     * @param last the last record that is there for certain
     * @param most ends with the record that makes it more bytes than this
     * @return the place after the last record that was read
     * @throws PenstockException of category {@code CORRUPT} if a record up to the last is damaged
     */
    static Place readOn(
            Storage storage,
            Path path,
            LogKind kind,
            long identity,
            Place from,
            long last,
            int most,
            Consumer consumer) {
        try (MappedFile file = storage.map(path)) {
            LogReader reader = new LogReader(path, kind, identity, file.bytes());
            reader.expected = from.records() + 1;
            return reader.readOn(from, last, most, consumer);
        }
    }

    private Place readOn(Place from, long last, int most, Consumer consumer) {
        long at = from.position();
        Place place = from;
        while (expected <= last && at - from.position() <= most) {
            byte[] frame = validFrame(at);
            if (frame.length == 0) {
                throw damaged(at);
            }
            long sequence = ByteAccess.getLong(frame, LogDescriptor.SEQUENCE);
            boolean seal = fieldLength(at) == LogDescriptor.SEAL;
            if (sequence != (seal ? expected - 1 : expected)) {
                throw damaged(at);
            }
            at += frame.length;
            if (!seal) {
                consumer.record(expected, payload(frame));
                place = new Place(expected, at);
                expected++;
            }
        }
        return place;
    }

    private static void force(Storage storage, Path path) {
        try (StorageFile file = storage.append(path)) {
            file.force();
        }
    }

    /**
     * How much of a log is durable for certain: all before a seal at its end that says so, or else
     * everything, as the log is forced now. A seal does not say so if a record was appended during
     * the force that it follows.
     */
    static long forceEnd(Storage storage, Path path) {
        long size;
        try (MappedFile file = storage.map(path)) {
            size = file.bytes().byteSize();
            long seal = size - LogDescriptor.RECORD_HEADER_BYTES;
            if (saysAllForced(file.bytes(), seal)) {
                return seal;
            }
        }
        force(storage, path);
        return size;
    }

    private Outcome read(Consumer consumer) {
        checkHeader();
        long at = LogDescriptor.HEADER_BYTES;
        long recordEnd = at;
        while (at < bytes.byteSize()) {
            int length = fieldLength(at);
            byte[] frame = validFrame(at);
            if (frame.length == 0) {
                break;
            }
            long sequence = ByteAccess.getLong(frame, LogDescriptor.SEQUENCE);
            forced = Math.max(forced, ByteAccess.getLong(frame, LogDescriptor.FORCED));
            if (forced == expected - 1) {
                forcedEnd = recordEnd;
            }
            if (length == LogDescriptor.SEAL && sequence == expected - 1) {
                at += frame.length;
            } else if (length >= 0 && sequence == expected) {
                consumer.record(expected, payload(frame));
                expected++;
                at += frame.length;
                recordEnd = at;
            } else {
                break;
            }
        }
        refuseIfForced(at);
        return new Outcome(expected - 1, at);
    }

    private void checkHeader() {
        byte[] wanted = LogDescriptor.header(kind, identity);
        if (bytes.byteSize() < wanted.length) {
            throw PenstockException.corrupt(path + " ends within its header");
        }
        if (longAt(0) != LogDescriptor.MAGIC) {
            throw PenstockException.corrupt(path + " is damaged at byte 0: it is no log");
        }
        int version = intAt(bytes, 12);
        long damage = MemorySegment.ofArray(wanted).mismatch(bytes.asSlice(0, wanted.length));
        if (damage != -1) {
            throw PenstockException.corrupt(
                    path
                            + " is damaged at byte "
                            + damage
                            + ": its header (format version "
                            + version
                            + ") is not the one it should have");
        }
    }

    private int fieldLength(long at) {
        boolean whole = bytes.byteSize() - at >= LogDescriptor.RECORD_HEADER_BYTES;
        return whole ? fieldLength(bytes, at) : Integer.MIN_VALUE;
    }

    private static int fieldLength(MemorySegment log, long at) {
        return intAt(log, at + LogDescriptor.LENGTH);
    }

    // By copies of a few bytes: what Java makes for its accesses to memory itself takes every
    // command that opens a store some milliseconds.

    private static int intAt(MemorySegment log, long at) {
        byte[] field = new byte[Integer.BYTES];
        MemoryCopy.read(log, at, field);
        return ByteAccess.getInt(field, 0);
    }

    private long longAt(long at) {
        return longAt(bytes, at);
    }

    private static long longAt(MemorySegment log, long at) {
        byte[] field = new byte[Long.BYTES];
        MemoryCopy.read(log, at, field);
        return ByteAccess.getLong(field, 0);
    }

    /** The record or seal at that position with its header, or nothing if there is no valid one. */
    private byte[] validFrame(long at) {
        int length = fieldLength(at);
        long room = bytes.byteSize() - at - LogDescriptor.RECORD_HEADER_BYTES;
        if (length < LogDescriptor.SEAL
                || length > LogDescriptor.MAX_PAYLOAD_BYTES
                || length > room) {
            return new byte[0];
        }
        byte[] frame = new byte[LogDescriptor.RECORD_HEADER_BYTES + Math.max(0, length)];
        MemoryCopy.read(bytes, at, frame);
        int checksum = LogDescriptor.checksum(frame, 0, kind, identity);
        return checksum == ByteAccess.getInt(frame, LogDescriptor.CHECKSUM) ? frame : new byte[0];
    }

    private static byte[] payload(byte[] frame) {
        return java.util.Arrays.copyOfRange(frame, LogDescriptor.RECORD_HEADER_BYTES, frame.length);
    }

    /**
     * Looks for anything valid after {@code bad} that says the record expected there was forced.
     */
    private void refuseIfForced(long bad) {
        long end = bytes.byteSize() - LogDescriptor.RECORD_HEADER_BYTES + 1;
        byte[] window = new byte[SEARCH_BYTES + LogDescriptor.RECORD_HEADER_BYTES];
        for (long from = bad + 1; from < end; from += SEARCH_BYTES) {
            int count = (int) Math.min(SEARCH_BYTES, end - from);
            int read = count - 1 + LogDescriptor.RECORD_HEADER_BYTES;
            MemoryCopy.read(bytes, from, window, 0, read);
            for (int i = 0; i < count; i++) {
                if (saysForced(window, i) && validFrame(from + i).length > 0) {
                    throw damaged(bad);
                }
            }
        }
    }

    /** Whether what may be a record's header says that the record expected was forced. */
    private boolean saysForced(byte[] window, int at) {
        long sequence = ByteAccess.getLong(window, at + LogDescriptor.SEQUENCE);
        long forced = ByteAccess.getLong(window, at + LogDescriptor.FORCED);
        return forced >= expected && forced <= sequence && sequence - expected < 1L << 32;
    }

    private PenstockException damaged(long at) {
        return PenstockException.corrupt(
                path
                        + " is damaged at byte "
                        + at
                        + ": record "
                        + expected
                        + " does not match its checksum");
    }
}
