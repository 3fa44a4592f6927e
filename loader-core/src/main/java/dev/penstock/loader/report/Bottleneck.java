package dev.penstock.loader.report;

import dev.penstock.loader.LoadReport.BottleneckReport;
import dev.penstock.loader.LoadReport.StepReport;

import java.util.List;

/** Names what limits a load, from its CPU times and its duration. */
final class Bottleneck {
    /** Below this share of this machine's processors in use, a load waits more than it works. */
    private static final double BUSY = 0.6;

    private Bottleneck() {}

    static BottleneckReport of(List<StepReport> steps, double seconds) {
        return of(steps, seconds, Runtime.getRuntime().availableProcessors());
    }

    static BottleneckReport of(List<StepReport> steps, double seconds, int processors) {
        double total = 0;
        StepReport largest = new StepReport("loader", "runtime", 0, 0);
        for (StepReport step : steps) {
            total += step.cpuSeconds();
            if (step.cpuSeconds() > largest.cpuSeconds()) {
                largest = step;
            }
        }
        double coresBusy = seconds <= 0 ? 0 : total / seconds;
        String name =
                coresBusy < BUSY * processors ? "waiting" : largest.site() + " " + largest.step();
        double share = total <= 0 ? 0 : largest.cpuSeconds() / total;
        return new BottleneckReport(name, share, largest.nanosPerRow(), coresBusy);
    }
}
