package dev.penstock.sql;

import dev.penstock.error.PenstockException;

/** A statement failed when it made its rows visible, so that they may be. */
final class InDoubt extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InDoubt(PenstockException failure) {
        super(failure.getMessage(), failure);
    }
}
