package dev.penstock.loader;

import dev.penstock.dict.TokenTables;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.plan.RegionSplit;
import dev.penstock.loader.plan.ResolvedLoad;
import dev.penstock.loader.report.RejectLog;
import dev.penstock.target.AckListener;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;

/**
 * From a plan to a session at the target: makes the table if there is none, splits its regions, and
 * begins the load, or goes on with an unfinished one. If it fails, a table that it made goes.
 */
final class LoadBeginning {
    private final LoadSpec spec;
    private final LoadTarget target;
    private final Inputs inputs;
    private final Continuation continuation;

    LoadBeginning(LoadSpec spec, LoadTarget target, Inputs inputs, Continuation continuation) {
        this.spec = spec;
        this.target = target;
        this.inputs = inputs;
        this.continuation = continuation;
    }

    LoadSession run(ResolvedLoad load, AckListener acks, RejectLog rejects) {
        if (continuation.planned().isPresent()) {
            return continuation.resume(load, acks, rejects);
        }
        if (!load.createTable()) {
            return begin(load, acks, rejects);
        }
        target.createTable(load.schema());
        try {
            return begin(load, acks, rejects);
        } catch (RuntimeException | Error e) {
            removeTable(load, e);
            throw e;
        }
    }

    private LoadSession begin(ResolvedLoad load, AckListener acks, RejectLog rejects) {
        // Words of columns are still being chosen, by another thread.
        RegionSplit.run(target, load, () -> request(load, false, load.tokens().join()));
        LoadRequest request = request(load, load.createTable(), load.tokens().join());
        return continuation.begin(load, request, acks, rejects, target);
    }

    /** A load that has made its table takes it along when it is aborted, though it sent nothing. */
    private void removeTable(ResolvedLoad load, Throwable failure) {
        try (LoadSession session = target.begin(request(load, true, TokenTables.NONE), ack -> {})) {
            session.abort();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private LoadRequest request(ResolvedLoad load, boolean createsTable, TokenTables tokens) {
        return new LoadRequest(
                load.schema().name(),
                spec.label(),
                spec.duplicates(),
                load.dialect().dialect(),
                load.dialect().fieldColumns(),
                inputs.files().stream().map(file -> file.name()).toList(),
                spec.offload() == OffloadPolicy.SEQUENTIAL,
                createsTable,
                spec.verification(),
                tokens,
                "");
    }
}
