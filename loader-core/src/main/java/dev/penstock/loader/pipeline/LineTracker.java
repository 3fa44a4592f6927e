package dev.penstock.loader.pipeline;

import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.report.LineFinder;
import dev.penstock.reject.Reject;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts lines while the text is at hand, for inputs that cannot be read again: rejects from them
 * get their line within the chunk. Costs nothing for files. Owned by one thread.
 */
final class LineTracker {
    private final LineFinder lines;
    private @Nullable Chunk current;
    private int countedTo;
    private long counted;

    LineTracker(LineFinder lines) {
        this.lines = lines;
    }

    void begin(Chunk chunk) {
        current = null;
        if (lines.isPipe(chunk.source())) {
            current = chunk;
            countedTo = chunk.from();
            counted = 0;
            long all = lines.countLines(chunk.text(), chunk.from(), chunk.to());
            lines.addPipeChunk(chunk.chunkId(), chunk.source(), all);
        }
    }

    /** The same rejects, with their line within the chunk where it must be known now. */
    List<Reject> withLines(List<Reject> rejects) {
        Chunk chunk = current;
        if (chunk == null) {
            return rejects;
        }
        List<Reject> known = new ArrayList<>();
        for (Reject reject : rejects) {
            int at = chunk.from() + (int) (reject.bytePosition() - chunk.position());
            if (at < countedTo) {
                countedTo = chunk.from();
                counted = 0;
            }
            counted += lines.countLines(chunk.text(), countedTo, at);
            countedTo = at;
            known.add(reject.withLine(counted + 1));
        }
        return known;
    }
}
