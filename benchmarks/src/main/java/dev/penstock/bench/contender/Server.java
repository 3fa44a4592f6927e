package dev.penstock.bench.contender;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A server as a child process, which says when it is ready. It is told to stop on close and when
 * this JVM ends, whatever happens.
 */
final class Server implements AutoCloseable {
    private static final int STOP_SECONDS = 120;

    private final Process process;
    private final BufferedReader output;
    private final AtExit.Task atExit;

    private Server(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.ISO_8859_1);
        this.atExit = AtExit.run(() -> ChildProcess.stop(process, STOP_SECONDS));
    }

    static Server start(List<String> command) throws IOException {
        return new Server(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    long pid() {
        return process.pid();
    }

    /**
     * The first line of output that contains a text; what follows is read and forgotten.
     *
     * @throws IOException with what it said if it ends before
     */
    String await(String text) throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(text)) {
                Thread.ofVirtual().start(this::drain);
                return line;
            }
            said.append(line).append('\n');
        }
        throw new IOException("the server ended: " + said);
    }

    private void drain() {
        try (output) {
            while (output.readLine() != null) {
                // So that it never waits for a reader.
            }
        } catch (IOException e) {
            // The server has ended, and nobody reads on.
        }
    }

    @Override
    public void close() {
        ChildProcess.stop(process, STOP_SECONDS);
        atExit.close();
    }
}
