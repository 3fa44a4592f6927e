package dev.penstock.kv.client;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.MetadataService;
import dev.penstock.kv.api.RegionServiceLocator;
import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.step.ChunkText;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.LoadSession;
import dev.penstock.target.TargetAccess;
import dev.penstock.target.TextFile;

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

    /**
     * The same of a chunk's text, for a server that has a {@link #textUse} for it, or of where it
     * is if the server can read it there.
     *
     * @param file has the text, and must stay open until the listener is told
     * @return bytes that travel
     */
    default long text(
            ServerDescriptor server,
            String loadId,
            FragmentHeader header,
            ChunkText text,
            TextFile file,
            FragmentListener listener) {
        throw PenstockException.internal("no server of this store takes text");
    }

    /** Whether {@link #fragment} tells the listener, or fails, before it returns. */
    boolean answersAtOnce();

    /**
     * What to do with text for a server: something if it is another process of this machine, which
     * bytes reach by the loopback interface and unencrypted.
     */
    default LoadSession.TextUse textUse(ServerDescriptor server) {
        return LoadSession.TextUse.NONE;
    }

    /**
     * A text's length that suits a server that has a {@link #textUse} and reads this process's
     * files itself; 0 if it does not read them.
     */
    default int fileTextBytes(ServerDescriptor server) {
        return 0;
    }

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
