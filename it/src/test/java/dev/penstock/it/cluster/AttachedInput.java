package dev.penstock.it.cluster;

import org.testcontainers.DockerClientFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * The standard input of a container, over a connection to the engine whose sending half can be
 * closed alone: that is how a container learns that its input has ended, and what the client
 * library cannot do. Attach before the container starts; then nothing is lost.
 */
final class AttachedInput implements AutoCloseable {
    private static final int MAX_HEAD_BYTES = 8192;

    private final SocketChannel channel;

    private AttachedInput(SocketChannel channel) {
        this.channel = channel;
    }

    static AttachedInput of(String containerId) throws IOException {
        SocketChannel channel =
                connect(DockerClientFactory.instance().getTransportConfig().getDockerHost());
        AttachedInput attached = new AttachedInput(channel);
        try {
            attached.upgrade(containerId);
            return attached;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static SocketChannel connect(URI engine) throws IOException {
        boolean local = "unix".equals(engine.getScheme());
        SocketAddress address =
                local
                        ? UnixDomainSocketAddress.of(engine.getPath())
                        : new InetSocketAddress(engine.getHost(), engine.getPort());
        SocketChannel channel =
                local ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            channel.connect(address);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private void upgrade(String containerId) throws IOException {
        String request =
                "POST /containers/"
                        + containerId
                        + "/attach?stream=1&stdin=1 HTTP/1.1\r\n"
                        + "Host: engine\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n";
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        String head = head();
        if (!head.startsWith("HTTP/1.1 101 ")) {
            throw new IOException("the engine does not attach: " + head);
        }
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (head.indexOf("\r\n\r\n") < 0 && head.length() < MAX_HEAD_BYTES) {
            one.clear();
            if (channel.read(one) < 0) {
                break;
            }
            head.append((char) one.get(0));
        }
        return head.toString();
    }

    /** Sends all of it, then the end. */
    void send(InputStream input) throws IOException {
        OutputStream target = Channels.newOutputStream(channel);
        byte[] buffer = new byte[1 << 16];
        for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
            target.write(buffer, 0, count);
        }
        channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
