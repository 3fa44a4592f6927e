package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.server.RegionServerProcess;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

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
            names = "--insecure",
            description = "Listen in plain text on an address that other machines can reach.")
    private boolean insecure;

    @Mixin private OutputOptions output = new OutputOptions();

    ServeCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws InterruptedException {
        checkPlaintext();
        try (Interruption interruption = new Interruption(console);
                RegionServerProcess server = RegionServerProcess.start(data, listen, join)) {
            interruption.cancels(server::stop);
            console.say("penstock: listening on " + server.address());
            if (output.json()) {
                console.print(new JsonObject().put("address", server.address()).toString());
                console.flush();
            }
            server.awaitStop();
        }
        return ExitCode.DONE;
    }

    /** Plain text is for this machine only, unless the user says otherwise. */
    private void checkPlaintext() {
        int colon = listen.lastIndexOf(':');
        if (colon < 0) {
            throw PenstockException.usage("--listen " + listen + " is not HOST:PORT");
        }
        String host = listen.substring(0, colon);
        try {
            if (!insecure && !InetAddress.getByName(host).isLoopbackAddress()) {
                throw PenstockException.usage(
                        "--listen "
                                + listen
                                + " can be reached from other machines in plain text; listen on"
                                + " 127.0.0.1, or allow it with --insecure");
            }
        } catch (UnknownHostException e) {
            throw PenstockException.usage("--listen " + listen + ": there is no host " + host);
        }
    }
}
