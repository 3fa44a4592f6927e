package dev.penstock.sql;

import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMdUtil;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

import java.util.List;
import java.util.Optional;

/**
 * Rows of one table as the region servers deliver them: conditions, columns and limit are theirs.
 */
final class StoreScan extends StoreAccess {
    /** Cost of a column beside that of a row, so that a scan of fewer columns is cheaper. */
    private static final double COLUMN_COST = 0.05;

    private final StoreTable storeTable;
    private final ScanParts parts;

    private StoreScan(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelOptTable table,
            StoreTable storeTable,
            ScanParts parts) {
        super(cluster, traits, table);
        this.storeTable = storeTable;
        this.parts = parts;
    }

    static StoreScan ofAll(RelOptCluster cluster, RelOptTable table, StoreTable storeTable) {
        return new StoreScan(
                cluster,
                cluster.traitSetOf(Convention.NONE),
                table,
                storeTable,
                ScanParts.all(table.getRowType().getFieldCount()));
    }

    /** Another one, which is not said to have an order. */
    StoreScan with(ScanParts changed) {
        RelTraitSet traits = getCluster().traitSetOf(Convention.NONE);
        return new StoreScan(getCluster(), traits, getTable(), storeTable, changed);
    }

    /**
     * The same, said to deliver its rows in an order, which {@link KeyOrder} knows to be theirs.
     */
    StoreScan inOrder(RelCollation order) {
        RelTraitSet traits = getTraitSet().replace(order);
        return new StoreScan(getCluster(), traits, getTable(), storeTable, parts);
    }

    StoreTable storeTable() {
        return storeTable;
    }

    /** Whether it delivers hidden fields of {@link ExactFields}. */
    boolean hasHiddenFields() {
        ExactFields exactFields = new ExactFields(storeTable.schema());
        return parts.columns().stream().anyMatch(exactFields::isHidden);
    }

    ScanParts parts() {
        return parts;
    }

    /** What it delivers, as expressions of itself. */
    List<RexNode> fields() {
        return List.copyOf(getCluster().getRexBuilder().identityProjects(getRowType()));
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new StoreScan(getCluster(), traits, getTable(), storeTable, parts);
    }

    @Override
    public RelDataType deriveRowType() {
        List<RelDataTypeField> fields =
                storeTable.allFields(getCluster().getTypeFactory()).getFieldList();
        RelDataTypeFactory.Builder row = getCluster().getTypeFactory().builder();
        for (int column : parts.columns()) {
            row.add(fields.get(column));
        }
        return row.build();
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        double rows = super.estimateRowCount(metadata);
        for (RexNode condition : parts.conditions()) {
            rows *= RelMdUtil.guessSelectivity(condition);
        }
        if (parts.fetch() instanceof RexLiteral most) {
            rows = Math.min(rows, (double) Parameters.UNKNOWN.count(most));
        }
        return Math.max(rows, 1);
    }

    @Override
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery metadata) {
        double rows = metadata.getRowCount(this);
        double cells = rows * (1 + COLUMN_COST * parts.columns().size());
        return planner.getCostFactory().makeCost(rows, cells, 0);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("columns", getRowType().getFieldNames())
                .itemIf("conditions", parts.conditions(), !parts.conditions().isEmpty())
                .itemIf("offset", parts.offset(), parts.offset() != null)
                .itemIf("fetch", parts.fetch(), parts.fetch() != null)
                .itemIf("backward", parts.backward(), parts.backward());
    }

    @Override
    Optional<ImmutableBitSet> key() {
        return storeTable
                .key()
                .filter(parts.columns()::containsAll)
                .map(key ->
                        ImmutableBitSet.of(key.stream().map(parts.columns()::indexOf).toList()));
    }

    @Override
    public TableRead read() {
        return new TableRead(storeTable.table(), parts);
    }
}
