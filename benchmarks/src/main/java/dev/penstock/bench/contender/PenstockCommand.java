package dev.penstock.bench.contender;

import dev.penstock.cli.Main;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the command {@code penstock} is started: the script, or a JVM with this one's class path. */
record PenstockCommand(@Nullable Path script) {
    List<String> of(List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (script != null) {
            command.add(script.toAbsolutePath().toString());
        } else {
            command.addAll(ChildJvm.command("1g", Main.class));
        }
        command.addAll(arguments);
        return command;
    }

    /** The arguments of {@code load} but for the store. */
    static List<String> load(Workload workload, Path ddl) {
        List<String> arguments = new ArrayList<>();
        arguments.add("load");
        arguments.add(workload.file().toString());
        arguments.addAll(List.of("--ddl", ddl.toString()));
        arguments.addAll(List.of("--threads", Integer.toString(workload.threads())));
        arguments.addAll(workload.format().options());
        arguments.addAll(List.of("--json", "--quiet"));
        return arguments;
    }

    /** What {@code --version} says after the name. */
    String version() throws IOException, InterruptedException {
        String said = ChildProcess.run(of(List.of("--version")));
        return said.substring(said.indexOf(' ') + 1);
    }

    String words() {
        return script != null ? script.toString() : "a JVM of this one's class path";
    }
}
