package dev.penstock.kv;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.ClusterStatus;
import dev.penstock.kv.api.RegionServerStatus;
import dev.penstock.kv.api.TableDescriptor;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.client.Routes;
import dev.penstock.kv.client.RowIds;
import dev.penstock.kv.client.RowWriter;
import dev.penstock.kv.client.load.StoreLoadTarget;
import dev.penstock.kv.net.RemoteCluster;
import dev.penstock.kv.node.NodeOptions;
import dev.penstock.kv.node.RegionServerNode;
import dev.penstock.kv.security.ClientSecurity;
import dev.penstock.kv.server.EmbeddedCluster;
import dev.penstock.schema.TableSchema;
import dev.penstock.target.LoadTarget;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A store: in a folder of this machine, opened by one process at a time, or on region servers.
 * Thread-safe; to be closed.
 */
public final class Penstock implements AutoCloseable {
    private final Cluster cluster;
    private final Routes routes;

    /** By table, of those without a key that were asked for. */
    private final ConcurrentHashMap<Long, RowIds> rowIds = new ConcurrentHashMap<>();

    private Penstock(Cluster cluster) {
        this.cluster = cluster;
        this.routes = new Routes(cluster.metadata());
    }

    /**
     * Opens the store in a folder, creating it if there is none.
     *
     * @throws PenstockException of category CONFLICT if another process has it open
     */
    public static Penstock open(Path dir) {
        return open(dir, NodeOptions.defaults());
    }

    public static Penstock open(Path dir, NodeOptions options) {
        return new Penstock(EmbeddedCluster.open(dir, options));
    }

    /**
     * Whether there is a store in a folder, which {@link #open} would not have to create; one that
     * cannot be looked at may have one, and opening it says what is wrong.
     */
    public static boolean mayBeIn(Path dir) {
        return RegionServerNode.mayBeIn(dir);
    }

    /**
     * Connects to region servers of this machine in plain text.
     *
     * @param addresses {@code HOST:PORT[,HOST:PORT]}; any server of the store will do, the others
     *     are tried if it does not answer
     */
    public static Penstock connect(String addresses) {
        return connect(addresses, ClientSecurity.PLAIN);
    }

    /** The same with TLS, a token, or in plain text over a network. */
    public static Penstock connect(String addresses, ClientSecurity security) {
        return new Penstock(RemoteCluster.connect(addresses, security));
    }

    /**
     * Asks one region server what it hosts; no other needs to be reached.
     *
     * @param address {@code HOST:PORT}
     * @throws PenstockException of category RETRY while it does not answer or has not joined its
     *     leader
     */
    public static RegionServerStatus ask(String address, ClientSecurity security) {
        return RemoteCluster.ask(address, security);
    }

    /** A store that has been reached already; closing this closes it. */
    public static Penstock of(Cluster cluster) {
        return new Penstock(cluster);
    }

    /** Creates a table; category CONFLICT if one of that name exists. */
    public void createTable(TableSchema schema) {
        cluster.metadata().createTable(schema);
        routes.forget(schema.name());
    }

    /** Drops a table with its rows; false if there is none. */
    public boolean dropTable(String name) {
        boolean dropped = cluster.metadata().dropTable(name);
        routes.forget(name);
        return dropped;
    }

    /** All tables by name. */
    public List<TableSchema> tables() {
        List<TableSchema> schemas = new ArrayList<>();
        for (TableDescriptor table : cluster.metadata().tables()) {
            schemas.add(table.schema());
        }
        return schemas;
    }

    /**
     * The table of that name, without regard to case.
     *
     * @throws PenstockException of category USAGE if there is none
     */
    public Table table(String name) {
        return table(cluster.metadata().existing(name));
    }

    public Optional<Table> findTable(String name) {
        return cluster.metadata().table(name).map(this::table);
    }

    private Table table(TableDescriptor descriptor) {
        TableSchema schema = descriptor.schema();
        RowIds ids =
                rowIds.computeIfAbsent(
                        descriptor.tableId(), id -> new RowIds(cluster.metadata(), schema.name()));
        return new Table(
                this, cluster, routes, descriptor, new RowWriter(cluster, routes, descriptor, ids));
    }

    /** The store as a target of loads; closing the target leaves the store open. */
    public LoadTarget loadTarget() {
        return StoreLoadTarget.of(cluster);
    }

    public ClusterStatus status() {
        return cluster.metadata().status();
    }

    /** The status; empty for who has not the role read for all tables. */
    public Optional<ClusterStatus> statusIfAllowed() {
        try {
            return Optional.of(status());
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.DENIED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Where others reach the same store: {@code dir:PATH} or {@code tcp:HOST:PORT}. */
    public String address() {
        return cluster.address();
    }

    /** The way to servers and leader that this store uses; it stays open while this store does. */
    public Cluster cluster() {
        return cluster;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
