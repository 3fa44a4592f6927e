package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.concurrent.Callable;

/** Prints a script that completes commands and options. */
@Command(
        name = "completion",
        abbreviateSynopsis = true,
        header = "Prints a script that completes commands and options in bash and zsh.",
        footerHeading = "%n",
        footer = {"  source <(penstock completion)", ""},
        optionListHeading = "%n")
final class CompletionCommand implements Callable<Integer> {
    private final Console console;

    @Mixin private OutputOptions output = new OutputOptions();

    CompletionCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        String script = AutoComplete.bash("penstock", Commands.all(console));
        console.print(
                output.json()
                        ? new JsonObject().put("shell", "bash").put("script", script).toString()
                        : script.stripTrailing());
        return ExitCode.DONE;
    }
}
