package dev.penstock.it.cluster;

import org.junit.jupiter.api.BeforeAll;

/** The scenarios with containers of the image that the Dockerfile builds. */
final class ContainerScenariosIT extends FleetScenarios {
    private static String image = "";

    @BeforeAll
    static void buildImage() throws Exception {
        image = ContainerImage.build();
    }

    @Override
    Fleet start(FleetSpec spec) throws Exception {
        return ContainerFleet.start(image, folder, spec);
    }
}
