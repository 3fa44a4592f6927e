package dev.penstock.kv.net;

import dev.penstock.error.PenstockException;

/**
 * How many bytes of fragments may still be sent. Senders wait here while the server has granted no
 * credit; what was granted may wait for the socket.
 */
final class CreditGate {
    private long granted;
    private long available;
    private boolean closed;

    synchronized void open(long credit) {
        granted = credit;
        available = credit;
        notifyAll();
    }

    synchronized void grant(long bytes) {
        available = Math.min(granted, available + bytes);
        notifyAll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /**
     * Takes credit, waiting for it. A fragment larger than the whole credit goes alone, when
     * nothing else is on its way.
     *
     * @return false if the connection has ended
     */
    synchronized boolean take(long bytes) {
        try {
            while (!closed && available < bytes && available < granted) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PenstockException.io("the wait for credit was interrupted", e);
        }
        available -= bytes;
        return !closed;
    }
}
