package dev.penstock.sql;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableLimit;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A LIMIT or OFFSET that no scan takes. Calcite's own counts in 32 bits, cutting off what is
 * beyond, and takes a parameter for nothing but an {@code Integer}.
 */
public final class LimitedRows extends SingleRel implements EnumerableRel {
    private final @Nullable RexNode offset;
    private final @Nullable RexNode fetch;

    private LimitedRows(RelNode input, @Nullable RexNode offset, @Nullable RexNode fetch) {
        super(input.getCluster(), input.getTraitSet(), input);
        this.offset = offset;
        this.fetch = fetch;
    }

    /** A plan that is about to be run, with this instead of Calcite's own. */
    static RelNode in(RelNode plan) {
        List<RelNode> inputs = plan.getInputs().stream().map(LimitedRows::in).toList();
        return plan instanceof EnumerableLimit limit
                ? new LimitedRows(inputs.getFirst(), limit.offset, limit.fetch)
                : inputs.equals(plan.getInputs()) ? plan : plan.copy(plan.getTraitSet(), inputs);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new LimitedRows(inputs.getFirst(), offset, fetch);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer preference) {
        Result input = implementor.visitChild(this, 0, (EnumerableRel) getInput(), preference);
        BlockBuilder code = new BlockBuilder();
        Expression rows = code.append("rows", input.block);
        code.add(
                Expressions.return_(
                        null,
                        Expressions.call(
                                LimitedRows.class,
                                "limited",
                                rows,
                                number(offset, 0),
                                number(fetch, Long.MAX_VALUE))));
        return implementor.result(input.physType, code.toBlock());
    }

    private static Expression number(@Nullable RexNode node, long absent) {
        return switch (node) {
            case null -> Expressions.constant(absent);
            case RexDynamicParam parameter ->
                    Expressions.call(
                            LimitedRows.class,
                            "parameter",
                            DataContext.ROOT,
                            Expressions.constant(parameter.getName()));
            default -> Expressions.constant(Parameters.UNKNOWN.count(node));
        };
    }

    /** Called by generated code. */
    public static long parameter(DataContext context, String name) {
        return Parameters.count(context.get(name));
    }

    /** Called by generated code. */
    public static <T> Enumerable<T> limited(Enumerable<T> rows, long skipped, long most) {
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<T> enumerator() {
                return new LimitedEnumerator<>(rows.enumerator(), skipped, most);
            }
        };
    }

    /** Owned by the thread that reads the rows. */
    private static final class LimitedEnumerator<T> implements Enumerator<T> {
        private final Enumerator<T> rows;
        private long skipped;
        private long most;

        LimitedEnumerator(Enumerator<T> rows, long skipped, long most) {
            this.rows = rows;
            this.skipped = skipped;
            this.most = most;
        }

        /** Reads no row that nobody gets: it may take long to find. */
        @Override
        public boolean moveNext() {
            if (most <= 0) {
                return false;
            }
            while (skipped > 0) {
                if (!rows.moveNext()) {
                    most = 0;
                    return false;
                }
                skipped--;
            }
            most--;
            return rows.moveNext();
        }

        @Override
        public T current() {
            return rows.current();
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException("limited rows go forward only");
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
