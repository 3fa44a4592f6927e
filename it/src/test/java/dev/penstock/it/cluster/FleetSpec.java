package dev.penstock.it.cluster;

/**
 * What the servers of a fleet have.
 *
 * @param diskBytes size of the disk of server {@link #smallServer}, or 0 for no limit
 * @param memoryBytes all that the same server may use of memory, or 0 for no limit
 * @param smallServer the server with the limits
 */
record FleetSpec(long diskBytes, long memoryBytes, int smallServer) {
    static FleetSpec unlimited() {
        return new FleetSpec(0, 0, 0);
    }

    static FleetSpec smallDisk(int server, long bytes) {
        return new FleetSpec(bytes, 0, server);
    }

    static FleetSpec smallMemory(int server, long bytes) {
        return new FleetSpec(0, bytes, server);
    }

    long diskBytes(int server) {
        return server == smallServer ? diskBytes : 0;
    }

    long memoryBytes(int server) {
        return server == smallServer ? memoryBytes : 0;
    }
}
