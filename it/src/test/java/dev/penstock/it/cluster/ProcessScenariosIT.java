package dev.penstock.it.cluster;

/** The scenarios with plain processes, which any machine can run. */
final class ProcessScenariosIT extends FleetScenarios {
    @Override
    Fleet start(FleetSpec spec) throws Exception {
        return ProcessFleet.start(folder, spec);
    }
}
