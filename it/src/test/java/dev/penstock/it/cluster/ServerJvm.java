package dev.penstock.it.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One {@code penstock serve} process. Starting waits for the line that says it accepts connections;
 * a thread reads on so that the process never waits for us.
 */
final class ServerJvm {
    private static final Pattern ADDRESS = Pattern.compile("(127\\.0\\.0\\.1:\\d+)");

    private final Process process;
    private final String address;
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());

    private ServerJvm(Process process, BufferedReader lines) throws IOException {
        this.process = process;
        this.address = awaitAddress(lines);
        Thread.ofVirtual().start(() -> readOn(lines));
    }

    /** Starts a server with a heap of its own size. */
    static ServerJvm startWithHeap(Path folder, String heap, List<String> arguments)
            throws IOException {
        Process process = PenstockJvm.startReading(folder, heap, arguments);
        Thread.ofVirtual().start(() -> discard(process));
        return new ServerJvm(process, process.errorReader(StandardCharsets.UTF_8));
    }

    private static void discard(Process process) {
        try (var out = process.getInputStream()) {
            out.transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The process is gone.
        }
    }

    /** Starts a server on a port that the system chooses, or again on a port it had. */
    static ServerJvm start(Path folder, String data, String listen, String... more)
            throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--data", data, "--listen", listen));
        arguments.addAll(List.of(more));
        Process process = PenstockJvm.start(folder, arguments.toArray(String[]::new));
        return new ServerJvm(process, process.errorReader(StandardCharsets.UTF_8));
    }

    String address() {
        return address;
    }

    /** Ends it as a power failure would. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** STOP freezes it: for others it is as if its network were cut. CONT lets it go on. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    /** What it has said so far. */
    String said() {
        synchronized (said) {
            return String.join("\n", said);
        }
    }

    /** Ends it politely and answers its exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    private String awaitAddress(BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.add(line);
            Matcher matcher = ADDRESS.matcher(line);
            if (line.contains("listening") && matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new IOException("the server ended without listening; it said: " + said);
    }

    private void readOn(BufferedReader lines) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
            }
        } catch (IOException e) {
            // The process is gone, which is what the tests are about.
        }
    }
}
