package dev.penstock.kv.net;

import dev.penstock.bytes.ByteParser;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.client.FragmentListener;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.ReplyCodec;

import java.util.concurrent.CompletableFuture;

/** A request that waits for its reply. Told exactly once, on the connection's event loop. */
sealed interface Call {
    /** {@link System#nanoTime} when it counts as failed. */
    long deadlineNanos();

    void failed(PenstockException failure);

    /**
     * A call whose reply is decoded by the thread that waits for it.
     *
     * @param what the request, for messages
     */
    record Waiting(MessageType what, long deadlineNanos, CompletableFuture<RawReply> reply)
            implements Call {
        @Override
        public void failed(PenstockException failure) {
            reply.completeExceptionally(failure);
        }
    }

    /** A fragment on its way; {@code bytes} of credit come back with the reply. */
    record Sent(long bytes, long deadlineNanos, FragmentListener listener) implements Call {
        @Override
        public void failed(PenstockException failure) {
            listener.failed(failure);
        }
    }

    /** A reply not yet decoded. */
    record RawReply(MessageType type, byte[] message) {
        /** Throws what the server threw, if it did; names the server where it is at fault. */
        Reply decode(String address) {
            Reply reply = ReplyCodec.get(type, new ByteParser(message, "a reply " + type));
            if (reply
                    instanceof Reply.Failure(ErrorCategory category, String problem, byte[] key)) {
                throw new PenstockException(
                                category,
                                switch (category) {
                                    case CORRUPT, IO, INTERNAL ->
                                            "server " + address + ": " + problem;
                                    case USAGE, DATA, RETRY, REROUTE, CONFLICT, LIMIT, DENIED ->
                                            problem;
                                })
                        .withKey(key);
            }
            return reply;
        }
    }
}
