package dev.penstock.loader;

import dev.penstock.error.PenstockException;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTargetProvider;
import dev.penstock.target.TargetAccess;

import java.util.ServiceLoader;

/** Finds targets by their address among the providers on the class path. */
public final class LoadTargets {
    private LoadTargets() {}

    public static LoadTarget open(String address) {
        return open(address, TargetAccess.NONE);
    }

    public static LoadTarget open(String address, TargetAccess access) {
        for (LoadTargetProvider provider : ServiceLoader.load(LoadTargetProvider.class)) {
            if (provider.accepts(address)) {
                return provider.open(address, access);
            }
        }
        throw PenstockException.usage("No store understands the address '" + address + "'.");
    }
}
