package dev.penstock.loader.pipeline;

import dev.penstock.loader.file.Chunk;
import dev.penstock.loader.file.ChunkReader;
import dev.penstock.loader.file.ChunkSupply;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.report.LineFinder;
import dev.penstock.loader.report.RejectMessage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the first records of the key are that a load failed for, in words: regions know keys and
 * not where rows came from, so the inputs are read once more, up to the second such record.
 */
public final class KeyPlaces {
    /** Records that are named: one, and another one that has its key. */
    private static final int MAX_PLACES = 2;

    /** After this the user has waited long enough for a message. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private KeyPlaces() {}

    /**
     * Of inputs that can be read again.
     *
     * @param key as it is encoded
     * @param chunks all of the inputs, in order
     * @param lines for this alone, since it is asked in input order
     * @return empty if none was found in time
     */
    public static List<String> find(
            LoadSetup setup, byte[] key, ChunkSupply chunks, Inputs inputs, LineFinder lines) {
        List<String> places = new ArrayList<>();
        KeySearch<byte[]> search = new KeySearch<>(setup);
        search.add(key, () -> key);
        Chunk chunk = new Chunk();
        ChunkReader reader = new ChunkReader();
        long start = System.nanoTime();
        while (places.size() < MAX_PLACES
                && System.nanoTime() - start < PATIENCE.toNanos()
                && chunks.next(chunk, reader)) {
            search.visit(
                    chunk,
                    (_, from, _) -> {
                        if (places.size() < MAX_PLACES) {
                            long position = chunk.position() + from - chunk.from();
                            places.add(place(inputs, lines, chunk.source(), position));
                        }
                    });
        }
        return places;
    }

    private static String place(Inputs inputs, LineFinder lines, int source, long position) {
        return RejectMessage.place(
                inputs.file(source).name(), lines.lineAt(source, position), position);
    }
}
