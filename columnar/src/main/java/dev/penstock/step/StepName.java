package dev.penstock.step;

/** What time is spent on, in the order of the data flow. */
public enum StepName {
    READ,
    DESERIALIZE,
    SORT,
    ENCODE,
    TRANSFER,
    MERGE,
    WRITE,
    VERIFY,
    PUBLISH
}
