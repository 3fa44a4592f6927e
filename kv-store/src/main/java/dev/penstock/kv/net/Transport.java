package dev.penstock.kv.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The input/output threads of a process: native epoll where it is available, else NIO. They move
 * bytes, en- and decrypt them where TLS is spoken, and read certificates again that have changed;
 * they read single rows while that is quick ({@link LoopReads}). Whatever else computes or blocks
 * runs elsewhere.
 */
public final class Transport implements AutoCloseable {
    /** Threads at most; few fat connections need few. */
    private static final int MAX_THREADS = 4;

    /** Longest wait for connections to end when the process ends. */
    private static final long CLOSE_SECONDS = 2;

    static {
        SilentLogger.use();
    }

    private final EventLoopGroup group;
    private final boolean epoll;
    private final List<Thread> started;
    private final AtomicLong takenNanos = new AtomicLong();

    private Transport(EventLoopGroup group, boolean epoll, List<Thread> started) {
        this.group = group;
        this.epoll = epoll;
        this.started = started;
    }

    /** Starts threads on demand, named after {@code name}. */
    public static Transport open(String name) {
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory factory = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
        List<Thread> started = new CopyOnWriteArrayList<>();
        DefaultThreadFactory daemons = new DefaultThreadFactory(name + "-io", true);
        ThreadFactory remembering =
                task -> {
                    Thread thread = daemons.newThread(task);
                    started.add(thread);
                    return thread;
                };
        return new Transport(
                new MultiThreadIoEventLoopGroup(threads, remembering, factory), epoll, started);
    }

    EventLoopGroup group() {
        return group;
    }

    Class<? extends Channel> clientChannel() {
        return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** CPU nanoseconds of all threads so far; 0 if the JVM cannot tell. */
    public long cpuNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
            return 0;
        }
        long nanos = 0;
        for (Thread thread : started) {
            nanos += Math.max(0, threads.getThreadCpuTime(thread.threadId()));
        }
        return nanos;
    }

    /** CPU nanoseconds since the last call of this method (or since {@link #open}). */
    long takeCpuNanos() {
        long now = cpuNanos();
        return Math.max(0, now - takenNanos.getAndSet(now));
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(2 * CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
