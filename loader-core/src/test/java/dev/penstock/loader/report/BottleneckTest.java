package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.loader.LoadReport.BottleneckReport;
import dev.penstock.loader.LoadReport.StepReport;

import org.junit.jupiter.api.Test;

import java.util.List;

final class BottleneckTest {
    private static final List<StepReport> STEPS =
            List.of(
                    new StepReport("loader", "deserialize", 1.0, 100),
                    new StepReport("region_server", "merge", 2.0, 200),
                    new StepReport("loader", "runtime", 1.0, 100));

    @Test
    void namesTheLargestStepOfABusyLoad() {
        BottleneckReport bottleneck = Bottleneck.of(STEPS, 2.2, 2);
        assertThat(bottleneck.name()).isEqualTo("region_server merge");
        assertThat(bottleneck.cpuShare()).isCloseTo(0.5, within(1e-9));
        assertThat(bottleneck.nanosPerRow()).isEqualTo(200);
        assertThat(bottleneck.coresBusy()).isCloseTo(4 / 2.2, within(1e-9));
    }

    @Test
    void saysThatALoadWaitsWhenProcessorsAreIdle() {
        BottleneckReport bottleneck = Bottleneck.of(STEPS, 8, 2);
        assertThat(bottleneck.name()).isEqualTo("waiting");
        assertThat(bottleneck.cpuShare()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void knowsALoadWithoutSteps() {
        assertThat(Bottleneck.of(List.of(), 0, 2))
                .isEqualTo(new BottleneckReport("waiting", 0, 0, 0));
    }
}
