package dev.penstock.step;

import dev.penstock.reject.RejectReason;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** The rows of a window that cannot stay, and why: the first fault of each. */
final class RowFaults {
    /** One faulty value. */
    record Fault(RejectReason reason, String columnName, String value, String expected) {}

    private final @Nullable Fault[] faults;
    private int count;

    RowFaults(int maxRows) {
        faults = new @Nullable Fault[maxRows];
    }

    void clear() {
        if (count > 0) {
            Arrays.fill(faults, null);
            count = 0;
        }
    }

    int count() {
        return count;
    }

    boolean has(int row) {
        return faults[row] != null;
    }

    @Nullable Fault get(int row) {
        return faults[row];
    }

    /** Enters a fault, unless the row has one. */
    void add(int row, Fault fault) {
        if (faults[row] == null) {
            faults[row] = fault;
            count++;
        }
    }
}
