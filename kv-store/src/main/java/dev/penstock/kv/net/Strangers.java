package dev.penstock.kv.net;

import dev.penstock.error.Counted;

import io.netty.channel.Channel;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who has connected and not said yet who he is: a bounded number, so that they cannot keep
 * everybody else out. Thread-safe.
 */
final class Strangers {
    /** One address may have one in so many of the places for strangers. */
    private static final int ADDRESS_PART = 2;

    /** What happens when more come than there are places. */
    enum WhenFull {
        /** One address may have a part of the places only; whoever comes then is refused. */
        REFUSE,
        /** For where all have the same address: who has waited longest has to go. */
        END_LONGEST
    }

    private final int most;
    private final int mostOfOrigin;
    private final WhenFull whenFull;

    // Guarded by this; in the order in which they came, with where they came from
    private final Map<Channel, Object> waiting = new LinkedHashMap<>();

    Strangers(int most, WhenFull whenFull) {
        this.most = most;
        this.mostOfOrigin = Math.max(1, most / ADDRESS_PART);
        this.whenFull = whenFull;
    }

    /** Lets one in, who has to {@link #leave}; or says why not. */
    synchronized Optional<String> enter(Channel stranger) {
        Object origin = origin(stranger);
        switch (whenFull) {
            case REFUSE -> {
                if (waiting.size() >= most) {
                    return Optional.of(
                            waiting.size()
                                    + Counted.verb(waiting.size(), " other has", " others have")
                                    + " not said hello yet");
                }
                int same = Collections.frequency(waiting.values(), origin);
                if (same >= mostOfOrigin) {
                    return Optional.of(
                            same
                                    + Counted.verb(
                                            same,
                                            " other from there has",
                                            " others from there have")
                                    + " not said hello yet");
                }
            }
            case END_LONGEST -> {
                if (waiting.size() >= most) {
                    Channel longest = waiting.keySet().iterator().next();
                    leave(longest);
                    longest.close();
                }
            }
        }
        waiting.put(stranger, origin);
        return Optional.empty();
    }

    /** He has proved who he is, or is gone. */
    synchronized void leave(Channel stranger) {
        waiting.remove(stranger);
    }

    /** Its address without the port; those that are gone already count as of one. */
    private static Object origin(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote
                        && remote.getAddress() != null
                ? remote.getAddress()
                : "";
    }
}
