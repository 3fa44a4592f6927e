package dev.penstock.cli.resume;

import dev.penstock.kv.Penstock;
import dev.penstock.step.ChunkText;
import dev.penstock.step.StepTimes;
import dev.penstock.target.AckListener;
import dev.penstock.target.FinishListener;
import dev.penstock.target.ForwardingLoadTarget;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.RegionMap;
import dev.penstock.target.RegionReceipt;
import dev.penstock.target.TextFile;
import dev.penstock.target.UnfinishedLoad;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A store whose loader dies at a certain moment: from then on it says nothing to the store any
 * more, neither that it stops nor that it gives up.
 */
final class MortalTarget extends ForwardingLoadTarget {
    /** What a dead loader still throws within this process. */
    static final class Death extends RuntimeException {
        private static final long serialVersionUID = 1;

        Death(String when) {
            super("died " + when);
        }
    }

    /** Moments of a load. */
    enum Moment {
        /** A chunk has been sent, and nothing of it is durable for certain. */
        SENT,
        /** A chunk is about to be recorded: all its fragments are durable. */
        DURABLE,
        /** A chunk has been recorded. */
        RECORDED,
        /** All chunks are recorded, and merging has not begun. */
        MERGE,
        /** All regions are prepared. */
        PUBLISH
    }

    private final Moment moment;
    private final Runnable atDeath;
    private final AtomicInteger left;
    private final AtomicInteger recorded = new AtomicInteger();
    private final boolean mortal;
    private volatile boolean sendsText;
    private volatile boolean dead;
    private volatile @Nullable LoadTicket ticket;

    /**
     * @param count dies when the moment comes for this time, from 1; 0 for never
     * @param atDeath looks at the store
     */
    MortalTarget(Penstock store, Moment moment, int count, Runnable atDeath) {
        this(store, moment, count, atDeath, true);
    }

    private MortalTarget(
            Penstock store, Moment moment, int count, Runnable atDeath, boolean mortal) {
        super(store.loadTarget());
        this.mortal = mortal;
        this.moment = moment;
        this.left = new AtomicInteger(count);
        this.atDeath = atDeath;
    }

    /** One whose loader does something the first time that the moment comes, and lives. */
    static MortalTarget observed(Penstock store, Moment moment, Runnable event) {
        return new MortalTarget(store, moment, 1, event, false);
    }

    /** Its loader takes the servers for ready for text. */
    MortalTarget sendingText() {
        sendsText = true;
        return this;
    }

    /** What the workers were given. */
    LoadTicket ticket() {
        return Objects.requireNonNull(ticket);
    }

    /** Entries that were recorded. */
    int recorded() {
        return recorded.get();
    }

    private void come(Moment now) {
        if (dead) {
            throw new Death("before");
        }
        if (now == moment && left.decrementAndGet() == 0) {
            dead = mortal;
            atDeath.run();
            if (mortal) {
                throw new Death("at " + now);
            }
        }
    }

    @Override
    public LoadSession begin(LoadRequest request, AckListener listener) {
        return new Session(super.begin(request, listener));
    }

    @Override
    public LoadSession resume(
            UnfinishedLoad load, AckListener listener, Consumer<byte[]> checkpoints) {
        return new Session(super.resume(load, listener, checkpoints));
    }

    @Override
    public void close() {}

    private final class Session implements LoadSession {
        private final LoadSession session;

        Session(LoadSession session) {
            this.session = session;
        }

        @Override
        public String loadId() {
            return session.loadId();
        }

        @Override
        public long loadOrdinal() {
            return session.loadOrdinal();
        }

        @Override
        public LoadTicket invite() {
            LoadTicket invited = session.invite();
            ticket = invited;
            return invited;
        }

        @Override
        public RegionMap regions() {
            return session.regions();
        }

        @Override
        public void send(FragmentHeader header, byte[] payload, int length) {
            session.send(header, payload, length);
        }

        @Override
        public TextUse textUse() {
            return sendsText ? TextUse.ALL : TextUse.NONE;
        }

        @Override
        public boolean canSpread() {
            return session.canSpread();
        }

        @Override
        public int fileTextBytes() {
            return session.fileTextBytes();
        }

        @Override
        public long sendText(FragmentHeader header, ChunkText text, TextFile file, Runnable done) {
            return session.sendText(header, text, file, done);
        }

        @Override
        public void flush() {
            session.flush();
        }

        @Override
        public void settle(int chunkId) {
            come(Moment.SENT);
            session.settle(chunkId);
            come(Moment.DURABLE);
        }

        @Override
        public void checkpoint(byte[] entry) {
            session.checkpoint(entry);
            recorded.incrementAndGet();
            come(Moment.RECORDED);
        }

        @Override
        public StepTimes transferTimes() {
            return session.transferTimes();
        }

        @Override
        public List<RegionReceipt> finish(FinishListener listener) {
            come(Moment.MERGE);
            return session.finish(listener);
        }

        @Override
        public long publish(String report) {
            come(Moment.PUBLISH);
            return session.publish(report);
        }

        @Override
        public void abort() {
            if (!dead) {
                session.abort();
            }
        }

        @Override
        public void suspend() {
            if (!dead) {
                session.suspend();
            }
        }

        @Override
        public void close() {
            if (!dead) {
                session.close();
            }
        }
    }
}
