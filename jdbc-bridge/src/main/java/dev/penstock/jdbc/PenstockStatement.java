package dev.penstock.jdbc;

import dev.penstock.loader.LoadReport;

import java.util.Optional;

/** What statements of this driver can do besides: {@code statement.unwrap(PenstockStatement)}. */
public interface PenstockStatement {
    /** The report of the COPY that the statement ran last; empty if it ran another statement. */
    Optional<LoadReport> loadReport();
}
