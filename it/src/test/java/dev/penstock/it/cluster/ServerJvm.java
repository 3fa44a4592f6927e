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
