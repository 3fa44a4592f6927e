package dev.penstock.kv.client.load;

import dev.penstock.kv.api.ServerDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.step.ChunkText;
import dev.penstock.target.FragmentHeader;
import dev.penstock.target.TextFile;

import java.util.Arrays;

/** What is sent of a fragment besides its header. Used by one thread at a time. */
sealed interface Cargo {
    /** Bytes that the server will hold, or read. */
    int length();

    /** Returns the bytes that travel. */
    long send(
            Cluster cluster,
            ServerDescriptor server,
            String loadId,
            FragmentHeader header,
            FragmentListener listener);

    /** Its sender goes on, and may change what is the sender's; from now on this is not. */
    void keep();

    /** It will not be sent any more. */
    void done();

    /** The first bytes of an array, which is the sender's until {@link #keep}. */
    final class InMemory implements Cargo {
        private byte[] payload;
        private final int length;
        private boolean kept;

        InMemory(byte[] payload, int length) {
            this.payload = payload;
            this.length = length;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public long send(
                Cluster cluster,
                ServerDescriptor server,
                String loadId,
                FragmentHeader header,
                FragmentListener listener) {
            cluster.fragment(server, loadId, header, payload, length, listener);
            return length;
        }

        @Override
        public void keep() {
            if (!kept) {
                payload = Arrays.copyOf(payload, length);
                kept = true;
            }
        }

        @Override
        public void done() {
            // The garbage collector's.
        }
    }

    /**
     * A chunk's text in its file.
     *
     * @param noLongerUsed is run when the file is not needed any more
     */
    record InFile(ChunkText text, TextFile file, Runnable noLongerUsed) implements Cargo {
        @Override
        public int length() {
            return text.payloadLength();
        }

        @Override
        public long send(
                Cluster cluster,
                ServerDescriptor server,
                String loadId,
                FragmentHeader header,
                FragmentListener listener) {
            return cluster.text(server, loadId, header, text, file, listener);
        }

        @Override
        public void keep() {
            // It is nobody's who changes it.
        }

        @Override
        public void done() {
            noLongerUsed.run();
        }
    }
}
