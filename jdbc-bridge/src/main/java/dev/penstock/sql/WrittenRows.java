package dev.penstock.sql;

import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;

import java.util.List;

/** Rows of literals and parameters while a statement is planned; {@link ListedRows} runs them. */
final class WrittenRows extends AbstractRelNode {
    private final List<? extends List<? extends RexNode>> rows;

    /**
     * Of their cells.
     *
     * @param rows literals and parameters, those of a column of types that its type takes in
     */
    WrittenRows(
            RelOptCluster cluster, RelDataType type, List<? extends List<? extends RexNode>> rows) {
        super(cluster, cluster.traitSetOf(Convention.NONE));
        this.rowType = type;
        this.rows = rows;
    }

    /** Of Calcite's. */
    static WrittenRows of(Values values) {
        return new WrittenRows(values.getCluster(), values.getRowType(), values.getTuples());
    }

    List<? extends List<? extends RexNode>> rows() {
        return rows;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new WrittenRows(getCluster(), getRowType(), rows);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer).item("type", getRowType()).item("rows", rows);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        return rows.size();
    }
}
