package dev.penstock.cli.resume;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.ReplyCodec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server that answers every hello as one of another version does. */
final class OtherVersion implements AutoCloseable {
    static final String REFUSAL =
            "this server speaks version 1000 of Penstock's protocol, this client version 8; use the"
                    + " same release at both ends";

    private static final int BACKLOG = 50;

    private final ServerSocket listening;

    /**
     * @param address {@code HOST:PORT}
     */
    OtherVersion(String address) {
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        try {
            listening = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().start(this::answer);
    }

    private void answer() {
        byte[] refusal = refusal();
        while (!listening.isClosed()) {
            try (Socket client = listening.accept()) {
                if (client.getInputStream().read(new byte[Frame.MAX_HANDSHAKE_BYTES]) > 0) {
                    client.getOutputStream().write(refusal);
                }
            } catch (IOException e) {
                // That client has gone, or this is closed.
            }
        }
    }

    private static byte[] refusal() {
        ByteBuilder message = new ByteBuilder(256);
        ReplyCodec.put(new Reply.Failure(ErrorCategory.USAGE, REFUSAL), message);
        byte[] frame = new byte[Frame.HEADER_BYTES + message.length()];
        Frame.putHeader(frame, 0, message.length(), 0, MessageType.FAILURE.code(), 0);
        System.arraycopy(message.array(), 0, frame, Frame.HEADER_BYTES, message.length());
        return frame;
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
