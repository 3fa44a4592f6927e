package dev.penstock.kv.api;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;

import java.util.List;

/** Says that there is no table of a name, and which there are. */
public final class NoSuchTable {
    private static final int MAX_NAMES = 10;

    private NoSuchTable() {}

    /** Of category {@code USAGE}. */
    public static PenstockException failure(String name, List<TableSchema> tables) {
        String known =
                String.join(", ", tables.stream().limit(MAX_NAMES).map(TableSchema::name).toList());
        int more = tables.size() - MAX_NAMES;
        return PenstockException.usage(
                "there is no table "
                        + name
                        + (tables.isEmpty() ? "" : "; the store has " + known)
                        + (more > 0 ? " and " + more + " more" : ""));
    }
}
