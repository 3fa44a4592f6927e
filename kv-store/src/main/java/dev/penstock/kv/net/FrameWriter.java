package dev.penstock.kv.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Objects;

/**
 * Puts frames on a connection's socket, slice by slice: a slice is copied from the frame's arrays
 * only when the socket is about to take it, so that it is still in the processor's cache when the
 * kernel copies it, and so that waiting frames take no memory but their own arrays.
 *
 * <p>Runs on the connection's event loop, between the socket and the connection's {@link
 * FrameReceiver}. What is in a file goes from the page cache to the socket. Small frames go out
 * together with those that other threads have handed over meanwhile: a call of the kernel costs
 * more than all the rest of a small frame.
 */
final class FrameWriter extends ChannelDuplexHandler {
    /** Bytes that are copied to the socket at a time. */
    static final int SLICE_BYTES = 256 << 10;

    /** The socket's own queue: about one slice ahead. */
    static final WriteBufferWaterMark WATER_MARK =
            new WriteBufferWaterMark(SLICE_BYTES / 4, SLICE_BYTES);

    /** With so many bytes waiting the peer counts as behind, until a quarter is left. */
    private static final long BEHIND_BYTES = 16 << 20;

    /** What a frame that waits takes besides its bytes, about; many small ones fill memory too. */
    private static final int FRAME_OVERHEAD = 512;

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long takenBytes;
    private boolean behind;
    private boolean pumping;
    private boolean flushing;

    /** A frame of which the first {@code sent} bytes are on their way. */
    private static final class Waiting {
        final OutboundFrame frame;
        final ChannelPromise promise;
        int sent;

        Waiting(OutboundFrame frame, ChannelPromise promise) {
            this.frame = frame;
            this.promise = promise;
        }
    }

    /** Whether the peer takes its frames too slowly; a change is a change of writability. */
    boolean behind() {
        return behind;
    }

    /** Whether there are frames that the socket has not taken, or not as a whole. */
    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /** Bytes that have left for the socket; those of frames that wait are not among them. */
    long takenBytes() {
        return takenBytes;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        OutboundFrame frame = (OutboundFrame) message;
        if (!context.channel().isActive()) {
            promise.setFailure(new ClosedChannelException());
            return;
        }
        if (waiting.isEmpty()
                && frame.text() == null
                && frame.length() <= SLICE_BYTES
                && context.channel().isWritable()) {
            takenBytes += frame.length();
            context.write(slice(context, frame, 0, frame.length()), promise);
            return;
        }
        waiting.add(new Waiting(frame, promise));
        waitingBytes += frame.length() + FRAME_OVERHEAD;
        updateBehind(context);
    }

    private static ByteBuf slice(
            ChannelHandlerContext context, OutboundFrame frame, int from, int count) {
        ByteBuf slice = context.alloc().directBuffer(count, count);
        frame.copy(from, count, slice);
        return slice;
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        if (!flushing) {
            flushing = true;
            context.executor().execute(() -> flushAll(context));
        }
    }

    /** Sends what is written now, of the connection that another handler's context is of. */
    void flushNow(ChannelHandlerContext other) {
        ChannelHandlerContext context = other.pipeline().context(this);
        if (context != null) {
            send(context);
        }
    }

    private void flushAll(ChannelHandlerContext context) {
        flushing = false;
        send(context);
    }

    private void send(ChannelHandlerContext context) {
        context.flush();
        pump(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        pump(context);
    }

    private void pump(ChannelHandlerContext context) {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (!waiting.isEmpty() && context.channel().isWritable()) {
                fill(context);
                context.flush();
            }
        } finally {
            pumping = false;
        }
        updateBehind(context);
    }

    /** Small frames go out together here too. */
    private void fill(ChannelHandlerContext context) {
        while (!waiting.isEmpty() && context.channel().isWritable()) {
            pumpSlice(context, waiting.getFirst());
        }
    }

    private void pumpSlice(ChannelHandlerContext context, Waiting first) {
        OutboundFrame frame = first.frame;
        int ofFile = frame.bytesOfFile(first.sent);
        int count = ofFile > 0 ? ofFile : Math.min(SLICE_BYTES, frame.bytesInMemory(first.sent));
        Object slice =
                ofFile > 0
                        ? new FileSlice(Objects.requireNonNull(frame.text()))
                        : slice(context, frame, first.sent, count);
        first.sent += count;
        waitingBytes -= count;
        takenBytes += count;
        if (first.sent == first.frame.length()) {
            waiting.removeFirst();
            waitingBytes -= FRAME_OVERHEAD;
            context.write(slice, first.promise);
        } else {
            context.write(slice);
        }
    }

    private void updateBehind(ChannelHandlerContext context) {
        boolean now = waitingBytes > (behind ? BEHIND_BYTES / 4 : BEHIND_BYTES);
        if (now != behind) {
            behind = now;
            context.fireChannelWritabilityChanged();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        failAll();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        failAll();
    }

    private void failAll() {
        while (!waiting.isEmpty()) {
            waiting.removeFirst().promise.tryFailure(new ClosedChannelException());
        }
        waitingBytes = 0;
    }
}
