package dev.penstock.bench.read;

import dev.penstock.bench.contender.AtExit;
import dev.penstock.bench.contender.ChildJvm;
import dev.penstock.bench.contender.ChildProcess;
import dev.penstock.kv.server.RegionServerProcess;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A region server in a JVM of its own, with the class path of this one; it ends with this one. */
public final class Server implements AutoCloseable {
    private static final int STOP_SECONDS = 20;

    private final Process process;
    private final String address;
    private final AtExit.Task atExit;

    private Server(Process process, String address) {
        this.process = process;
        this.address = address;
        this.atExit = AtExit.run(this::stop);
    }

    /**
     * Waits until it serves.
     *
     * @param leader address of the server to join, or empty to lead
     */
    public static Server start(Path data, String leader) throws IOException {
        List<String> command = ChildJvm.command("1g", Server.class, data.toString());
        if (!leader.isEmpty()) {
            command.add(leader);
        }
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String address = output.readLine();
        if (address == null) {
            throw new IOException("the server did not start");
        }
        return new Server(process, address);
    }

    public String address() {
        return address;
    }

    @Override
    public void close() {
        stop();
        atExit.close();
    }

    private void stop() {
        ChildProcess.stop(process, STOP_SECONDS);
    }

    /** Serves until standard input ends. */
    public static void main(String[] arguments) throws Exception {
        String leader = arguments.length > 1 ? arguments[1] : null;
        try (RegionServerProcess server =
                RegionServerProcess.start(Path.of(arguments[0]), "127.0.0.1:0", leader)) {
            server.joined().get(60, TimeUnit.SECONDS);
            System.out.println(server.address());
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
