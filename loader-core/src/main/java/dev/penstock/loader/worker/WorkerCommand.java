package dev.penstock.loader.worker;

import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The command line of a worker process: this JVM's, with the heap set by the load's budget. */
final class WorkerCommand {
    private static final List<String> KEPT_PREFIXES =
            List.of(
                    "--add-modules",
                    "--add-opens",
                    "--add-exports",
                    "--add-exports=java.base/jdk.internal.module=",
                    "--enable-native-access",
                    "--sun-misc-unsafe-memory-access",
                    "-XX:UseAVX",
                    "-XX:MaxVectorSize",
                    "-XX:+Use",
                    "-XX:-",
                    "-XX:LoopUnrollLimit",
                    "-XX:FreqInlineSize",
                    "-XX:InlineSmallCode",
                    "-XX:Tier",
                    "-XX:CompileCommand",
                    "-XX:AOTCache=",
                    "-Xlog:aot",
                    "-Xlog:cds",
                    "-Dio.netty.",
                    "-Djdk.reflect.",
                    "-Djava.library.path=",
                    "-Dpenstock.");

    private static final long MIN_HEAP_BYTES = 384L << 20;

    /**
     * Few young bytes, used again and again, stay in the processor's cache. What this JVM was told
     * may be more than a worker's heap.
     */
    private static final List<String> YOUNG = List.of("-Xms128m", "-Xmn64m");

    /** That is where messages to the driver go, and Java logs there unless told otherwise. */
    private static final List<String> NO_LOG_ON_STANDARD_OUTPUT =
            List.of("-Xlog:disable", "-Xlog:all=warning:stderr");

    private WorkerCommand() {}

    static List<String> of(long heapBytes) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(NO_LOG_ON_STANDARD_OUTPUT);
        for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (KEPT_PREFIXES.stream().anyMatch(argument::startsWith)) {
                command.add(argument);
            }
        }
        command.add("-Xmx" + Math.max(MIN_HEAP_BYTES, heapBytes) / 1024 + "k");
        command.addAll(YOUNG);
        command.add("-cp");
        command.add(classPath());
        command.add(WorkerMain.class.getName());
        return command;
    }

    /** The class path of this process, and what its class loader has been given besides. */
    private static String classPath() {
        Set<String> entries = new LinkedHashSet<>();
        if (WorkerCommand.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                try {
                    entries.add(Path.of(url.toURI()).toString());
                } catch (URISyntaxException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        entries.addAll(
                List.of(
                        System.getProperty("java.class.path", "")
                                .split(java.io.File.pathSeparator)));
        entries.remove("");
        return String.join(java.io.File.pathSeparator, entries);
    }
}
