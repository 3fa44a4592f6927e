package dev.penstock.kv.client.load;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.client.StoreAddress;
import dev.penstock.kv.net.RemoteCluster;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.server.EmbeddedCluster;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTargetProvider;
import dev.penstock.target.TargetAccess;

import java.nio.file.Path;

/** Opens stores by address: {@code dir:PATH} or {@code tcp:HOST:PORT[,HOST:PORT]}. */
public final class StoreLoadTargetProvider implements LoadTargetProvider {
    @Override
    public boolean accepts(String address) {
        return StoreAddress.parse(address).isPresent();
    }

    @Override
    public LoadTarget open(String address) {
        return open(address, TargetAccess.NONE);
    }

    @Override
    public LoadTarget open(String address, TargetAccess access) {
        StoreAddress store =
                StoreAddress.parse(address)
                        .orElseThrow(() ->
                                PenstockException.usage(
                                        "'"
                                                + address
                                                + "' is no store; expected dir:PATH or"
                                                + " tcp:HOST:PORT"));
        return StoreLoadTarget.owning(
                switch (store) {
                    case StoreAddress.Folder folder -> EmbeddedCluster.open(Path.of(folder.path()));
                    case StoreAddress.Servers servers ->
                            RemoteCluster.connect(servers.hosts(), ClientSecurity.of(access));
                });
    }
}
