package dev.penstock.loader;

import dev.penstock.error.PenstockException;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTargetProvider;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.TargetAccess;

import java.util.ServiceLoader;

/** Finds targets by their address among the providers on the class path. */
public final class LoadTargets {
    private LoadTargets() {}

    /**
     * The target of a load that another process has begun. If its ticket names the provider, that
     * is not searched for, which would open every jar.
     */
    public static LoadTarget open(LoadTicket ticket) {
        if (ticket.provider().isEmpty()) {
            return open(ticket.address(), ticket.access());
        }
        try {
            return Class.forName(ticket.provider())
                    .asSubclass(LoadTargetProvider.class)
                    .getConstructor()
                    .newInstance()
                    .open(ticket.address(), ticket.access());
        } catch (ReflectiveOperationException e) {
            throw PenstockException.internal("there is no " + ticket.provider() + " here");
        }
    }

    private static LoadTarget open(String address, TargetAccess access) {
        for (LoadTargetProvider provider : ServiceLoader.load(LoadTargetProvider.class)) {
            if (provider.accepts(address)) {
                return provider.open(address, access);
            }
        }
        throw PenstockException.usage("No store understands the address '" + address + "'.");
    }
}
