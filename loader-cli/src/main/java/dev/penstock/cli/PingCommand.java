package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.Counted;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.api.RegionServerStatus;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/** Whether one server serves: what a health check asks. */
@Command(
        name = "ping",
        abbreviateSynopsis = true,
        header = "Asks one region server whether it serves; exit code 0 if it does.",
        footerHeading = "%n",
        footer = {"  penstock ping", "  penstock ping 127.0.0.1:7071", ""},
        description = {"", "A server serves once it has joined its leader."},
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class PingCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(
            arity = "0..1",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7070",
            description = "The server. Default: 127.0.0.1:7070")
    private String address = "127.0.0.1:7070";

    @Mixin private ConnectionOptions connection = new ConnectionOptions();

    @Mixin private OutputOptions output = new OutputOptions();

    PingCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        RegionServerStatus status = Penstock.ask(address, connection.security());
        int regions = status.regions().size();
        if (output.json()) {
            console.print(
                    new JsonObject()
                            .put("id", status.server().serverId())
                            .put("address", status.server().address())
                            .put("regions", regions)
                            .toString());
        } else {
            console.print(
                    "server "
                            + status.server().address()
                            + " serves "
                            + Counted.of(regions, "region"));
        }
        return ExitCode.DONE;
    }
}
