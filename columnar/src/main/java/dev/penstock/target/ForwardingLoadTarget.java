package dev.penstock.target;

import dev.penstock.schema.TableSchema;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A target that passes every call on to another one, for those that change or watch a few of them.
 * Whatever a target learns to do is passed on here, and so by all of them.
 */
public abstract class ForwardingLoadTarget implements LoadTarget {
    private final LoadTarget target;

    /** To a target that closes with this one. */
    protected ForwardingLoadTarget(LoadTarget target) {
        this.target = target;
    }

    @Override
    public TargetCapabilities capabilities() {
        return target.capabilities();
    }

    @Override
    public String address() {
        return target.address();
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
        return target.begin(request, listener);
    }

    @Override
    public boolean resumes() {
        return target.resumes();
    }

    @Override
    public Optional<UnfinishedLoad> unfinished(String table, String label) {
        return target.unfinished(table, label);
    }

    @Override
    public LoadSession resume(
            UnfinishedLoad load, AckListener listener, Consumer<byte[]> checkpoints) {
        return target.resume(load, listener, checkpoints);
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
