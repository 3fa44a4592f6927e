package dev.penstock.loader.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps the last lines that a process wrote to standard error. Thread-safe. */
final class StderrTail {
    private static final int MAX_LINES = 20;
    private static final int MAX_LINE_CHARS = 500;

    private final Deque<String> lines = new ArrayDeque<>();
    private final Thread thread;

    StderrTail(InputStream stderr, String name) {
        thread = Thread.ofPlatform().daemon().name(name).start(() -> read(stderr));
    }

    private void read(InputStream stderr) {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(stderr, StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            while (line != null) {
                add(line);
                line = reader.readLine();
            }
        } catch (IOException e) {
            add("(its standard error could not be read: " + e.getMessage() + ")");
        }
    }

    private synchronized void add(String line) {
        if (line.startsWith("WARNING: Using incubator modules")) {
            return;
        }
        if (lines.size() == MAX_LINES) {
            lines.removeFirst();
        }
        lines.addLast(line.substring(0, Math.min(line.length(), MAX_LINE_CHARS)));
    }

    /** What was written last; waits a moment for a process that has just ended. */
    String text() throws InterruptedException {
        thread.join(2_000);
        synchronized (this) {
            return String.join("\n  ", lines);
        }
    }
}
