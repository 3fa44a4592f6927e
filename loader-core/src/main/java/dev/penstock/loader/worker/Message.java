package dev.penstock.loader.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.loader.file.ChunkLease;
import dev.penstock.loader.file.FileState;
import dev.penstock.loader.pipeline.ChunkTotals;
import dev.penstock.reject.Reject;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.Verification;

import java.util.List;

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
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Message.Setup.class, name = "setup"),
    @JsonSubTypes.Type(value = Message.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = Message.Lease.class, name = "lease"),
    @JsonSubTypes.Type(value = Message.Rejects.class, name = "rejects"),
    @JsonSubTypes.Type(value = Message.Result.class, name = "result"),
    @JsonSubTypes.Type(value = Message.End.class, name = "end"),
    @JsonSubTypes.Type(value = Message.Alive.class, name = "alive"),
    @JsonSubTypes.Type(value = Message.Flushed.class, name = "flushed"),
    @JsonSubTypes.Type(value = Message.Failed.class, name = "failed")
})
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
        try {
            return Lines.MAPPER.writerFor(Message.class).writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads one line. */
    static Message parse(String line) {
        try {
            return Lines.MAPPER.readValue(line, Message.class);
        } catch (JsonProcessingException e) {
            // The driver's setup, which has what opens the store, is shown nowhere.
            throw PenstockException.internal(
                    line.contains("\"setup\"")
                            ? "A worker process does not understand its setup."
                            : "A worker process said something unexpected: "
                                    + line.substring(0, Math.min(200, line.length())));
        }
    }

    /** Holds the mapper, which an interface cannot hide. */
    final class Lines {
        private static final JsonMapper MAPPER = JsonMapper.builder().build();

        private Lines() {}
    }
}
