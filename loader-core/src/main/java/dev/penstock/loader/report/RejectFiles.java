package dev.penstock.loader.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.file.Inputs;
import dev.penstock.reject.Reject;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Writes the rejects file, the records as they were, to be mended and loaded with the same options,
 * and beside it {@code <file>.jsonl}, which says of each where it came from and what was wrong.
 */
public final class RejectFiles {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).build();

    /** One line of the side file. */
    private record Line(
            String file,
            long line,
            long byte_position,
            String column,
            String value,
            String reason,
            String expected) {}

    private RejectFiles() {}

    /** The side file of a rejects file. */
    public static Path sideFile(Path rejectsFile) {
        return rejectsFile.resolveSibling(rejectsFile.getFileName() + ".jsonl");
    }

    /**
     * Writes both files, replacing what was there. Without rejects they are empty but for the
     * header.
     *
     * @param header the header record without line end, or empty
     */
    public static void write(
            Path rejectsFile, byte[] header, RejectLog log, LineFinder lines, Inputs inputs) {
        try (OutputStream records = new BufferedOutputStream(Files.newOutputStream(rejectsFile));
                OutputStream sides =
                        new BufferedOutputStream(Files.newOutputStream(sideFile(rejectsFile)))) {
            if (header.length > 0) {
                records.write(header);
                records.write('\n');
            }
            Writer writer = new Writer(records, sides, lines, inputs);
            Iterator<Reject> deferred = log.deferred().iterator();
            Reject next = deferred.hasNext() ? deferred.next() : null;
            RejectSpool spool = log.spool();
            for (int chunkId : spool == null ? List.<Integer>of() : spool.chunkIds()) {
                for (Reject reject : Objects.requireNonNull(spool).read(chunkId)) {
                    while (next != null && RejectLog.INPUT_ORDER.compare(next, reject) < 0) {
                        writer.write(next, Integer.MAX_VALUE);
                        next = deferred.hasNext() ? deferred.next() : null;
                    }
                    writer.write(reject, chunkId);
                }
            }
            while (next != null) {
                writer.write(next, Integer.MAX_VALUE);
                next = deferred.hasNext() ? deferred.next() : null;
            }
        } catch (IOException e) {
            throw PenstockException.io(
                    "The rejects file " + rejectsFile + " could not be written: " + e, e);
        }
    }

    private record Writer(
            OutputStream records, OutputStream sides, LineFinder lines, Inputs inputs) {
        void write(Reject reject, int chunkId) throws IOException {
            records.write(reject.record());
            records.write('\n');
            MAPPER.writeValue(sides, side(reject, lines.lineOf(reject, chunkId)));
            sides.write('\n');
        }

        private Line side(Reject reject, long line) {
            return new Line(
                    inputs.file(reject.sourceIndex()).name(),
                    line,
                    reject.bytePosition(),
                    reject.columnName(),
                    reject.value(),
                    reject.reason().name().toLowerCase(Locale.ROOT),
                    reject.expected());
        }
    }
}
