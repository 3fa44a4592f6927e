package dev.penstock.cli.resume;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.ErrorCategory;
import dev.penstock.kv.wire.Frame;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Reply;
import dev.penstock.kv.wire.ReplyCodec;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * An address that stays the same while servers behind it come and go. While it is shut, every hello
 * is answered as by a server of another version.
 */
final class FrontDoor implements AutoCloseable {
    static final String REFUSAL =
            "this server speaks version 1000 of Penstock's protocol, this client version 8; use the"
                    + " same release at both ends";

    private static final int BACKLOG = 50;

    /** Another address of loopback, where the same port is nobody's. */
    private static final String HOST_BEHIND = "127.0.0.2";

    private final ServerSocket listening;
    private volatile boolean open;

    FrontDoor() throws IOException {
        listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** What the server behind it advertises. */
    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Where the server behind it listens. */
    String behind() {
        return HOST_BEHIND + ":" + listening.getLocalPort();
    }

    /** Lets everybody through to the server. */
    void open() {
        open = true;
    }

    /** From now on nobody else gets through; who has stays connected. */
    void shut() {
        open = false;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> serve(client));
            } catch (IOException e) {
                // That client has gone, or this is closed.
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            if (!open) {
                if (client.getInputStream().read(new byte[Frame.MAX_HANDSHAKE_BYTES]) > 0) {
                    client.getOutputStream().write(refusal());
                }
                return;
            }
            try (Socket server = new Socket(HOST_BEHIND, listening.getLocalPort())) {
                Thread.ofVirtual().start(() -> pass(client, server));
                pass(server, client);
            }
        } catch (IOException e) {
            // One of the two has gone, and so the other is told.
        }
    }

    /** Passes on what one of the two says; when it ends, both ends of the connection do. */
    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of the two has gone, and so the other is told.
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
