package dev.penstock.sql;

import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;
import dev.penstock.sql.StoreTable.Use;
import dev.penstock.sql.TableWrite.Change;

import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.logical.LogicalTableModify;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A change of a table: {@link TableWrite} stores or deletes the rows of the input. */
final class StoreModify extends TableModify implements EnumerableRel {
    static final RelOptRule RULE =
            PushRule.of(
                    "RunStoreModify",
                    modify -> modify.operand(LogicalTableModify.class).anyInputs(),
                    StoreModify::convert);

    private StoreModify(TableModify modify, RelTraitSet traits, RelNode input) {
        super(
                modify.getCluster(),
                traits,
                modify.getTable(),
                modify.getCatalogReader(),
                input,
                modify.getOperation(),
                modify.getUpdateColumnList(),
                modify.getSourceExpressionList(),
                modify.isFlattened());
    }

    private static void convert(RelOptRuleCall call) {
        LogicalTableModify modify = call.rel(0);
        if (modify.getTable().unwrap(StoreTable.class) != null) {
            RelTraitSet traits = modify.getTraitSet().replace(EnumerableConvention.INSTANCE);
            RelNode input = modify.getInput();
            call.transformTo(
                    new StoreModify(
                            modify,
                            traits,
                            RelOptRule.convert(
                                    input,
                                    input.getTraitSet().replace(EnumerableConvention.INSTANCE))));
        }
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new StoreModify(this, traits, inputs.getFirst());
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer preference) {
        BlockBuilder code = new BlockBuilder();
        Result input = implementor.visitChild(this, 0, (EnumerableRel) getInput(), Prefer.ARRAY);
        var rows = Expressions.convert_(code.append("rows", input.block), Enumerable.class);
        var sink = implementor.stash(write(), RowSink.class);
        code.add(
                Expressions.return_(null, Expressions.call(sink, "write", rows, DataContext.ROOT)));
        PhysType count =
                PhysTypeImpl.of(
                        implementor.getTypeFactory(),
                        getRowType(),
                        preference == Prefer.ARRAY ? JavaRowFormat.ARRAY : JavaRowFormat.SCALAR);
        return implementor.result(count, code.toBlock());
    }

    private TableWrite write() {
        StoreTable target = Objects.requireNonNull(getTable().unwrap(StoreTable.class));
        TableSchema schema = target.schema();
        Change change =
                switch (getOperation()) {
                    case INSERT -> target.use() == Use.REPLACE ? Change.UPSERT : Change.INSERT;
                    case UPDATE -> Change.UPDATE;
                    case DELETE -> Change.DELETE;
                    case MERGE -> throw PenstockException.usage("MERGE is not supported");
                };
        if (schema.hiddenRowId() && change != Change.INSERT) {
            throw PenstockException.usage(
                    "rows of table "
                            + schema.name()
                            + ", which has no primary key, can only be inserted");
        }
        int[] updated =
                getUpdateColumnList() == null
                        ? new int[0]
                        : getUpdateColumnList().stream().mapToInt(schema::indexOf).toArray();
        if (Arrays.stream(updated).anyMatch(column -> column < 0)) {
            throw PenstockException.usage(
                    "table "
                            + schema.name()
                            + " has no columns "
                            + String.join(", ", getUpdateColumnList()));
        }
        return new TableWrite(
                target.table(), change, updated, getInput().getRowType().getFieldCount());
    }
}
