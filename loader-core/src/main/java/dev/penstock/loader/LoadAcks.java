package dev.penstock.loader;

import dev.penstock.loader.pipeline.LocalPipeline;
import dev.penstock.loader.pipeline.PlainColumns;
import dev.penstock.loader.pipeline.TextChunks;
import dev.penstock.loader.progress.ProgressMeter;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.target.FragmentAck;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;

/**
 * What a load's session says of fragments, from its threads: so whoever is told of the progress may
 * not hold these up. Phases: before the load's first chunk; {@link #begin}; {@link #end}, from when
 * on nothing counts. Thread-safe.
 */
final class LoadAcks {
    private final RejectLog rejects;
    private final ProgressMeter meter;
    private final Runnable stop;
    private volatile @Nullable PlainColumns plainColumns;
    private volatile TextChunks texts = TextChunks.NONE;
    private volatile boolean inline;
    private volatile boolean ended;

    /**
     * @param stop ends the load as bad records have become too many
     */
    LoadAcks(RejectLog rejects, ProgressMeter meter, Runnable stop) {
        this.rejects = rejects;
        this.meter = meter;
        this.stop = stop;
    }

    void begin(PlainColumns columns, TextChunks sent) {
        plainColumns = columns;
        texts = sent;
    }

    void end() {
        ended = true;
    }

    TextChunks texts() {
        return texts;
    }

    /** Whether the target works on the threads of whoever sends. */
    boolean inline() {
        return inline;
    }

    void acknowledged(FragmentAck ack) {
        if (ended) {
            return;
        }
        inline |= LocalPipeline.onLoaderThread();
        PlainColumns columns = plainColumns;
        if (columns != null) {
            columns.learn(ack);
        }
        texts.acknowledged(ack)
                .ifPresent(taken -> {
                    rejects.addRecords(taken.rows(), taken.textBytes());
                    meter.add(taken.rows(), taken.textBytes());
                    meter.tickAside();
                });
        if (!ack.rejects().isEmpty()) {
            meter.addRejects(ack.rejects().size());
            if (rejects.add(ack.chunkId(), new ArrayList<>(ack.rejects()))) {
                stop.run();
            }
        }
    }
}
