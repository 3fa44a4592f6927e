package dev.penstock.loader.worker;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One worker process and the pipes to it. Messages are sent and received by one thread; {@link
 * #close} may be called by any and ends the process.
 */
final class WorkerProcess implements AutoCloseable {
    private static final long EXIT_SECONDS = 10;

    private final int number;
    private final Process process;
    private final BufferedWriter out;
    private final BufferedReader in;
    private final StderrTail stderr;
    private final Patience patience = new Patience();
    private volatile boolean closed;

    private WorkerProcess(int number, Process process) {
        this.number = number;
        this.process = process;
        out =
                new BufferedWriter(
                        new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        in =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        stderr = new StderrTail(process.getErrorStream(), "penstock-worker-" + number + "-stderr");
    }

    static WorkerProcess start(int number, List<String> command) {
        try {
            return new WorkerProcess(number, new ProcessBuilder(command).start());
        } catch (IOException e) {
            throw PenstockException.io(
                    "Worker process " + number + " could not be started: " + e, e);
        }
    }

    /** For messages to the user. */
    String name() {
        return "Worker process " + number + " (pid " + process.pid() + ")";
    }

    /** That of whoever talks with it. */
    Patience patience() {
        return patience;
    }

    /** A process that is stopped takes no more than the pipe does. */
    void send(Message message) {
        patience.begin();
        try {
            out.write(message.line());
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            throw died(e);
        } finally {
            patience.end();
        }
    }

    /**
     * The next message; a process that ends instead is a failure, and what it has said counts for
     * nothing once it is closed.
     */
    Message receive() throws InterruptedException {
        String line = readLine();
        if (line == null || closed) {
            throw died(null);
        }
        return Message.parse(line);
    }

    private @Nullable String readLine() {
        patience.begin();
        try {
            return in.readLine();
        } catch (IOException e) {
            throw died(e);
        } finally {
            patience.end();
        }
    }

    private PenstockException died(@Nullable IOException cause) {
        String how = "closed its pipe";
        String tail = "";
        try {
            if (process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                how = "ended with status " + process.exitValue();
            }
            tail = stderr.text();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String message = name() + " " + how + " in the middle of the load, which ended it.";
        if (!tail.isEmpty()) {
            message += " Its last words:\n  " + tail;
        }
        return new PenstockException(ErrorCategory.IO, message, cause);
    }

    /** Waits for the process to end by itself. */
    void awaitExit() throws InterruptedException {
        if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
            close();
        }
    }

    /**
     * Returns at once; whether the process ends, nobody knows. Its pipes are closed when it has:
     * before that {@link Process#destroyForcibly} would wait for whoever writes to it.
     */
    @Override
    public void close() {
        closed = true;
        process.toHandle().destroyForcibly();
    }
}
