package dev.penstock.kv.wire;

import dev.penstock.aggregate.PartialResult;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.JoinReply;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.api.LoadState;
import dev.penstock.kv.api.PublishedPage;
import dev.penstock.kv.api.RegionAssignment;
import dev.penstock.kv.api.RegionChecksum;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.ReportReply;
import dev.penstock.kv.api.RunningLoad;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.target.FragmentAck;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.RegionReceipt;

import java.util.List;

/**
 * What a server answers. Several requests share a reply where they answer the same kind of thing.
 */
public sealed interface Reply {
    /**
     * The call failed; nothing else is known of it.
     *
     * @param key encoded, of rows that it failed for; empty if it did not fail for a key
     */
    record Failure(ErrorCategory category, String message, byte[] key) implements Reply {
        public Failure(ErrorCategory category, String message) {
            this(category, message, new byte[0]);
        }

        /** What a caller is told of a failure. */
        public static Failure of(PenstockException failure) {
            return new Failure(
                    failure.category(), String.valueOf(failure.getMessage()), failure.key());
        }
    }

    record Pong() implements Reply {}

    record Done() implements Reply {}

    record Flag(boolean value) implements Reply {}

    record LongValue(long value) implements Reply {}

    /** One row, or none: then the list is empty. */
    record Row(List<ColumnBatch> row) implements Reply {}

    /**
     * Rows of a scan.
     *
     * @param more whether to ask again; if not, the server has closed the cursor
     */
    record Rows(long cursorId, boolean more, List<ColumnBatch> batches) implements Reply {}

    record Aggregates(PartialResult result) implements Reply {}

    record Checksum(RegionChecksum checksum) implements Reply {}

    /**
     * @param creditBytes bytes that the client may send again
     */
    record Acknowledged(FragmentAck ack, long creditBytes) implements Reply {}

    record Receipts(List<RegionReceipt> receipts) implements Reply {}

    record ServerStatus(RegionServerStatus status) implements Reply {}

    record Tables(List<TableDescriptor> tables) implements Reply {}

    record Regions(List<RegionAssignment> regions) implements Reply {}

    record Load(LoadDescriptor load) implements Reply {}

    record Loads(List<RunningLoad> loads) implements Reply {}

    record Checkpoints(List<byte[]> entries) implements Reply {}

    record State(LoadState state) implements Reply {}

    record Published(PublishedPage page) implements Reply {}

    /** One load, or none: then the list is empty. */
    record Labelled(List<LabelledLoad> loads) implements Reply {}

    record Joined(JoinReply reply) implements Reply {}

    record Reported(ReportReply reply) implements Reply {}

    record Servers(List<ServerDescriptor> servers) implements Reply {}

    record Cluster(ClusterStatus status) implements Reply {}
}
