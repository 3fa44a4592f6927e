package dev.penstock.kv.ingest;

import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.step.Merge;
import dev.penstock.step.MergeLimits;

import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Steps of a load, each for one thread, that no thread uses at present. They keep their memory from
 * use to use, and from a load to the next one like it ({@link KeptSteps}). Thread-safe.
 */
final class IdleSteps {
    private final LoadDescriptor load;
    private final ConcurrentLinkedDeque<FragmentSteps> fragments;
    private final ConcurrentLinkedDeque<Merge> merges;

    IdleSteps(LoadDescriptor load) {
        this(load, new ConcurrentLinkedDeque<>(), new ConcurrentLinkedDeque<>());
    }

    private IdleSteps(
            LoadDescriptor load,
            ConcurrentLinkedDeque<FragmentSteps> fragments,
            ConcurrentLinkedDeque<Merge> merges) {
        this.load = load;
        this.fragments = fragments;
        this.merges = merges;
    }

    /**
     * Whether steps made for this load may be those of another: what they were made by is the same.
     * Of tables without a key they make row ids, which begin with the load's number.
     */
    boolean fit(LoadDescriptor other) {
        return !load.table().schema().hiddenRowId()
                && load.table().schema().equals(other.table().schema())
                && load.request().dialect().equals(other.request().dialect())
                && load.request().fieldColumns().equals(other.request().fieldColumns())
                && load.request().tokens().equals(other.request().tokens())
                && load.request().verification() == other.request().verification();
    }

    /** The same steps for another load, which they {@link #fit}. */
    IdleSteps handedOn(LoadDescriptor next) {
        return new IdleSteps(next, fragments, merges);
    }

    /** Steps for one thread, to be given back unless they fail. */
    FragmentSteps borrowSteps() {
        FragmentSteps idle = fragments.pollFirst();
        if (idle == null) {
            return new FragmentSteps(load);
        }
        idle.begin(load);
        return idle;
    }

    void giveBack(FragmentSteps steps) {
        fragments.addFirst(steps);
    }

    /** A merge for one thread, to be given back unless it fails. */
    Merge borrowMerge() {
        Merge idle = merges.pollFirst();
        return idle == null
                ? new Merge(
                        load.table().schema(),
                        MergeLimits.DEFAULT.withSums(load.request().verification().sums()),
                        load.request().tokens())
                : idle;
    }

    void giveBack(Merge merge) {
        merges.addFirst(merge);
    }
}
