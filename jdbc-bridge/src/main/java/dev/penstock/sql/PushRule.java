package dev.penstock.sql;

import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.tools.RelBuilderFactory;
import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/** A planner rule made of the shape it looks for and of what it does there. */
final class PushRule extends RelRule<PushRule.Shape> {
    private PushRule(Shape shape) {
        super(shape);
    }

    static PushRule of(String name, OperandTransform operands, Consumer<RelOptRuleCall> action) {
        return new Shape(name, operands, RelFactories.LOGICAL_BUILDER, action).toRule();
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        config.action().accept(call);
    }

    /** What a rule is made of; the planner asks for it by these names. */
    record Shape(
            String description,
            OperandTransform operandSupplier,
            RelBuilderFactory relBuilderFactory,
            Consumer<RelOptRuleCall> action)
            implements RelRule.Config {
        @Override
        public PushRule toRule() {
            return new PushRule(this);
        }

        @Override
        public Shape withDescription(@Nullable String value) {
            return new Shape(
                    value == null ? description : value,
                    operandSupplier,
                    relBuilderFactory,
                    action);
        }

        @Override
        public Shape withOperandSupplier(OperandTransform value) {
            return new Shape(description, value, relBuilderFactory, action);
        }

        @Override
        public Shape withRelBuilderFactory(RelBuilderFactory value) {
            return new Shape(description, operandSupplier, value, action);
        }
    }
}
