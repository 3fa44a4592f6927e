package dev.penstock.kv.api;

import java.time.Instant;
import java.util.Optional;

/**
 * A load that has begun and not ended.
 *
 * @param waiting whether it can be resumed and its loader has stopped or fallen silent
 * @param heard when its loader was heard of last, by the leader's clock, to the millisecond; empty
 *     if the leader has started since and did not record it
 */
public record RunningLoad(LoadDescriptor load, boolean waiting, Optional<Instant> heard) {
    public String loadId() {
        return load.loadId();
    }
}
