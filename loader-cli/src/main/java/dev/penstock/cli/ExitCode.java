package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.LoadReport;

/** What the process answers to its caller. */
final class ExitCode {
    /** Everything was done. */
    static final int DONE = 0;

    /** It failed; nothing became visible. */
    static final int FAILED = 1;

    /**
     * The command or the configuration is wrong, or too little for this; nothing became visible.
     */
    static final int USAGE = 2;

    /** It was done, but records were rejected. */
    static final int REJECTS = LoadReport.REJECTS_STATUS;

    /** Ctrl-C ended it; nothing became visible, unless a second one left that to the store. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}

    static int of(PenstockException failure) {
        return switch (failure.category()) {
            case USAGE, LIMIT, DENIED -> USAGE;
            case DATA, CORRUPT, IO, RETRY, REROUTE, CONFLICT, INTERNAL -> FAILED;
        };
    }
}
