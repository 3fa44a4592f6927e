package dev.penstock.kv.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelConfig;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.handler.ssl.SslHandler;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What both ends of a connection do with its socket. */
final class Sockets {
    /** Bytes read at a time: few for small messages, more while more come. */
    private static final int SMALLEST_READ_BYTES = 4 << 10;

    private static final int FIRST_READ_BYTES = 16 << 10;
    private static final int LARGEST_READ_BYTES = 256 << 10;

    /** {@code setsockopt(IPPROTO_TCP, TCP_CONGESTION, name)} of Linux. */
    private static final int IPPROTO_TCP = 6;

    private static final int TCP_CONGESTION = 13;

    /** The one that every Linux kernel has; it sends what the windows allow, at once. */
    private static final byte[] UNPACED = "reno".getBytes(StandardCharsets.US_ASCII);

    private static final RawUnixChannelOption CONGESTION_CONTROL =
            new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, UNPACED.length);

    /**
     * Begins buffers with a line of the cache. The kernel has received bytes at the beginning of a
     * page, more often than not, and the C library's large blocks begin 16 bytes into one: a place
     * that Zen 3 copies to at a tenth of its speed. Where Java does not let Netty choose, as
     * without the options that the command gives it, buffers begin where they do.
     */
    private static final int BUFFER_ALIGNMENT_BYTES =
            PooledByteBufAllocator.isDirectMemoryCacheAlignmentSupported() ? 64 : 0;

    private static final ByteBufAllocator BUFFERS =
            new PooledByteBufAllocator(
                    true,
                    PooledByteBufAllocator.defaultNumHeapArena(),
                    PooledByteBufAllocator.defaultNumDirectArena(),
                    PooledByteBufAllocator.defaultPageSize(),
                    PooledByteBufAllocator.defaultMaxOrder(),
                    PooledByteBufAllocator.defaultSmallCacheSize(),
                    PooledByteBufAllocator.defaultNormalCacheSize(),
                    PooledByteBufAllocator.defaultUseCacheForAllThreads(),
                    BUFFER_ALIGNMENT_BYTES);

    private Sockets() {}

    /** Options and handlers for a channel that has just been made or accepted. */
    static void prepare(Channel channel, FrameReceiver receiver, Optional<SslHandler> tls) {
        channel.config().setOption(ChannelOption.TCP_NODELAY, true);
        channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        channel.config().setAllocator(BUFFERS);
        channel.config().setWriteBufferWaterMark(FrameWriter.WATER_MARK);
        channel.config()
                .setRecvByteBufAllocator(
                        new AdaptiveRecvByteBufAllocator(
                                SMALLEST_READ_BYTES, FIRST_READ_BYTES, LARGEST_READ_BYTES));
        tls.ifPresent(handler -> channel.pipeline().addLast(handler));
        channel.pipeline().addLast(receiver.writer(), receiver);
    }

    /**
     * Both ends are known now. Within one machine there is no network to be gentle with: a
     * congestion control that paces, which many systems have as their default, only cuts the stream
     * into small pieces there, and a byte costs twice as much. Between machines the system's choice
     * stands, as do its buffer sizes everywhere.
     */
    static void connected(Channel channel) {
        if (channel.config() instanceof EpollChannelConfig config
                && channel.localAddress() instanceof InetSocketAddress local
                && channel.remoteAddress() instanceof InetSocketAddress remote
                && local.getAddress().equals(remote.getAddress())) {
            try {
                config.setOption(CONGESTION_CONTROL, ByteBuffer.wrap(UNPACED));
            } catch (ChannelException e) {
                // Not allowed here: then the system's choice stands, and only speed is lost.
            }
        }
    }
}
