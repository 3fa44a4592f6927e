package dev.penstock.kernel;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * When some vector kernels run: from the start or, once they are postponed, late. They take a
 * second or two of a core to be compiled, and until then run a hundred times slower than a scalar
 * loop, so that whoever calls them first would stand still. Therefore scalar loops go over many
 * values first; then a thread of its own runs the kernels on values of its own until they are
 * compiled, and only then they take over.
 *
 * <p>Callers race for the state, which is not volatile: counts may get lost, and a caller may see
 * late that the kernels are ready.
 */
final class LateKernels {
    private final boolean available;
    private final Runnable rehearsal;

    private boolean ready;
    private boolean postponed;
    private long valuesFirst;
    private long scalarValues;

    /** Takes the task that gets the kernels ready; null once it has, or if they need not. */
    private @Nullable Consumer<Runnable> background;

    /**
     * @param available whether this process has such kernels at all
     * @param rehearsal runs each of them until it is compiled
     */
    LateKernels(boolean available, Runnable rehearsal) {
        this.available = available;
        this.rehearsal = rehearsal;
        this.ready = available;
    }

    /**
     * Has scalar loops go over so many values first, unless the kernels have been postponed before.
     *
     * @param newBackground runs a task of a second or two in a thread of its own
     */
    synchronized void postpone(long values, Consumer<Runnable> newBackground) {
        if (available && !postponed) {
            postponed = true;
            valuesFirst = values;
            scalarValues = values;
            background = newBackground;
            ready = false;
        }
    }

    /** Whether the vector kernels run, asked for values that others will count. */
    boolean ready() {
        return ready;
    }

    /** Whether the vector kernels go over the next values. */
    boolean run(int count) {
        if (ready || !available) {
            return ready;
        }
        long left = scalarValues - count;
        scalarValues = left;
        if (left <= 0) {
            rehearseBeside();
        }
        return false;
    }

    /** Gets the kernels ready in the calling thread, if they are postponed and nobody has begun. */
    void now() {
        synchronized (this) {
            if (background == null) {
                return;
            }
            background = null;
            scalarValues = Long.MAX_VALUE;
        }
        rehearse();
    }

    private synchronized void rehearseBeside() {
        Consumer<Runnable> thread = background;
        if (thread == null) {
            return;
        }
        background = null;
        // Nobody need ask again.
        scalarValues = Long.MAX_VALUE;
        try {
            thread.accept(this::rehearse);
        } catch (OutOfMemoryError e) {
            // There may be no more threads now. Scalar loops will do.
            background = thread;
            scalarValues = valuesFirst;
        }
    }

    private void rehearse() {
        rehearsal.run();
        ready = true;
    }
}
