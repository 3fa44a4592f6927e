package dev.penstock.kv.ingest;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.storage.ReceiptBytes;
import dev.penstock.kv.storage.ReceiptBytes.Growth;
import dev.penstock.reject.DuplicateKey;
import dev.penstock.reject.Reject;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Memory for the rejects and named keys in the receipts of all loads at one server: these are kept
 * until their load is published, so that who asks for a receipt again gets the same. Thread-safe.
 *
 * <p>It is handed out in the order in which loads began. What is refused because of later loads may
 * wait for their end and keep what it has, if it can be resumed. What is refused because of earlier
 * ones ends, with which all of its receipts go, on other servers too. So a load waits for none that
 * began earlier, and loads cannot wait for one another in a circle, over any number of servers: the
 * latest of them would wait for none. The order is the leader's, the same everywhere and after a
 * restart.
 */
public final class ReceiptRoom {
    private final ReceiptBytes receipts;
    private final long maxBytes;
    private final Function<String, Optional<LoadDescriptor>> running;

    /**
     * @param receipts what they take, those too that an earlier process has made
     * @param running for messages; may ask the leader
     */
    public ReceiptRoom(
            ReceiptBytes receipts,
            long maxBytes,
            Function<String, Optional<LoadDescriptor>> running) {
        this.receipts = receipts;
        this.maxBytes = maxBytes;
        this.running = running;
    }

    /** For a receipt that is going to be made; used by one thread. */
    Share share(LoadDescriptor load, long regionId) {
        return new Share(load, regionId);
    }

    /** The room of one receipt, until the journal ends it or it is given back. */
    final class Share {
        private final LoadDescriptor load;
        private final long regionId;

        private Share(LoadDescriptor load, long regionId) {
            this.load = load;
            this.regionId = regionId;
        }

        /**
         * Takes room for one more.
         *
         * @throws PenstockException if there is none: of category CONFLICT if there would be some
         *     but for loads that began later, else DATA, which ends loads that can be resumed too
         */
        void take(Reject reject) {
            long bytes = ReceiptBytes.of(reject);
            boolean key = DuplicateKey.is(reject);
            switch (receipts.grow(load.loadId(), load.ordinal(), regionId, bytes, maxBytes)) {
                case Growth.Grown _ -> {}
                case Growth.TooMuch _ -> throw tooMuch(key);
                case Growth.Behind behind -> throw behind(key, behind, load);
            }
        }

        /** The receipt will not be made. */
        void giveBack() {
            receipts.remove(load.loadId(), regionId);
        }
    }

    private PenstockException tooMuch(boolean key) {
        return PenstockException.data(
                found(key)
                        + "; nothing was loaded. "
                        + (key
                                ? "Leave such rows out with --on-duplicate keep-first or"
                                        + " keep-last."
                                : "Have the loader find them with --offload select."));
    }

    private PenstockException behind(boolean key, Growth.Behind behind, LoadDescriptor load) {
        LoadsInTheWay others = new LoadsInTheWay(behind.loadIds(), load, running);
        String message =
                found(key)
                        + " beside those of "
                        + others.names()
                        + ", which began "
                        + (behind.earlier() ? "earlier; nothing was loaded. " : "later. ")
                        + others.advice();
        return new PenstockException(
                behind.earlier() ? ErrorCategory.DATA : ErrorCategory.CONFLICT, message);
    }

    private String found(boolean key) {
        return String.format(
                Locale.ROOT,
                "A server found more %s than it can hold until the load is published (%d MiB)",
                key ? "keys of duplicate rows" : "bad records",
                maxBytes >> 20);
    }
}
