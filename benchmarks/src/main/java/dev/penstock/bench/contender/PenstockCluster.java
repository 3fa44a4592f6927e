package dev.penstock.bench.contender;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.penstock.bench.machine.CpuTime;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.security.TlsFiles;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A server of its own and the {@code penstock load} command, two processes, over the loopback
 * interface. The server is started before the clock, and may have loaded the file before; the load
 * is timed from start to exit. CPU time is that of the load and of the server meanwhile.
 */
public final class PenstockCluster implements Contender {
    /** How loader and server talk. */
    public enum Link {
        PLAIN("in plain text"),
        /** TLS 1.3; both show certificates of one CA. */
        TLS("over TLS, with certificates on both sides");

        private final String words;

        Link(String words) {
            this.words = words;
        }
    }

    /** What the server has done before the load that is timed. */
    private enum Past {
        NONE("that has just started (its start is not timed)"),
        /**
         * Servers run for months, and compile themselves in their first seconds only: what a
         * program that was compiled before does in every load. After their first one they rehearse.
         */
        SOME_LOADS(
                "that has loaded the same file "
                        + EARLIER_LOADS
                        + " times before, each time into a table that was dropped, and has come to"
                        + " rest (not timed)");

        private final String words;

        Past(String words) {
            this.words = words;
        }
    }

    private static final int EARLIER_LOADS = 3;
    private static final String SERVER = "server";
    private static final String CLIENT = "client";

    private final String name;
    private final Workload workload;
    private final PenstockCommand penstock;
    private final Link link;
    private final Past past;

    private PenstockCluster(
            String name, Workload workload, @Nullable Path script, Link link, Past past) {
        this.name = name;
        this.workload = workload;
        this.penstock = new PenstockCommand(script);
        this.link = link;
        this.past = past;
    }

    /** With the processes started by the script; or with this JVM's class path if there is none. */
    public PenstockCluster(String name, Workload workload, @Nullable Path script, Link link) {
        this(name, workload, script, link, Past.NONE);
    }

    /** The same with a server that has loaded the file before, in plain text. */
    public static PenstockCluster used(String name, Workload workload, @Nullable Path script) {
        return new PenstockCluster(name, workload, script, Link.PLAIN, Past.SOME_LOADS);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "'penstock load --connect' from start to exit, into a 'penstock serve' process "
                + past.words
                + ", "
                + link.words
                + "; CPU of both; "
                + penstock.words();
    }

    @Override
    public String version() throws IOException, InterruptedException {
        return penstock.version();
    }

    @Override
    public Workload workload() {
        return workload;
    }

    @Override
    public Loaded load(Path folder) throws IOException, InterruptedException {
        Path ddl = Files.writeString(folder.resolve("table.sql"), workload.ddl());
        Path data = folder.resolve("data");
        if (link == Link.TLS) {
            makeCertificates(folder);
        }
        List<String> serve = new ArrayList<>();
        serve.addAll(List.of("serve", "--data", data.toString(), "--listen", "127.0.0.1:0"));
        serve.add("--json");
        serve.addAll(proof(folder, SERVER));
        try (Server server = Server.start(penstock.of(serve))) {
            String address =
                    new ObjectMapper()
                            .readTree(server.await("{\"address\""))
                            .get("address")
                            .asText();
            List<String> arguments = new ArrayList<>(PenstockCommand.load(workload, ddl));
            arguments.addAll(List.of("--connect", address));
            arguments.addAll(proof(folder, CLIENT));
            List<String> command = penstock.of(arguments);
            for (int i = 0; past == Past.SOME_LOADS && i < EARLIER_LOADS; i++) {
                ChildProcess.run(command);
                drop(address);
                CpuTime.awaitRest(CpuTime.tree(server.pid()));
            }
            Stopwatch watch = Stopwatch.start(CpuTime.endedChildren(), CpuTime.tree(server.pid()));
            ChildProcess.run(command);
            Stopwatch.Span span = watch.stop();
            long storedBytes = Folders.bytes(data);
            return new Loaded(span, count(address, folder), storedBytes);
        }
    }

    private long count(String address, Path folder) {
        ClientSecurity security =
                switch (link) {
                    case PLAIN -> ClientSecurity.PLAIN;
                    case TLS -> new ClientSecurity(tlsFiles(folder), Optional.empty(), false);
                };
        try (Penstock store = Penstock.connect(address, security)) {
            return PenstockInProcess.count(store, workload.table());
        }
    }

    private static Optional<TlsFiles> tlsFiles(Path folder) {
        return TlsFiles.of(
                folder.resolve("ca.crt"),
                folder.resolve(CLIENT + ".crt"),
                folder.resolve(CLIENT + ".key"));
    }

    private void drop(String address) throws IOException, InterruptedException {
        ChildProcess.run(
                penstock.of(
                        List.of(
                                "table",
                                "drop",
                                workload.table(),
                                "--connect",
                                address,
                                "--quiet")));
    }

    private void makeCertificates(Path folder) throws IOException, InterruptedException {
        String dir = folder.toString();
        for (List<String> what :
                List.of(
                        List.of("ca"),
                        List.of(SERVER, SERVER, "--host", "127.0.0.1"),
                        List.of(CLIENT, CLIENT))) {
            List<String> arguments = new ArrayList<>(List.of("certificates"));
            arguments.addAll(what);
            arguments.addAll(List.of("--dir", dir, "--quiet"));
            ChildProcess.run(penstock.of(arguments));
        }
    }

    /** The options by which a process shows who it is, if it has to. */
    private List<String> proof(Path folder, String who) {
        return switch (link) {
            case PLAIN -> List.of();
            case TLS ->
                    List.of(
                            "--tls-cert",
                            folder.resolve(who + ".crt").toString(),
                            "--tls-key",
                            folder.resolve(who + ".key").toString(),
                            "--tls-ca",
                            folder.resolve("ca.crt").toString());
        };
    }
}
