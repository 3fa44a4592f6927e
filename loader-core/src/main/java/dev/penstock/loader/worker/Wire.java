package dev.penstock.loader.worker;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The worker's side of the pipe to the driver. Thread-safe; each message leaves at once. */
final class Wire {
    private final PrintStream out;

    Wire(PrintStream out) {
        this.out = out;
    }

    synchronized void send(Message message) {
        byte[] line = (message.line() + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(line, 0, line.length);
        out.flush();
    }
}
