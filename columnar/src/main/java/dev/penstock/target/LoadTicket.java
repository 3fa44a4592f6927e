package dev.penstock.target;

/**
 * What another process needs to take part in a load.
 *
 * @param address where {@link LoadTargetProvider#open} finds the target
 * @param loadId names the load in the target
 * @param loadOrdinal small number of the load, unique in the store; part of hidden row ids
 * @param access what {@link LoadTargetProvider#open} needs besides the address
 * @param provider class of the {@link LoadTargetProvider}; empty: it has to be searched for
 */
public record LoadTicket(
        String address, String loadId, long loadOrdinal, TargetAccess access, String provider) {
    /** For a target whose address says all. */
    public LoadTicket(String address, String loadId, long loadOrdinal) {
        this(address, loadId, loadOrdinal, TargetAccess.NONE, "");
    }
}
