package dev.penstock.sql;

import dev.penstock.kv.Table;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.Typed;
import org.apache.calcite.schema.SchemaPlus;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Type;

/**
 * One execution of a statement: what Calcite says of it, and the epoch that all of its reads see,
 * however often its plan opens a table. Without that, a load that is published in between would be
 * in one half of a join and not in the other. The epoch is the latest when the first table is read;
 * a statement that runs for longer than servers keep it fails. Owned by one thread.
 */
final class StatementRun implements DataContext {
    private static final long NONE = -1;

    private final DataContext calcite;
    private long epoch = NONE;

    private StatementRun(DataContext calcite) {
        this.calcite = calcite;
    }

    /** A plan each run of which is one of these. */
    static Bindable<Object> each(Bindable<Object> plan) {
        return new Plan(plan, ((Typed) plan).getElementType());
    }

    private record Plan(Bindable<Object> plan, Type elementType)
            implements Bindable<Object>, Typed {
        @Override
        public Enumerable<Object> bind(DataContext context) {
            return plan.bind(new StatementRun(context));
        }

        @Override
        public Type getElementType() {
            return elementType;
        }
    }

    /** The epoch that the execution sees of the one store whose tables it reads. */
    static long epoch(DataContext context, Table table) {
        return context instanceof StatementRun run ? run.epoch(table) : table.epoch();
    }

    private long epoch(Table table) {
        if (epoch == NONE) {
            epoch = table.epoch();
        }
        return epoch;
    }

    @Override
    public @Nullable SchemaPlus getRootSchema() {
        return calcite.getRootSchema();
    }

    @Override
    public JavaTypeFactory getTypeFactory() {
        return calcite.getTypeFactory();
    }

    @Override
    public QueryProvider getQueryProvider() {
        return calcite.getQueryProvider();
    }

    @Override
    public @Nullable Object get(String name) {
        return calcite.get(name);
    }
}
