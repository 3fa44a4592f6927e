package dev.penstock.sql;

import dev.penstock.kv.Penstock;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;
import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The tables of a store as they are at each look. */
final class StoreSchema extends AbstractSchema {
    private final Penstock store;
    private final StoreTable.Use use;
    private final @Nullable LoadsTable loads;

    /**
     * Of all tables.
     *
     * @param use what statements do that look for tables here
     * @param loads the view of loads, if it is here
     */
    StoreSchema(Penstock store, StoreTable.Use use, @Nullable LoadsTable loads) {
        this.store = store;
        this.use = use;
        this.loads = loads;
    }

    @Override
    public Lookup<Table> tables() {
        return new Tables();
    }

    private final class Tables implements Lookup<Table> {
        @Override
        public @Nullable Table get(String name) {
            Named<Table> found = getIgnoreCase(name);
            return found != null && found.name().equals(name) ? found.entity() : null;
        }

        @Override
        public @Nullable Named<Table> getIgnoreCase(String name) {
            if (loads != null && name.equalsIgnoreCase(SqlEngine.LOADS)) {
                return new Named<>(SqlEngine.LOADS, loads);
            }
            return store.findTable(name)
                    .map(table ->
                            new Named<Table>(table.schema().name(), new StoreTable(table, use)))
                    .orElse(null);
        }

        @Override
        public Set<String> getNames(LikePattern pattern) {
            Predicate<String> matches = pattern.matcher()::apply;
            Set<String> names = new TreeSet<>();
            if (loads != null && matches.test(SqlEngine.LOADS)) {
                names.add(SqlEngine.LOADS);
            }
            for (TableSchema table : store.tables()) {
                if (matches.test(table.name())) {
                    names.add(table.name());
                }
            }
            return names;
        }
    }
}
