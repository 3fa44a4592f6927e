package dev.penstock.sampler.split;

/**
 * How even regions will be.
 *
 * @param expected rows of the largest region / mean rows, as expected
 * @param bound the same, exceeded in one of a hundred cases
 * @param heaviestShare share of the rows that the largest region held in the sample
 */
public record BalanceEstimate(double expected, double bound, double heaviestShare) {}
