package dev.penstock.kv.region;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.segment.SegmentReader;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A region as one reader sees it: a view held open, the rows in memory that were visible at one
 * moment, and the layers of one epoch. Close it once; closing again does nothing.
 */
final class RegionSnapshot implements AutoCloseable {
    /** Files in a message. */
    private static final int MAX_NAMED = 8;

    private final RegionView view;
    private final List<Delta.Snapshot> deltas;
    private final List<Layer> layers;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RegionSnapshot(RegionView view, List<Delta.Snapshot> deltas, List<Layer> layers) {
        this.view = view;
        this.deltas = deltas;
        this.layers = layers;
    }

    /** Takes over the caller's hold on the view. */
    static RegionSnapshot of(RegionView view, long epoch, String region) {
        if (epoch < 0) {
            view.release();
            throw PenstockException.usage("there is no epoch " + epoch);
        }
        for (Layer layer : view.layers()) {
            if (layer.descriptor().merged() && layer.descriptor().epoch() > epoch) {
                view.release();
                throw new PenstockException(
                        ErrorCategory.RETRY,
                        "epoch "
                                + epoch
                                + " is older than what "
                                + region
                                + " keeps; read again at the latest epoch");
            }
        }
        List<Layer> layers =
                view.layers().stream()
                        .filter(layer -> layer.descriptor().epoch() <= epoch)
                        .toList();
        List<Delta.Snapshot> deltas =
                view.deltas().stream()
                        .filter(delta -> !delta.isEmpty())
                        .map(Delta::snapshot)
                        .toList();
        return new RegionSnapshot(view, deltas, layers);
    }

    /** What lies below the active rows, with changes that are not durable yet. */
    static RegionSnapshot belowActive(RegionView view) {
        List<Delta.Snapshot> frozen =
                view.deltas().stream().skip(1).map(Delta::everything).toList();
        return new RegionSnapshot(view, frozen, view.layers());
    }

    /** Newest first. */
    List<Delta.Snapshot> deltas() {
        return deltas;
    }

    /** Newest first. */
    List<Layer> layers() {
        return layers;
    }

    /**
     * What reading this answers. Java may throw the error of a mapped page some calls later than
     * where the page was touched: what is not caught there ends here, where it is known which files
     * were open.
     */
    <T> T read(Supplier<T> answer) {
        try {
            return answer.get();
        } catch (InternalError e) {
            throw unreadable(e);
        }
    }

    private PenstockException unreadable(InternalError e) {
        List<String> files =
                layers.stream()
                        .flatMap(layer -> layer.segments().stream())
                        .map(segment -> segment.path().toString())
                        .toList();
        if (files.isEmpty()) {
            throw e; // Of no file, so not of the disk.
        }
        String named = files.stream().limit(MAX_NAMED).collect(Collectors.joining(", "));
        int others = files.size() - MAX_NAMED;
        return SegmentReader.unreadable(
                (files.size() > 1 ? "one of " : "")
                        + named
                        + (others > 0 ? " and " + others + " more" : ""),
                e);
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            view.release();
        }
    }
}
