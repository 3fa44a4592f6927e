package dev.penstock.kv.client;

import dev.penstock.error.PenstockException;
import dev.penstock.target.FragmentAck;

/** Told exactly once what became of a fragment, on any thread; must return quickly. */
public interface FragmentListener {
    void acknowledged(FragmentAck ack);

    void failed(PenstockException failure);
}
