package dev.penstock.kv.api;

/**
 * What the leader tells a server that joins.
 *
 * @param regionIds the regions that the server hosts; it drops all others
 * @param report what it tells the servers that are there, too
 */
public record JoinReply(long[] regionIds, ReportReply report) {}
