package dev.penstock.target;

/**
 * What another process needs to take part in a load.
 *
 * @param address where {@link LoadTargetProvider#open} finds the target
 * @param loadId names the load in the target
 * @param loadOrdinal small number of the load, unique in the store; part of hidden row ids
 */
public record LoadTicket(String address, String loadId, long loadOrdinal) {}
