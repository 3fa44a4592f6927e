package dev.penstock.kv.security;

import java.util.List;

/** What a request needs. */
public sealed interface Permission {
    /** To be known: what is asked is of no table. */
    record Known() implements Permission {}

    /** To be a server of the cluster. */
    record ServerOnly() implements Permission {}

    /** A role for all tables. */
    record OfAllTables(Role role) implements Permission {}

    record OfTable(Role role, String table) implements Permission {}

    /** A role for the tables that the regions belong to. */
    record OfRegions(Role role, List<Long> regionIds) implements Permission {}

    /** A role for the table that a running load goes into; one that has ended needs none. */
    record OfLoad(Role role, String loadId) implements Permission {}
}
