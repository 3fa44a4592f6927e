package dev.penstock.sampler.profile;

/**
 * What a sample says about one column.
 *
 * @param rows good rows in the sample
 * @param nullShare share of NULLs, 0..1
 * @param meanBytes mean bytes of a value that is not NULL, in plain form
 * @param distinctEstimate distinct values in the sample, estimated
 */
public record ColumnProfile(long rows, double nullShare, double meanBytes, long distinctEstimate) {}
