package dev.penstock.it.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;

/**
 * The scenarios with plain processes, which any machine can run: where they do not run in
 * containers, or where {@code -Dpenstock.scenarios=all} asks for both.
 */
final class ProcessScenariosIT extends FleetScenarios {
    @BeforeAll
    static void leaveThemToContainers() throws Exception {
        boolean both = "all".equals(System.getProperty("penstock.scenarios"));
        boolean here = both || !ContainerImage.isPossible();
        if (!here) {
            System.out.println("ProcessScenariosIT skipped: the scenarios run in containers");
        }
        assumeTrue(here, "skipped: the scenarios run in containers");
    }

    @Override
    Fleet start(FleetSpec spec) throws Exception {
        return ProcessFleet.start(folder, spec);
    }
}
