package dev.penstock.loader.worker;

import com.fasterxml.jackson.core.JsonProcessingException;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.FileState;
import dev.penstock.loader.json.JsonNames;
import dev.penstock.loader.json.RecordJson;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.reject.Reject;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.Verification;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What driver and worker say to each other, one JSON object a line, over the worker's standard
 * input and output:
 *
 * <pre>
 * driver                      worker
 * setup ────────────────────►
 *       ◄──────────────────── ready
 * lease ────────────────────►              a few at a time
 *       ◄──────────────────── rejects      any number for a chunk
 *       ◄──────────────────── result       one for each lease
 * end   ────────────────────►              when no lease is left
 *       ◄──────────────────── alive        now and then, by a thread of its own
 *       ◄──────────────────── flushed      everything sent is acknowledged; the worker exits
 *       ◄──────────────────── failed       instead of anything else; the worker exits
 * </pre>
 */
public sealed interface Message {
    /** One input file of the plan, and what it was when the driver opened it. */
    record Source(String path, FileState state, long dataStart) {}

    /**
     * Everything a worker needs to know; the schema and the regions it asks the target for.
     *
     * @param tokens {@link dev.penstock.dict.TokenTables#write}
     */
    record Setup(
            LoadTicket ticket,
            String table,
            List<Source> sources,
            Dialect dialect,
            List<Integer> fieldColumns,
            OffloadPolicy policy,
            FragmentForm cut,
            DuplicatePolicy duplicates,
            Verification verification,
            byte[] tokens,
            int chunkBytes,
            int threads)
            implements Message {}

    record Ready(long processId) implements Message {}

    record Lease(ChunkLease chunk) implements Message {}

    record Rejects(int chunkId, List<Reject> rejects) implements Message {}

    /** One chunk is done; of a load that can be resumed, durable. */
    record Result(int chunkId, ChunkTotals totals) implements Message {}

    record End() implements Message {}

    /** The process is not stopped. */
    record Alive() implements Message {}

    record Flushed(ChunkTotals totals) implements Message {}

    record Failed(ErrorCategory category, String message) implements Message {}

    /** The message as one line without its end. */
    default String line() {
        return RecordJson.write((Record) this, JsonNames.DECLARED, Kinds.TAG, Kinds.of(getClass()));
    }

    /** Reads one line. */
    static Message parse(String line) {
        try {
            return (Message) RecordJson.read(line, JsonNames.DECLARED, Kinds.TAG, Kinds.TYPES);
        } catch (JsonProcessingException e) {
            // The driver's setup, which has what opens the store, is shown nowhere.
            throw PenstockException.internal(
                    line.contains("\"setup\"")
                            ? "A worker process does not understand its setup."
                            : "A worker process said something unexpected: "
                                    + line.substring(0, Math.min(200, line.length())));
        }
    }

    /** What each message is called, which an interface cannot hide. */
    final class Kinds {
        private static final String TAG = "type";

        private static final Map<String, Class<? extends Record>> TYPES =
                Arrays.stream(Message.class.getPermittedSubclasses())
                        .map(type -> type.<Record>asSubclass(Record.class))
                        .collect(Collectors.toMap(Kinds::of, Function.identity()));

        private Kinds() {}

        private static String of(Class<?> type) {
            return type.getSimpleName().toLowerCase(Locale.ROOT);
        }
    }
}
