package dev.penstock.cli;

import java.security.Security;

/** How this process looks up the names of machines. */
final class HostNames {
    /** Read once by Java, when the first name is looked up. */
    private static final String FAILURE_SECONDS = "networkaddress.cache.negative.ttl";

    private HostNames() {}

    /**
     * From now on a name that was not known is looked up again as soon as it is wanted. Java would
     * believe for 10 seconds that it is unknown: a server cut off from the network for a moment
     * would refuse reads for that long after it is back. To be called before the first lookup, by a
     * process of our own.
     */
    static void forgetFailures() {
        Security.setProperty(FAILURE_SECONDS, "0");
    }
}
