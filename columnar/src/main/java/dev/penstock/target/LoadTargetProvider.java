package dev.penstock.target;

/** Finds a target by its address; implementations are registered for {@code ServiceLoader}. */
public interface LoadTargetProvider {
    /**
     * Whether this provider understands the address: {@code dir:PATH} for a store embedded in this
     * process, {@code tcp:HOST:PORT[,HOST:PORT]} for region servers.
     */
    boolean accepts(String address);

    /**
     * Opens the target.
     *
     * @throws dev.penstock.error.PenstockException if it cannot be reached or is locked
     */
    LoadTarget open(String address);

    /** The same where the address does not say all. */
    default LoadTarget open(String address, TargetAccess access) {
        return open(address);
    }
}
