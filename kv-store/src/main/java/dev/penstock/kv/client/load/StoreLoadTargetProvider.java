package dev.penstock.kv.client.load;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.net.RemoteCluster;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.server.EmbeddedCluster;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTargetProvider;
import dev.penstock.target.TargetAccess;

import java.nio.file.Path;

/** Opens stores by address: {@code dir:PATH} or {@code tcp:HOST:PORT[,HOST:PORT]}. */
public final class StoreLoadTargetProvider implements LoadTargetProvider {
    private static final String FOLDER = "dir:";
    private static final String SERVERS = "tcp:";

    @Override
    public boolean accepts(String address) {
        return address.startsWith(FOLDER) || address.startsWith(SERVERS);
    }

    @Override
    public LoadTarget open(String address) {
        return open(address, TargetAccess.NONE);
    }

    @Override
    public LoadTarget open(String address, TargetAccess access) {
        if (address.startsWith(FOLDER)) {
            Path folder = Path.of(address.substring(FOLDER.length()));
            return StoreLoadTarget.owning(EmbeddedCluster.open(folder));
        }
        if (address.startsWith(SERVERS)) {
            return StoreLoadTarget.owning(
                    RemoteCluster.connect(
                            address.substring(SERVERS.length()), ClientSecurity.of(access)));
        }
        throw PenstockException.usage(
                "'" + address + "' is no store; expected dir:PATH or tcp:HOST:PORT");
    }
}
