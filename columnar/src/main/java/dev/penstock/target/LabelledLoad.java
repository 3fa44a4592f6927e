package dev.penstock.target;

/**
 * A published load that a user gave a label.
 *
 * @param loadId its name in the target
 * @param epoch the epoch from which it is seen
 * @param report what {@link LoadSession#publish} was given: the load's own account of itself
 */
public record LabelledLoad(String loadId, long epoch, String report) {}
