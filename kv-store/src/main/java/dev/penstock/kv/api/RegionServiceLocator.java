package dev.penstock.kv.api;

/** Finds the way to a region server. */
@FunctionalInterface
public interface RegionServiceLocator {
    /** The server itself or a proxy; never blocks, calls on the result may fail. */
    RegionService locate(ServerDescriptor server);
}
