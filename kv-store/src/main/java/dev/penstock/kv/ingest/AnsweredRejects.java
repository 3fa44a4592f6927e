package dev.penstock.kv.ingest;

import dev.penstock.error.PenstockException;
import dev.penstock.reject.Reject;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.FragmentAck.Outcome;
import dev.penstock.target.FragmentHeader;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/** Rejects of one answer to a loader, as many as a message can carry. */
final class AnsweredRejects {
    /** Leaves room in a message for all else. */
    static final int MAX_BYTES = 48 << 20;

    /** A reject's numbers and lengths, and what a list of them takes. */
    private static final int OVERHEAD_BYTES = 64;

    /** Bytes of a character, at most. */
    private static final int CHAR_BYTES = 3;

    private final Consumer<Reject> room;
    private final List<Reject> rejects = new ArrayList<>();
    private long bytes;

    /** Of an answer that nobody keeps. */
    AnsweredRejects() {
        this(_ -> {});
    }

    /** Of a chunk's text, which is declined when there is one. */
    static AnsweredRejects declining() {
        return new AnsweredRejects(_ -> {
            throw new Declined("a record is no row", Outcome.DECLINED);
        });
    }

    /** Ends the steps of a chunk's text, which is the loader's then. */
    static final class Declined extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Outcome outcome;

        Declined(String why, Outcome outcome) {
            super(why, null, false, false);
            this.outcome = outcome;
        }

        /** The answer to the loader. */
        FragmentAck answer(FragmentHeader header, BitSet plainColumns) {
            return FragmentAck.declining(header, plainColumns, outcome);
        }
    }

    /**
     * @param room is asked before one is added, and throws if it has none
     */
    AnsweredRejects(Consumer<Reject> room) {
        this.room = room;
    }

    /**
     * Adds one.
     *
     * @throws PenstockException of category DATA if they become too many
     */
    void add(Reject reject) {
        int chars =
                reject.columnName().length() + reject.value().length() + reject.expected().length();
        bytes += OVERHEAD_BYTES + (long) CHAR_BYTES * chars + reject.record().length;
        if (bytes > MAX_BYTES) {
            throw PenstockException.data(
                    "A server found more bad records than its answer can hold ("
                            + (MAX_BYTES >> 20)
                            + " MiB); nothing was loaded. Have the loader find them (--offload"
                            + " select and no --cut raw), or use a smaller --chunk-size.");
        }
        room.accept(reject);
        rejects.add(reject);
    }

    List<Reject> list() {
        return rejects;
    }
}
