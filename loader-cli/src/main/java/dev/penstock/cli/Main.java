package dev.penstock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Entry point of the {@code penstock} command. */
public final class Main {
    /**
     * Names a file that gets the exit code, for a caller that cannot hand it on: Maven ends with 1
     * whatever the failing command ended with.
     */
    private static final String EXIT_FILE = "penstock.exitFile";

    private Main() {}

    public static void main(String[] args) {
        HeadStart.begin(args);
        int code = Cli.run(Console.ofProcess(), args);
        record(code);
        if (code != ExitCode.DONE || othersRun()) {
            Runtime.getRuntime().exit(code);
        }
    }

    /**
     * Whether a thread would keep the process alive when this one ends. If none does that is how a
     * command ends: to be told to exit, Java first opens every jar to look for somebody who logs
     * exits, and that takes longer than many commands.
     */
    private static boolean othersRun() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> !thread.isDaemon() && !thread.equals(Thread.currentThread()));
    }

    private static void record(int code) {
        String file = System.getProperty(EXIT_FILE);
        if (file == null) {
            return;
        }
        try {
            Files.writeString(Path.of(file), Integer.toString(code));
        } catch (IOException e) {
            System.err.println("penstock: cannot write the exit code to " + file + ": " + e);
        }
    }
}
