package dev.penstock.loader.pipeline;

import dev.penstock.target.FragmentHeader;

/** Where fragments go: a session, or nowhere in a dry run. Thread-safe. */
@FunctionalInterface
public interface FragmentSink {
    /** Keeps nothing of the array; the payload is its first {@code length} bytes. */
    void send(FragmentHeader header, byte[] payload, int length);
}
