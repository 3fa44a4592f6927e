package dev.penstock.jdbc;

import dev.penstock.error.PenstockException;

import java.sql.SQLException;
import java.sql.SQLTransientException;

/** Failures of the store in JDBC's words. */
final class SqlErrors {
    private SqlErrors() {}

    /** With the SQLSTATE class that fits the category. */
    static SQLException of(PenstockException failure) {
        String message = failure.getMessage();
        return switch (failure.category()) {
            case USAGE -> new SQLException(message, "42000", failure);
            case DATA -> new SQLException(message, "22000", failure);
            case CORRUPT, INTERNAL -> new SQLException(message, "XX000", failure);
            case IO -> new SQLException(message, "58030", failure);
            case RETRY -> new SQLTransientException(message, "08006", failure);
            case REROUTE -> new SQLTransientException(message, "08004", failure);
            case CONFLICT -> new SQLException(message, "55006", failure);
        };
    }
}
