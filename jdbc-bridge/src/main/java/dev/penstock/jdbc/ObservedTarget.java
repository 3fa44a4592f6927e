package dev.penstock.jdbc;

import dev.penstock.target.AckListener;
import dev.penstock.target.ForwardingLoadTarget;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;
import dev.penstock.target.UnfinishedLoad;

import java.util.function.Consumer;

/** A target that tells the name of the load that it begins or resumes. */
final class ObservedTarget extends ForwardingLoadTarget {
    private final Consumer<String> begun;

    /** Of a target that closes with this one. */
    ObservedTarget(LoadTarget target, Consumer<String> begun) {
        super(target);
        this.begun = begun;
    }

    @Override
    public LoadSession begin(LoadRequest request, AckListener listener) {
        return told(super.begin(request, listener));
    }

    @Override
    public LoadSession resume(
            UnfinishedLoad load, AckListener listener, Consumer<byte[]> checkpoints) {
        return told(super.resume(load, listener, checkpoints));
    }

    private LoadSession told(LoadSession session) {
        begun.accept(session.loadId());
        return session;
    }
}
