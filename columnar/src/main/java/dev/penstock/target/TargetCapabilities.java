package dev.penstock.target;

import dev.penstock.step.FragmentForm;
import java.util.Set;

/**
 * What a target can do itself.
 *
 * @param forms the forms of fragments it takes
 * @param atomicity how much of a load becomes visible at one instant
 * @param placement whether it pre-splits regions on request
 */
public record TargetCapabilities(
        Set<FragmentForm> forms, Atomicity atomicity, Placement placement) {
    public TargetCapabilities {
        forms = Set.copyOf(forms);
    }

    /** How much becomes visible at one instant. */
    public enum Atomicity {
        ALL_REGIONS,
        PER_REGION
    }

    /** Who decides the regions' key ranges. */
    public enum Placement {
        PRE_SPLIT,
        FIXED
    }
}
