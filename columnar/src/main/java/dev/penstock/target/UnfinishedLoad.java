package dev.penstock.target;

/**
 * A load with a plan that has neither been published nor aborted.
 *
 * @param loadId its name in the target
 * @param request as it began, with the plan
 */
public record UnfinishedLoad(String loadId, LoadRequest request) {}
