package dev.penstock.loader.worker;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.OwnProcess;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A loader process: takes part in a load that the driver, its parent, has begun. Speaks {@link
 * Message}s over standard input and output; whatever else is printed goes to standard error.
 */
public final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] args) {
        OwnProcess.begin();
        OwnProcess.beginLoading();
        PrintStream out = System.out;
        System.setOut(System.err);
        Wire wire = new Wire(out);
        int status = 0;
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String line = in.readLine();
            if (line == null || !(Message.parse(line) instanceof Message.Setup setup)) {
                throw PenstockException.usage(
                        "This program is started by penstock load --workers.");
            }
            try (Heartbeat _ = Heartbeat.start(wire);
                    Worker worker = new Worker(setup, wire)) {
                worker.run(in);
            }
        } catch (PenstockException e) {
            status = failed(wire, e.category(), String.valueOf(e.getMessage()));
        } catch (RuntimeException | IOException | InterruptedException e) {
            e.printStackTrace();
            status = failed(wire, ErrorCategory.INTERNAL, e.toString());
        }
        OwnProcess.end(status);
    }

    private static int failed(Wire wire, ErrorCategory category, String message) {
        wire.send(new Message.Failed(category, message));
        return 1;
    }
}
