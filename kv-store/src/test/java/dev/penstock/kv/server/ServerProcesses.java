package dev.penstock.kv.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kv.Penstock;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Servers in processes of their own, to be killed; number 0 leads. */
final class ServerProcesses implements AutoCloseable {
    private final Path folder;
    private final List<String> addresses = new ArrayList<>();
    private final List<@Nullable Process> processes = new ArrayList<>();

    ServerProcesses(Path folder, int count) throws Exception {
        this.folder = folder;
        for (int i = 0; i < count; i++) {
            addresses.add("127.0.0.1:0");
            processes.add(null);
        }
        for (int i = 0; i < count; i++) {
            addresses.set(i, start(i));
            awaitJoined(i);
        }
    }

    /** Starts a server; back when it listens. */
    String start(int number) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx192m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--add-modules=jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                classPath(),
                                ServerMain.class.getName(),
                                folder.resolve("server" + number).toString(),
                                addresses.get(number)));
        if (number > 0) {
            command.add(addresses.get(0));
        }
        Process process =
                new ProcessBuilder(command)
                        .redirectError(
                                ProcessBuilder.Redirect.appendTo(
                                        folder.resolve("log" + number).toFile()))
                        .start();
        processes.set(number, process);
        return line(process, "address ");
    }

    void awaitJoined(int number) throws Exception {
        line(process(number), "joined");
    }

    private static String line(Process process, String start) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        assertThat(line).as("what the server says").isNotNull().startsWith(start);
        return line.substring(start.length());
    }

    private Process process(int number) {
        Process process = processes.get(number);
        if (process == null) {
            throw new IllegalStateException("server " + number + " does not run");
        }
        return process;
    }

    /** Ends a process as a crash would, at whatever it is doing. */
    void kill(int number) throws InterruptedException {
        process(number).destroyForcibly().waitFor();
        processes.set(number, null);
    }

    String address(int number) {
        return addresses.get(number);
    }

    Penstock connect() {
        return Penstock.connect(String.join(",", addresses));
    }

    /** The class path of the server: where this JVM found each part of it. */
    private static String classPath() throws ClassNotFoundException {
        List<String> parts =
                List.of(
                        "io.netty.util.Version",
                        "io.netty.buffer.ByteBuf",
                        "io.netty.channel.Channel",
                        "io.netty.resolver.NameResolver",
                        "io.netty.handler.codec.ByteToMessageDecoder",
                        "io.netty.handler.ssl.SslHandler",
                        "io.netty.channel.epoll.Epoll",
                        "io.netty.channel.unix.Socket",
                        "net.jpountz.lz4.LZ4Factory",
                        "org.roaringbitmap.RoaringBitmap");
        List<Class<?>> classes =
                new ArrayList<>(
                        List.of(ServerMain.class, RegionServerProcess.class, TableSchema.class));
        for (String part : parts) {
            classes.add(Class.forName(part));
        }
        return classes.stream()
                .flatMap(ServerProcesses::location)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Stream<String> location(Class<?> type) {
        try {
            return Stream.of(
                    Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                            .toString());
        } catch (URISyntaxException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Override
    public void close() {
        for (Process process : processes) {
            if (process != null) {
                process.destroyForcibly().onExit().join();
            }
        }
    }
}
