package dev.penstock.cli;

import dev.penstock.loader.OwnProcess;

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
        OwnProcess.begin();
        HeadStart.begin(args);
        int code = Cli.run(Console.ofProcess(), args);
        record(code);
        OwnProcess.end(code);
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
