package dev.penstock.sql;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.EnumerableValues;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.adapter.enumerable.RexImpTable.NullAs;
import org.apache.calcite.adapter.enumerable.RexToLixTranslator;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.ConstantExpression;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Rows that a statement lists, of literals and parameters: as VALUES and a long list after IN do.
 * Calcite's own have no parameters, and are written into the code of the statement, of which Java
 * compiles 64 KB at once.
 */
final class ListedRows extends AbstractRelNode implements EnumerableRel {
    /** Has planned ones run. */
    static final RelOptRule RULE =
            PushRule.of(
                    "RunWrittenRows",
                    written -> written.operand(WrittenRows.class).noInputs(),
                    call -> {
                        WrittenRows written = call.rel(0);
                        call.transformTo(new ListedRows(written, written.getTraitSet()));
                    });

    /** Fewer literals are code, which is as quick to read. */
    private static final int LEAST_LITERALS = 1000;

    private final WrittenRows written;

    /**
     * @param traits of what these are instead of: a join may rely on their order
     */
    private ListedRows(WrittenRows written, RelTraitSet traits) {
        super(written.getCluster(), traits.replace(EnumerableConvention.INSTANCE));
        this.rowType = written.getRowType();
        this.written = written;
    }

    /** A plan that is about to be run, with this instead of Calcite's own where these are long. */
    static RelNode in(RelNode plan) {
        List<RelNode> inputs = plan.getInputs().stream().map(ListedRows::in).toList();
        return plan instanceof EnumerableValues values && isLong(values)
                ? new ListedRows(WrittenRows.of(values), values.getTraitSet())
                : inputs.equals(plan.getInputs()) ? plan : plan.copy(plan.getTraitSet(), inputs);
    }

    private static boolean isLong(EnumerableValues values) {
        int width = values.getRowType().getFieldCount();
        return (long) width * values.getTuples().size() >= LEAST_LITERALS;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new ListedRows(written, traits);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return written.explainTerms(writer);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        return written.estimateRowCount(metadata);
    }

    @Override
    public @Nullable RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery metadata) {
        return planner.getCostFactory().makeCost(written.rows().size(), 1, 0);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer preference) {
        JavaTypeFactory types = implementor.getTypeFactory();
        List<@Nullable Object[]> cells =
                written.rows().stream().map(row -> cells(row, types)).toList();
        RowSource source = context -> Linq4j.asEnumerable(values(cells, context));
        PhysType type = PhysTypeImpl.of(types, getRowType(), JavaRowFormat.ARRAY);
        Expression stashed = implementor.stash(source, RowSource.class);
        return implementor.result(
                type, Blocks.toBlock(Expressions.call(stashed, "rows", DataContext.ROOT)));
    }

    /** Values of literals, and parameters. */
    private @Nullable Object[] cells(List<? extends RexNode> row, JavaTypeFactory types) {
        @Nullable Object[] cells = new Object[row.size()];
        for (int i = 0; i < cells.length; i++) {
            RelDataType type = getRowType().getFieldList().get(i).getType();
            cells[i] =
                    row.get(i) instanceof RexLiteral literal
                            ? value(literal, type, types)
                            : row.get(i);
        }
        return cells;
    }

    /** As the code would have it that Calcite makes of a literal. */
    private static @Nullable Object value(
            RexLiteral literal, RelDataType type, JavaTypeFactory types) {
        if (literal.isNull()) {
            return null;
        }
        return switch (type.getSqlTypeName()) {
            case REAL -> NumberFunctions.real(NumberRules.value(literal));
            case FLOAT, DOUBLE -> NumberFunctions.oneZero(NumberRules.value(literal));
            case DECIMAL -> literal.getValueAs(BigDecimal.class);
            case UUID -> OrderedUuid.of(Objects.requireNonNull(literal.getValueAs(UUID.class)));
            case BINARY, VARBINARY -> literal.getValueAs(ByteString.class);
            default ->
                    constant(
                            RexToLixTranslator.translateLiteral(literal, type, types, NullAs.NULL));
        };
    }

    private static Object constant(Expression code) {
        return Objects.requireNonNull(((ConstantExpression) code).value);
    }

    /** Rows of a run: arrays, or, of a single column, values. */
    private static List<@Nullable Object> values(
            List<@Nullable Object[]> cells, DataContext context) {
        List<@Nullable Object> values = new ArrayList<>(cells.size());
        for (@Nullable Object[] row : cells) {
            @Nullable Object[] copy = row.clone();
            for (int i = 0; i < copy.length; i++) {
                if (copy[i] instanceof RexDynamicParam parameter) {
                    copy[i] =
                            ParameterFunctions.value(
                                    parameter.getType().getSqlTypeName(),
                                    context.get(parameter.getName()));
                }
            }
            values.add(copy.length == 1 ? copy[0] : copy);
        }
        return values;
    }
}
