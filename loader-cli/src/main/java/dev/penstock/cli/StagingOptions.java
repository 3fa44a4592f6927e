package dev.penstock.cli;

import dev.penstock.kv.ingest.StagingLimits;
import dev.penstock.kv.node.NodeOptions;
import dev.penstock.loader.report.Quantities;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

/** How much memory a store of this process takes for fragments that wait for their merge. */
final class StagingOptions {
    @Option(
            names = "--staging-memory",
            paramLabel = "BYTES",
            description =
                    "Memory for fragments that wait for their merge, beside the heap; more of them"
                            + " go to files. Default: an eighth of the machine's")
    private @Nullable String memory;

    /** Whether the user said how much. */
    boolean given() {
        return memory != null;
    }

    NodeOptions nodeOptions() {
        NodeOptions options = NodeOptions.defaults();
        String size = memory;
        return size == null
                ? options
                : options.withStaging(
                        StagingLimits.ofMemory(Quantities.parseBytes("--staging-memory", size)));
    }
}
