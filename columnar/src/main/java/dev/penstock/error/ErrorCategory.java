package dev.penstock.error;

/** What a caller may do about a failure. */
public enum ErrorCategory {
    /**
     * The command, schema, dialect or configuration is wrong; nothing was attempted. Exit code 2.
     */
    USAGE,
    /** The input data is wrong; the load ended and nothing became visible. Exit code 1. */
    DATA,
    /** Stored or received bytes do not match their checksum or format. Never retried. */
    CORRUPT,
    /** The operating system refused a read, a write or a flush. */
    IO,
    /** A peer could not answer now; the same call may succeed later. */
    RETRY,
    /** The region or server asked is not (or no longer) the right one; ask for the route again. */
    REROUTE,
    /** The call contradicts the state it meets: a key exists, a load has ended, a lock is held. */
    CONFLICT,
    /** A fault of this program. */
    INTERNAL,
    /** The answer is larger than one answer may be; ask for less at a time. Exit code 2. */
    LIMIT,
    /**
     * Who calls may not, or has not proved who it is, or whom it calls has not; or a server that
     * was called before now speaks another version. Exit code 2.
     */
    DENIED
}
