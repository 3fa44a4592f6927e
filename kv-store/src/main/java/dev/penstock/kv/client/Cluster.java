package dev.penstock.kv.client;

import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.TargetAccess;

/**
 * A store that a client has reached, in this process or through connections. Thread-safe. Whoever
 * opened it closes it.
 */
public interface Cluster extends RegionServiceLocator, AutoCloseable {
    MetadataService metadata();

    /** Where others reach the same store: {@code dir:PATH} or {@code tcp:HOST:PORT}. */
    String address();

    /**
     * Hands a fragment to a server, waiting while the server has granted no credit. The payload
     * belongs to the cluster until the listener is told; see {@link #answersAtOnce}.
     *
     * @throws dev.penstock.error.PenstockException if it could not be sent; the listener is not
     *     told then
     */
    void fragment(
            ServerDescriptor server,
            String loadId,
            FragmentHeader header,
            byte[] payload,
            int length,
            FragmentListener listener);

    /** Whether {@link #fragment} tells the listener, or fails, before it returns. */
    boolean answersAtOnce();

    /** CPU nanoseconds that this cluster's own threads have spent on input and output so far. */
    long transferNanos();

    /**
     * Lets other processes reach this store for as long as the result is not closed: an embedded
     * store starts to listen on loopback, for those who come with {@link Invitation#access}.
     *
     * @param table the one that they are to write
     */
    Invitation invite(String table);

    @Override
    void close();

    /** An open door. */
    interface Invitation extends AutoCloseable {
        /** {@code tcp:HOST:PORT}. */
        String address();

        /** What those who come need besides the address. */
        default TargetAccess access() {
            return TargetAccess.NONE;
        }

        @Override
        void close();
    }
}
