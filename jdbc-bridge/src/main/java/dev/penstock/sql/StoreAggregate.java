package dev.penstock.sql;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;

import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlKind;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Groups and aggregates that the region servers compute. */
final class StoreAggregate extends StoreAccess {
    /** How much cheaper it is to aggregate a row where it is stored than to read it. */
    private static final double COST_PER_ROW = 0.1;

    private final StoreScan scan;
    private final LogicalAggregate aggregate;
    private final AggregateQuery query;

    private StoreAggregate(
            RelTraitSet traits, StoreScan scan, LogicalAggregate aggregate, AggregateQuery query) {
        super(scan.getCluster(), traits, scan.getTable());
        this.scan = scan;
        this.aggregate = aggregate;
        this.query = query;
    }

    /** Empty if the servers cannot compute it. */
    static Optional<StoreAggregate> of(LogicalAggregate aggregate, StoreScan scan) {
        if (scan.parts().limited()
                || aggregate.getGroupType() != org.apache.calcite.rel.core.Aggregate.Group.SIMPLE) {
            return Optional.empty();
        }
        List<Aggregate> functions = new ArrayList<>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            Optional<Aggregate> function = function(call, scan);
            if (function.isEmpty()) {
                return Optional.empty();
            }
            functions.add(function.get());
        }
        List<Integer> groups = new ArrayList<>();
        aggregate
                .getGroupSet()
                .forEachInt(column -> groups.add(scan.parts().columns().get(column)));
        AggregateQuery query =
                new AggregateQuery(KeyRange.ALL, Predicate.ALWAYS, groups, functions);
        try {
            query.check(scan.storeTable().schema());
        } catch (PenstockException e) {
            return Optional.empty();
        }
        return Optional.of(new StoreAggregate(scan.getTraitSet(), scan, aggregate, query));
    }

    private static Optional<Aggregate> function(AggregateCall call, StoreScan scan) {
        if (call.isDistinct() && countsOrSums(call)
                || call.hasFilter()
                || call.getArgList().size() > 1) {
            return Optional.empty();
        }
        if (call.getArgList().isEmpty()) {
            return call.getAggregation().getKind() == SqlKind.COUNT
                    ? Optional.of(Aggregate.countRows())
                    : Optional.empty();
        }
        int column = scan.parts().columns().get(call.getArgList().getFirst());
        return switch (call.getAggregation().getKind()) {
            case COUNT -> Optional.of(Aggregate.count(column));
            case SUM, SUM0 -> Optional.of(Aggregate.sum(column));
            case MIN -> Optional.of(Aggregate.min(column));
            case MAX -> Optional.of(Aggregate.max(column));
            default -> Optional.empty();
        };
    }

    private static boolean countsOrSums(AggregateCall call) {
        return switch (call.getAggregation().getKind()) {
            case MIN, MAX -> false;
            default -> true;
        };
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new StoreAggregate(traits, scan, aggregate, query);
    }

    @Override
    public RelDataType deriveRowType() {
        return aggregate.getRowType();
    }

    @Override
    public double estimateRowCount(RelMetadataQuery metadata) {
        return aggregate.estimateRowCount(metadata);
    }

    @Override
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery metadata) {
        double rows = scan.estimateRowCount(metadata) * COST_PER_ROW;
        return planner.getCostFactory().makeCost(rows, rows, 0);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("columns", scan.getRowType().getFieldNames())
                .itemIf(
                        "conditions",
                        scan.parts().conditions(),
                        !scan.parts().conditions().isEmpty())
                .item("groupBy", aggregate.getGroupSet())
                .item("aggregates", aggregate.getAggCallList());
    }

    @Override
    public AggregateRead read() {
        return new AggregateRead(scan.storeTable().table(), scan.parts(), query, aggregate);
    }
}
