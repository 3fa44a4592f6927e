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
import java.util.Locale;

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
            RejectSpool spool = log.spool();
            if (spool == null) {
                return;
            }
            for (int chunkId : spool.chunkIds()) {
                for (Reject reject : spool.read(chunkId)) {
                    records.write(reject.record());
                    records.write('\n');
                    long line = lines.lineOf(reject, chunkId);
                    MAPPER.writeValue(sides, side(reject, line, inputs));
                    sides.write('\n');
                }
            }
        } catch (IOException e) {
            throw PenstockException.io(
                    "The rejects file " + rejectsFile + " could not be written: " + e, e);
        }
    }

    private static Line side(Reject reject, long line, Inputs inputs) {
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
