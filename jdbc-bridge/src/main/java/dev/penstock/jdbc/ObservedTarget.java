package dev.penstock.jdbc;

import dev.penstock.schema.TableSchema;
import dev.penstock.target.AckListener;
import dev.penstock.target.LabelledLoad;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.LoadTicket;
import dev.penstock.target.RegionMap;
import dev.penstock.target.TargetCapabilities;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A target that tells the name of the load that it begins. */
final class ObservedTarget implements LoadTarget {
    private final LoadTarget target;
    private final Consumer<String> begun;

    /** Of a target that closes with this one. */
    ObservedTarget(LoadTarget target, Consumer<String> begun) {
        this.target = target;
        this.begun = begun;
    }

    @Override
    public TargetCapabilities capabilities() {
        return target.capabilities();
    }

    @Override
    public Optional<TableSchema> table(String name) {
        return target.table(name);
    }

    @Override
    public void createTable(TableSchema schema) {
        target.createTable(schema);
    }

    @Override
    public RegionMap regions(String table) {
        return target.regions(table);
    }

    @Override
    public long rowCount(String table) {
        return target.rowCount(table);
    }

    @Override
    public Optional<LabelledLoad> labelled(String table, String label) {
        return target.labelled(table, label);
    }

    @Override
    public int serverCount() {
        return target.serverCount();
    }

    @Override
    public RegionMap preSplit(String table, List<byte[]> splitPoints) {
        return target.preSplit(table, splitPoints);
    }

    @Override
    public LoadSession begin(LoadRequest request, AckListener listener) {
        LoadSession session = target.begin(request, listener);
        begun.accept(session.loadId());
        return session;
    }

    @Override
    public LoadSession attach(LoadTicket ticket, AckListener listener) {
        return target.attach(ticket, listener);
    }

    @Override
    public void close() {
        target.close();
    }
}
