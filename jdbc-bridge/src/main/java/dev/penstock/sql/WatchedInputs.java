package dev.penstock.sql;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;

import java.util.List;

/**
 * Rows on their way into a join or another operation of several inputs. Such an operation may turn
 * them over for hours without a row to show for it, within Calcite's code, which does not look
 * whether its statement was cancelled; so its inputs do, with each row. A scan looks with each of
 * its batches only.
 */
public final class WatchedInputs extends SingleRel implements EnumerableRel {
    private WatchedInputs(RelNode input) {
        super(input.getCluster(), input.getTraitSet(), input);
    }

    /** A plan that is about to be run, with all such inputs watched. */
    static RelNode in(RelNode plan) {
        List<RelNode> inputs = plan.getInputs().stream().map(WatchedInputs::in).toList();
        if (inputs.size() > 1) {
            inputs = inputs.stream().<RelNode>map(WatchedInputs::new).toList();
        }
        return inputs.equals(plan.getInputs()) ? plan : plan.copy(plan.getTraitSet(), inputs);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new WatchedInputs(inputs.getFirst());
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer preference) {
        Result input = implementor.visitChild(this, 0, (EnumerableRel) getInput(), preference);
        BlockBuilder code = new BlockBuilder();
        var rows = code.append("rows", input.block);
        code.add(
                Expressions.return_(
                        null,
                        Expressions.call(WatchedInputs.class, "watched", rows, DataContext.ROOT)));
        return implementor.result(input.physType, code.toBlock());
    }

    /** Called by generated code. */
    public static <T> Enumerable<T> watched(Enumerable<T> rows, DataContext context) {
        Parameters parameters = new Parameters(context);
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<T> enumerator() {
                return new WatchedRows<>(rows.enumerator(), parameters);
            }
        };
    }

    private record WatchedRows<T>(Enumerator<T> rows, Parameters parameters)
            implements Enumerator<T> {
        @Override
        public boolean moveNext() {
            parameters.checkCancelled();
            return rows.moveNext();
        }

        @Override
        public T current() {
            return rows.current();
        }

        @Override
        public void reset() {
            rows.reset();
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
