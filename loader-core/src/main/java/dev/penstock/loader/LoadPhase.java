package dev.penstock.loader;

import java.util.Locale;

/** What a load is doing, in order. */
public enum LoadPhase {
    PLAN,
    SAMPLE,
    SPLIT,
    LOAD,
    MERGE,
    PUBLISH;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
