package dev.penstock.kv.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteBuilder;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class FrameWriterTest {
    private final FrameWriter writer = new FrameWriter();
    private final Changes changes = new Changes();
    private final Socket socket = new Socket();

    /** Counts what the connection behind the writer is told. */
    private static final class Changes extends ChannelInboundHandlerAdapter {
        int count;

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            count++;
        }
    }

    /** Takes so many bytes as it is allowed to. */
    private static final class Socket extends EmbeddedChannel {
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        int room;

        @Override
        protected void doWrite(ChannelOutboundBuffer in) {
            while (room > 0 && in.current() instanceof ByteBuf buffer) {
                int count = Math.min(room, buffer.readableBytes());
                byte[] bytes = new byte[count];
                buffer.getBytes(buffer.readerIndex(), bytes);
                taken.writeBytes(bytes);
                room -= count;
                in.removeBytes(count);
            }
            if (room > 0 && in.current() instanceof FileSlice slice) {
                send(slice);
                in.remove();
                doWrite(in);
            }
        }

        private void send(FileSlice slice) {
            try {
                slice.transferTo(Channels.newChannel(taken), 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void makeRoom(int bytes) {
            room += bytes;
            unsafe().flush();
            runPendingTasks();
        }
    }

    private void open() {
        socket.config().setWriteBufferWaterMark(FrameWriter.WATER_MARK);
        socket.pipeline().addLast(writer, changes);
    }

    private static OutboundFrame frame(Random random, int headLength, int bulkLength) {
        byte[] head = new byte[headLength];
        byte[] bulk = new byte[bulkLength];
        random.nextBytes(head);
        random.nextBytes(bulk);
        ByteBuilder builder = new ByteBuilder(headLength);
        builder.write(head, 0, headLength);
        return new OutboundFrame(builder, bulk, bulkLength);
    }

    private static void append(OutboundFrame frame, ByteArrayOutputStream out) {
        out.write(frame.head().array(), 0, frame.head().length());
        out.write(frame.bulk(), 0, frame.bulkLength());
    }

    @Test
    void textOfAFileGoesBetweenItsHeadAndItsTrailer(@TempDir Path folder) throws IOException {
        open();
        Random random = new Random(8);
        byte[] text = new byte[1 << 20];
        random.nextBytes(text);
        Path path = Files.write(folder.resolve("text"), text);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        try (FileChannel file = FileChannel.open(path)) {
            for (int length : new int[] {1, 700_000, 10, 300_000}) {
                OutboundFrame memory = frame(random, 30, 16);
                OutboundFrame.FileText part = new OutboundFrame.FileText(file, 77, length);
                FrameSender.write(
                        socket, new OutboundFrame(memory.head(), part, memory.bulk(), 16));
                FrameSender.write(socket, frame(new Random(length), 40, 0).head());
                sent.write(memory.head().array(), 0, memory.head().length());
                sent.write(text, 77, length);
                sent.write(memory.bulk());
                append(frame(new Random(length), 40, 0), sent);
            }
            socket.makeRoom(4 << 20);
            assertThat(file.isOpen()).isTrue();
        }
        assertThat(socket.taken.toByteArray()).isEqualTo(sent.toByteArray());
        assertThat(writer.hasWaiting()).isFalse();
    }

    /** Memory of the system is used up. */
    private static final class NoMemory extends AbstractByteBufAllocator {
        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("none left");
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            throw new OutOfMemoryError("none left");
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }

    @Test
    void aFrameThatCannotBeWrittenIsNotLostInSilence() {
        open();
        List<Throwable> told = new ArrayList<>();
        socket.pipeline()
                .addLast(
                        new ChannelInboundHandlerAdapter() {
                            @Override
                            public void exceptionCaught(
                                    ChannelHandlerContext context, Throwable cause) {
                                told.add(cause);
                            }
                        });
        socket.config().setAllocator(new NoMemory());
        FrameSender.write(socket, frame(new Random(1), 40, 0).head());
        socket.runPendingTasks();
        assertThat(told).singleElement().isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void everyByteLeavesInOrderHoweverLittleTheSocketTakes() {
        open();
        Random random = new Random(3);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        List<ChannelFuture> futures = new ArrayList<>();
        int slice = FrameWriter.SLICE_BYTES;
        int[][] lengths = {
            {17, 0}, {30, 3 * slice + 5}, {20, 0}, {slice + 9, slice}, {40, slice - 40}, {40, 100}
        };
        for (int round = 0; round < 3; round++) {
            for (int[] length : lengths) {
                OutboundFrame frame = frame(random, length[0], length[1]);
                append(frame, expected);
                futures.add(socket.writeAndFlush(frame));
                socket.makeRoom(random.nextInt(slice));
            }
        }
        for (int steps = 0; socket.taken.size() < expected.size() && steps < 10_000; steps++) {
            socket.makeRoom(1 + random.nextInt(slice));
        }
        assertThat(socket.taken.toByteArray()).isEqualTo(expected.toByteArray());
        assertThat(futures).allMatch(ChannelFuture::isSuccess);
    }

    @Test
    void whatWaitsTakesNoMemoryOfTheSocketsQueue() {
        open();
        Random random = new Random(4);
        for (int i = 0; i < 8; i++) {
            socket.writeAndFlush(frame(random, 30, 1 << 20));
        }
        assertThat(socket.unsafe().outboundBuffer().totalPendingWriteBytes())
                .isLessThan(2L * FrameWriter.SLICE_BYTES);
    }

    @Test
    void aPeerThatTakesNothingIsBehindUntilItHasTakenMost() {
        open();
        Random random = new Random(5);
        for (int i = 0; i < 15; i++) {
            socket.writeAndFlush(frame(random, 30, 1 << 20));
        }
        assertThat(writer.behind()).isFalse();
        socket.writeAndFlush(frame(random, 30, 2 << 20));
        assertThat(writer.behind()).isTrue();
        assertThat(changes.count).isEqualTo(1);
        socket.makeRoom(8 << 20);
        assertThat(writer.behind()).isTrue();
        socket.makeRoom(8 << 20);
        assertThat(writer.behind()).isFalse();
        assertThat(changes.count).isEqualTo(2);
    }

    @Test
    void smallFramesThatNobodyTakesCountToo() {
        open();
        Random random = new Random(7);
        OutboundFrame pong = frame(random, 17, 0);
        int frames = 0;
        while (!writer.behind() && frames < 1_000_000) {
            socket.writeAndFlush(pong);
            frames++;
        }
        assertThat(writer.behind()).as("after " + frames + " frames").isTrue();
        assertThat(socket.unsafe().outboundBuffer().totalPendingWriteBytes())
                .isLessThan(2L * FrameWriter.SLICE_BYTES);
        socket.makeRoom(17 * frames);
        assertThat(writer.behind()).isFalse();
        assertThat(socket.taken.size()).isEqualTo(17 * frames);
    }

    @Test
    void framesThatWaitFailWhenTheConnectionEnds() {
        open();
        ChannelFuture waiting = socket.writeAndFlush(frame(new Random(6), 30, 4 << 20));
        socket.close();
        socket.runPendingTasks();
        assertThat(waiting.cause()).isInstanceOf(ClosedChannelException.class);
        assertThat(socket.writeAndFlush(frame(new Random(6), 30, 0)).cause())
                .isInstanceOf(ClosedChannelException.class);
    }
}
