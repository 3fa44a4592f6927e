package dev.penstock.kv.meta;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

/**
 * The way of a change into the leader's log and then into its state. A record whose force fails may
 * be in the log or not, and only the next start can tell; a state in which a change was not made
 * whole, as memory was used up, is none to go on from. From then on the leader is in doubt: it
 * changes nothing any more, and what it was about to change stays closed. Called under the lock of
 * changes, but for {@link #isInDoubt} and {@link #check}.
 */
final class Recorder {
    private final MetadataLog log;
    private final MetadataState state;
    private volatile @Nullable Throwable doubt;

    Recorder(MetadataLog log, MetadataState state) {
        this.log = log;
        this.state = state;
    }

    /**
     * Makes a change; it will survive on return.
     *
     * @throws PenstockException of category {@code RETRY} if it is not known whether it will, else
     *     nothing has changed
     */
    void record(MetadataRecord metadataRecord) {
        check();
        boolean recorded = false;
        try {
            log.append(metadataRecord);
            recorded = true;
            state.apply(metadataRecord);
        } catch (RuntimeException | Error e) {
            if (!recorded && !log.isInDoubt()) {
                throw e;
            }
            doubt = e;
            throw inDoubt("it is not known whether this change was recorded, since", e);
        }
        log.shorten(state::snapshot);
    }

    /** Whether a change may be recorded or not. */
    boolean isInDoubt() {
        return doubt != null;
    }

    /**
     * Before servers are told of a change.
     *
     * @throws PenstockException of category {@code RETRY} if nothing is changed any more
     */
    void check() {
        Throwable failure = doubt;
        if (failure != null) {
            throw inDoubt("the leader changes nothing any more since", failure);
        }
    }

    private static PenstockException inDoubt(String what, Throwable failure) {
        boolean known = failure instanceof PenstockException;
        return new PenstockException(
                ErrorCategory.RETRY,
                what
                        + (known ? " the disk of its log has failed (" : " it has failed (")
                        + (known ? failure.getMessage() : failure)
                        + "); restart the leader's server, which reads from the log what was"
                        + " recorded",
                failure);
    }
}
