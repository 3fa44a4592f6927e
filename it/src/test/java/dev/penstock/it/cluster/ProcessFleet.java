package dev.penstock.it.cluster;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Servers and loads as plain processes on loopback. A cut network is a process that is stopped
 * (SIGSTOP): the others hear nothing from it and get no refusal either. A small disk is a file
 * system in memory, for which this test must be root. Small memory is a small heap.
 */
final class ProcessFleet implements Fleet {
    private final Path folder;
    private final FleetSpec spec;
    private final List<ServerJvm> servers = new ArrayList<>();
    private final List<Path> mounts = new ArrayList<>();

    private ProcessFleet(Path folder, FleetSpec spec) {
        this.folder = folder;
        this.spec = spec;
    }

    static ProcessFleet start(Path folder, FleetSpec spec) throws Exception {
        ProcessFleet fleet = new ProcessFleet(folder, spec);
        try {
            for (int server = 0; server < SERVERS; server++) {
                if (spec.diskBytes(server) > 0) {
                    fleet.mount(server, spec.diskBytes(server));
                }
                fleet.servers.add(fleet.serve(server, "127.0.0.1:0"));
            }
            return fleet;
        } catch (Exception | Error e) {
            fleet.close();
            throw e;
        }
    }

    private Path data(int server) {
        return folder.resolve("server-" + server);
    }

    private void mount(int server, long bytes) throws IOException, InterruptedException {
        Path point = data(server);
        Files.createDirectories(point);
        Process mount =
                new ProcessBuilder(
                                "mount",
                                "-t",
                                "tmpfs",
                                "-o",
                                "size=" + bytes,
                                "tmpfs",
                                point.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Assumptions.assumeTrue(
                mount.waitFor() == 0, "skipped: no small disk can be mounted: " + said.strip());
        mounts.add(point);
    }

    private ServerJvm serve(int server, String listen) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of("serve", "--data", data(server).toString(), "--listen", listen));
        if (server > 0) {
            arguments.addAll(List.of("--join", address(0)));
        }
        long memory = spec.memoryBytes(server);
        String heap = memory > 0 ? (memory >> 21) + "m" : "512m";
        return ServerJvm.startWithHeap(folder, heap, arguments);
    }

    @Override
    public String address(int server) {
        return servers.get(server).address();
    }

    @Override
    public void kill(int server) throws InterruptedException {
        servers.get(server).kill();
    }

    @Override
    public void stop(int server) throws InterruptedException {
        servers.get(server).stop();
    }

    @Override
    public void restart(int server) throws IOException {
        servers.set(server, serve(server, address(server)));
    }

    @Override
    public void disconnect(int server) throws Exception {
        servers.get(server).signal("STOP");
    }

    @Override
    public void reconnect(int server) throws Exception {
        servers.get(server).signal("CONT");
    }

    @Override
    public String said(int server) {
        return servers.get(server).said();
    }

    @Override
    public LoadRun load(List<String> arguments) throws IOException {
        return new ProcessRun(PenstockJvm.startReading(folder, "512m", arguments));
    }

    @Override
    public void close() {
        try {
            for (ServerJvm server : servers) {
                server.kill();
            }
            for (Path mount : mounts) {
                new ProcessBuilder("umount", mount.toString()).start().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A load in a process whose streams this test holds. */
    private static final class ProcessRun implements LoadRun {
        private final Process process;
        private final Feed input = new Feed();
        private final CompletableFuture<Outcome> outcome;

        ProcessRun(Process process) {
            this.process = process;
            CompletableFuture<String> out = text(process.getInputStream());
            CompletableFuture<String> err = text(process.getErrorStream());
            outcome =
                    process.onExit()
                            .thenCombine(out, (ended, text) -> text)
                            .thenCombine(
                                    err,
                                    (text, said) -> new Outcome(process.exitValue(), text, said));
            Thread.ofVirtual().start(() -> pump(process.getOutputStream()));
        }

        private static CompletableFuture<String> text(InputStream stream) {
            CompletableFuture<String> text = new CompletableFuture<>();
            Thread.ofVirtual()
                    .start(() -> {
                        try (stream) {
                            text.complete(
                                    new String(stream.readAllBytes(), StandardCharsets.UTF_8));
                        } catch (IOException e) {
                            text.completeExceptionally(e);
                        }
                    });
            return text;
        }

        private void pump(OutputStream target) {
            byte[] buffer = new byte[1 << 16];
            try (target) {
                for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
                    target.write(buffer, 0, count);
                    target.flush();
                }
            } catch (IOException e) {
                // The load has ended without reading all of it, which its outcome tells.
            }
        }

        @Override
        public Feed input() {
            return input;
        }

        @Override
        public CompletableFuture<Outcome> outcome() {
            return outcome;
        }

        @Override
        public void interrupt() {
            // Not by the process itself, which would close the streams that are being read.
            process.toHandle().destroy();
        }

        @Override
        public void kill() {
            process.toHandle().destroyForcibly();
        }

        @Override
        public void close() {
            input.end();
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
