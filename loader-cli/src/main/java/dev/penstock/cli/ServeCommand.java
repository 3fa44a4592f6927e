package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.security.ServerSecurity;
import dev.penstock.kv.security.TlsFiles;
import dev.penstock.kv.server.RegionServerProcess;
import dev.penstock.kv.server.ServeOptions;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Runs a region server until it is told to stop. */
@Command(
        name = "serve",
        abbreviateSynopsis = true,
        header = "Runs a region server until Ctrl-C or SIGTERM.",
        footerHeading = "%n",
        footer = {
            "  penstock serve --data data1 --listen 127.0.0.1:7070",
            "  penstock serve --data data2 --listen 127.0.0.1:7071 --join 127.0.0.1:7070",
            ""
        },
        description = {
            "",
            "The server without --join leads: it keeps the tables, regions and epochs of all."
                    + " Stopped by Ctrl-C or SIGTERM it ends with exit code 0."
        },
        optionListHeading = "%n")
final class ServeCommand implements Callable<Integer> {
    private final Console console;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = "penstock-data",
            description =
                    "Folder of the server's data, created if absent. Default: ./penstock-data")
    private Path data = Path.of("penstock-data");

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7070",
            description = "Address to listen on; port 0 takes a free one. Default: 127.0.0.1:7070")
    private String listen = "127.0.0.1:7070";

    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            description = "Join the cluster that this server leads.")
    private @Nullable String join;

    @Option(
            names = "--advertise",
            paramLabel = "HOST[:PORT]",
            description = "Where others reach this server, if not at the address of --listen.")
    private @Nullable String advertise;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Certificate of this server (PEM): talk TLS.")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "Key of --tls-cert (PEM); only its owner may be able to read it.")
    private @Nullable Path key;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "CA that certificates of clients and other servers must come from (PEM).")
    private @Nullable Path ca;

    @Option(
            names = "--access",
            paramLabel = "FILE",
            description =
                    "Who may do what. Without it every certificate of the CA may do what clients"
                            + " do.")
    private @Nullable Path access;

    @Option(
            names = "--insecure",
            description = "Listen in plain text on an address that other machines can reach.")
    private boolean insecure;

    @Option(
            names = "--no-file-reads",
            description =
                    "Read no files for loaders. Without it a loader that runs as the same user on"
                            + " this machine may leave it to this server to read its input.")
    private boolean noFileReads;

    @Option(
            names = "--unfinished-load-days",
            paramLabel = "N",
            description =
                    "Abort loads with --resume whose loaders have not been heard of for N days, if"
                            + " this server leads. Default: keep them until somebody resumes"
                            + " them")
    private int unfinishedLoadDays;

    @Mixin private StagingOptions staging = new StagingOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    ServeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (unfinishedLoadDays < 0) {
            throw PenstockException.usage(
                    "--unfinished-load-days " + unfinishedLoadDays + " is below 0.");
        }
        ServeOptions options =
                ServeOptions.of(data, listen)
                        .withJoin(Optional.ofNullable(join))
                        .withAdvertise(Optional.ofNullable(advertise))
                        .withReadsFiles(!noFileReads)
                        .withSecurity(
                                new ServerSecurity(
                                        TlsFiles.of(ca, certificate, key),
                                        Optional.ofNullable(access),
                                        insecure))
                        .withNode(
                                staging.nodeOptions()
                                        .withUnfinishedLoads(Duration.ofDays(unfinishedLoadDays)))
                        .withLog(line -> console.say("penstock: " + line));
        Thread.setDefaultUncaughtExceptionHandler(this::threadEnded);
        HostNames.forgetFailures();
        try (Interruption interruption = new Interruption(console, "the next start cleans up.")) {
            serve(options, interruption);
            // Whoever sends the signal has asked for this end, and it is no failure.
            interruption.hasComeToItsEnd(ExitCode.DONE);
        }
        return ExitCode.DONE;
    }

    private void serve(ServeOptions options, Interruption interruption)
            throws InterruptedException {
        try (RegionServerProcess server = RegionServerProcess.start(options)) {
            interruption.cancels(server::stop);
            CompletableFuture<Void> announced =
                    server.joined()
                            .whenComplete((joined, refusal) -> {
                                if (refusal == null) {
                                    announce(server.address());
                                } else {
                                    server.stop();
                                }
                            });
            server.awaitStop();
            if (announced.isCompletedExceptionally()
                    && announced.exceptionNow() instanceof PenstockException refusal) {
                throw refusal;
            }
        }
    }

    /**
     * A thread that has no memory to answer with leaves others waiting for what never comes. So the
     * process ends at once; what it has acknowledged is durable, and the next start goes on.
     */
    private void threadEnded(Thread thread, Throwable failure) {
        if (failure instanceof OutOfMemoryError memory && MemoryUsedUp.isHeap(memory)) {
            try {
                console.say("penstock: " + MemoryUsedUp.says(memory) + " The server ends.");
            } finally {
                Runtime.getRuntime().halt(ExitCode.FAILED);
            }
        }
        console.say("penstock: thread " + thread.getName() + " ended: " + Console.trace(failure));
    }

    /** The server has joined its leader, or leads, and answers requests from now on. */
    private void announce(String address) {
        console.say("penstock: listening on " + address);
        if (output.json()) {
            console.print(new JsonObject().put("address", address).toString());
            console.flush();
        }
    }
}
