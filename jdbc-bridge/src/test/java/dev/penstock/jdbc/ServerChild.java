package dev.penstock.jdbc;

import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.kv.server.ServeOptions;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A region server in a process of its own, which can be killed and stopped for a while. */
final class ServerChild implements AutoCloseable {
    private final Process process;
    private final String address;

    private ServerChild(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    /** Waits until it serves. */
    static ServerChild start(Path data) throws IOException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx300m",
                                "-XX:TieredStopAtLevel=1",
                                "--add-modules=jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                classPath(),
                                ServerChild.class.getName(),
                                data.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String address = output.readLine();
        if (address == null) {
            throw new IOException("the server did not start");
        }
        return new ServerChild(process, address);
    }

    static String classPath() {
        return ServerChild.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs())
                        .map(URL::getPath)
                        .collect(Collectors.joining(File.pathSeparator))
                : System.getProperty("java.class.path");
    }

    String address() {
        return address;
    }

    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** It keeps its connections and answers nothing. */
    void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", name, Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IOException("kill " + name + " failed");
        }
    }

    @Override
    public void close() {
        kill();
    }

    /** Serves until standard input ends. */
    public static void main(String[] arguments) throws Exception {
        try (RegionServerProcess server =
                RegionServerProcess.start(ServeOptions.of(Path.of(arguments[0]), "127.0.0.1:0"))) {
            server.joined().get(60, TimeUnit.SECONDS);
            System.out.println(server.address());
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
