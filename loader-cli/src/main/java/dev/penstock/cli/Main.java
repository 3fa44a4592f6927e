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

    private static final String SELECTORS = "java.nio.channels.spi.SelectorProvider";

    private Main() {}

    public static void main(String[] args) {
        nameSelectors();
        HeadStart.begin(args);
        int code = Cli.run(Console.ofProcess(), args);
        record(code);
        if (code != ExitCode.DONE || othersRun()) {
            end(code);
        }
    }

    /**
     * Java's own choice of selectors on Linux, named: it would open every jar to look for another.
     */
    private static void nameSelectors() {
        if (System.getProperty("os.name").equals("Linux")
                && System.getProperty(SELECTORS) == null) {
            System.setProperty(SELECTORS, "sun.nio.ch.EPollSelectorProvider");
        }
    }

    /**
     * Ends the process without {@code exit}: that first opens every jar to look for somebody who
     * logs exits, which takes longer than many commands. What our hooks are there for has been done
     * by now, unless they run already, because of a signal: then they say how the process ends.
     */
    private static void end(int code) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread("ends"));
        } catch (IllegalStateException e) {
            Runtime.getRuntime().exit(code);
        }
        Runtime.getRuntime().halt(code);
    }

    /** Whether a thread would keep the process alive when this one ends. */
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
