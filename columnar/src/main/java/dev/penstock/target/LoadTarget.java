package dev.penstock.target;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A store that loads can go to. Thread-safe. Found through {@link LoadTargetProvider}. */
public interface LoadTarget extends AutoCloseable {
    TargetCapabilities capabilities();

    /**
     * Where others find the same target, as {@link LoadTargetProvider} understands it; holds no
     * secret. Empty if nobody else can find it.
     */
    default String address() {
        return "";
    }

    Optional<TableSchema> table(String name);

    void createTable(TableSchema schema);

    /** The regions of an existing table. */
    RegionMap regions(String table);

    /** Rows visible in an existing table now. */
    long rowCount(String table);

    /** The load of that label that was published into a table; none if there is no such table. */
    Optional<LabelledLoad> labelled(String table, String label);

    /** Servers that can host regions. */
    int serverCount();

    /**
     * Splits empty regions of the table at the given encoded keys (ascending) and spreads the parts
     * evenly over the servers. Regions that hold rows stay as they are, and points within them are
     * left out.
     */
    RegionMap preSplit(String table, List<byte[]> splitPoints);

    /** Begins a load; fragments sent to its session stay invisible until it is published. */
    LoadSession begin(LoadRequest request, AckListener listener);

    /** Whether it keeps loads with a {@link LoadRequest#plan}. */
    default boolean resumes() {
        return false;
    }

    /** The load of that label that an earlier loader began with a plan and did not end. */
    default Optional<UnfinishedLoad> unfinished(String table, String label) {
        return Optional.empty();
    }

    /**
     * Goes on with an unfinished load, in place of the loader that did so before. If that one was
     * heard of lately this waits for a while, in case it is gone.
     *
     * @param checkpoints is given what was recorded by {@link LoadSession#checkpoint}, oldest
     *     first, before this returns
     * @throws PenstockException of category {@code RETRY} if another loader goes on with it
     */
    default LoadSession resume(
            UnfinishedLoad load, AckListener listener, Consumer<byte[]> checkpoints) {
        throw PenstockException.usage("This target does not keep unfinished loads.");
    }

    /** Takes part in a load that another process began. */
    LoadSession attach(LoadTicket ticket, AckListener listener);

    @Override
    void close();
}
