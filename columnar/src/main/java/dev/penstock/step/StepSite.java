package dev.penstock.step;

/** Where a step ran. */
public enum StepSite {
    LOADER,
    REGION_SERVER
}
