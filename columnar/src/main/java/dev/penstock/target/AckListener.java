package dev.penstock.target;

/** Told of each acknowledged fragment, on a thread of the session; must return quickly. */
@FunctionalInterface
public interface AckListener {
    void acknowledged(FragmentAck ack);
}
