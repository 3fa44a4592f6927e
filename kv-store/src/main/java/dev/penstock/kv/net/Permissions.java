package dev.penstock.kv.net;

import dev.penstock.bytes.ByteAccess;
import dev.penstock.kv.security.Permission;
import dev.penstock.kv.security.Role;
import dev.penstock.kv.wire.MessageType;
import dev.penstock.kv.wire.Request;

import java.util.List;
import java.util.Optional;

/**
 * What each request needs. A region server is told by the leader, and the leader by clients, what
 * concerns whole tables: so most of what is asked of region servers but reads and writes of rows is
 * for servers only.
 */
final class Permissions {
    private Permissions() {}

    static Permission of(Request request) {
        return switch (request) {
            case Request.Ping _, Request.Epoch _, Request.Servers _ -> new Permission.Known();

            // The reply has only the tables that may be read, and loads of those.
            case Request.Tables _, Request.PublishedSince _ -> new Permission.Known();

            // Cursors are a connection's own; whether their table may be read is asked on the way.
            case Request.NextRows _, Request.CloseScan _ -> new Permission.Known();

            case Request.Get r -> region(Role.READ, r.regionId());
            case Request.OpenScan r -> region(Role.READ, r.scan().regionId());
            case Request.Count r -> region(Role.READ, r.regionId());
            case Request.Aggregate r -> region(Role.READ, r.regionId());
            case Request.Checksum r -> region(Role.READ, r.regionId());
            case Request.FirstPresent r -> region(Role.READ, r.regionId());
            case Request.Put r -> region(Role.WRITE, r.regionId());
            case Request.Insert r -> region(Role.WRITE, r.regionId());
            case Request.Delete r -> region(Role.WRITE, r.regionId());
            case Request.CheckWrite r -> region(Role.WRITE, r.regionId());
            case Request.Fragment r -> region(Role.WRITE, r.header().regionId());
            case Request.Finish r -> new Permission.OfRegions(Role.WRITE, r.regionIds());

            case Request.Table r -> new Permission.OfTable(Role.READ, r.name());
            case Request.Regions r -> new Permission.OfTable(Role.READ, r.table());
            case Request.Labelled r -> new Permission.OfTable(Role.READ, r.table());
            case Request.PreSplit r -> new Permission.OfTable(Role.WRITE, r.table());
            case Request.RunningLoads r -> new Permission.OfTable(Role.WRITE, r.table());

            // A load that says it created its table takes the table along if it fails.
            case Request.BeginLoad r ->
                    new Permission.OfTable(
                            r.load().createsTable() ? Role.ADMIN : Role.WRITE, r.load().table());
            case Request.CreateTable r -> new Permission.OfTable(Role.ADMIN, r.schema().name());
            case Request.DropTable r -> new Permission.OfTable(Role.ADMIN, r.name());

            case Request.Load r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.ForceLoad r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.ResumeLoad r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.ReleaseLoad r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.Checkpoint r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.Checkpoints r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.Publish r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.Abort r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.SignOfLife r -> new Permission.OfLoad(Role.WRITE, r.loadId());
            case Request.LoadState r -> new Permission.OfLoad(Role.WRITE, r.loadId());

            case Request.ServerStatus _, Request.ClusterStatus _ ->
                    new Permission.OfAllTables(Role.READ);

            case Request.CreateRegions _,
                    Request.DropRegion _,
                    Request.CloseIfEmpty _,
                    Request.OpenLoad _,
                    Request.Install _,
                    Request.Discard _,
                    Request.RevokeLease _,
                    Request.Join _,
                    Request.Report _ ->
                    new Permission.ServerOnly();
        };
    }

    /** What a request that begins with its region and goes on with rows or keys needs. */
    static Optional<Permission> ofRows(MessageType type, byte[] message) {
        Optional<Role> role =
                switch (type) {
                    case PUT, INSERT, DELETE, CHECK_WRITE -> Optional.of(Role.WRITE);
                    case FIRST_PRESENT -> Optional.of(Role.READ);
                    default -> Optional.empty();
                };
        return role.filter(needed -> message.length >= Long.BYTES)
                .map(needed -> region(needed, ByteAccess.getLong(message, 0)));
    }

    private static Permission region(Role role, long regionId) {
        return new Permission.OfRegions(role, List.of(regionId));
    }
}
