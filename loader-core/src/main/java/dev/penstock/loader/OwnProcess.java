package dev.penstock.loader;

import dev.penstock.kernel.KernelSelection;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the processes that run nothing but Penstock, commands and workers, do first and last, so
 * that Java opens no jars for it.
 */
public final class OwnProcess {
    private static final String SELECTORS = "java.nio.channels.spi.SelectorProvider";

    private OwnProcess() {}

    /**
     * Names Java's own choice of selectors on Linux: it would open every jar to look for others.
     */
    public static void begin() {
        if (System.getProperty("os.name").equals("Linux")
                && System.getProperty(SELECTORS) == null) {
            System.setProperty(SELECTORS, "sun.nio.ch.EPollSelectorProvider");
        }
    }

    /** Says that this process loads; what that wants compiled beside a daemon gets ready. */
    public static void beginLoading() {
        KernelSelection.beginLoading(
                task -> Thread.ofPlatform().name("penstock-warm-up").daemon().start(task));
    }

    /**
     * Ends the process at once, unless the code is 0 and no thread but this one keeps it alive:
     * then it ends when this one does.
     */
    public static void end(int code) {
        if (code == 0 && !othersRun()) {
            return;
        }
        if (nativeLibrariesLieBeside() && !endsAlready()) {
            Runtime.getRuntime().halt(code);
        }
        Runtime.getRuntime().exit(code);
    }

    /** Whether a thread would keep the process alive when this one ends. */
    private static boolean othersRun() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> !thread.isDaemon() && !thread.equals(Thread.currentThread()));
    }

    /**
     * Whether there is nothing for {@code exit} to do but what our own hooks are there for, which
     * has been done by now. It first opens every jar to look for somebody who logs exits, which
     * takes longer than many commands. But where native libraries do not lie beside the jars, they
     * have been copied to a temporary folder, and only {@code exit} takes them away again.
     */
    private static boolean nativeLibrariesLieBeside() {
        return Files.isDirectory(Path.of(System.getProperty("java.library.path", "none")));
    }

    /** Because of a signal: then our hooks run, and say how the process ends. */
    private static boolean endsAlready() {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread("ends"));
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
