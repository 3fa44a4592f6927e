package dev.penstock.sql;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.AggregateQuery;
import dev.penstock.aggregate.Product;
import dev.penstock.error.PenstockException;
import dev.penstock.key.KeyRange;
import dev.penstock.predicate.Predicate;

import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Groups and aggregates that the region servers compute. */
final class StoreAggregate extends StoreAccess {
    /** How much cheaper it is to aggregate a row where it is stored than to read it. */
    private static final double COST_PER_ROW = 0.1;

    private final StoreScan scan;
    private final LogicalAggregate aggregate;
    private final List<RexNode> inputs;
    private final AggregateQuery query;

    private StoreAggregate(
            RelTraitSet traits,
            StoreScan scan,
            LogicalAggregate aggregate,
            List<RexNode> inputs,
            AggregateQuery query) {
        super(scan.getCluster(), traits, scan.getTable());
        this.scan = scan;
        this.aggregate = aggregate;
        this.inputs = inputs;
        this.query = query;
    }

    /**
     * Empty if the servers cannot compute it.
     *
     * @param inputs what is aggregated, as expressions of the scan
     */
    static Optional<StoreAggregate> of(
            LogicalAggregate aggregate, List<RexNode> inputs, StoreScan scan) {
        if (scan.parts().limited()
                || scan.hasHiddenFields()
                || aggregate.getGroupType() != org.apache.calcite.rel.core.Aggregate.Group.SIMPLE) {
            return Optional.empty();
        }
        List<Aggregate> functions = new ArrayList<>();
        List<Product> products = new ArrayList<>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            Optional<Aggregate> function = function(call, inputs, scan, products);
            if (function.isEmpty()) {
                return Optional.empty();
            }
            functions.add(function.get());
        }
        List<Integer> groups = new ArrayList<>();
        for (int group : aggregate.getGroupSet()) {
            if (!(inputs.get(group) instanceof RexInputRef input)) {
                return Optional.empty();
            }
            groups.add(scan.parts().columns().get(input.getIndex()));
        }
        AggregateQuery query =
                new AggregateQuery(KeyRange.ALL, Predicate.ALWAYS, groups, functions, products);
        try {
            query.check(scan.storeTable().schema());
        } catch (PenstockException e) {
            return Optional.empty();
        }
        // The scan may say that its rows have an order; groups of them have another.
        RelTraitSet unordered = scan.getCluster().traitSetOf(Convention.NONE);
        return Optional.of(new StoreAggregate(unordered, scan, aggregate, inputs, query));
    }

    private static Optional<Aggregate> function(
            AggregateCall call, List<RexNode> inputs, StoreScan scan, List<Product> products) {
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
        RexNode argument = inputs.get(call.getArgList().getFirst());
        if (!(argument instanceof RexInputRef input)) {
            return function(call, argument, scan, products);
        }
        int column = scan.parts().columns().get(input.getIndex());
        return switch (call.getAggregation().getKind()) {
            case COUNT -> Optional.of(Aggregate.count(column));
            case SUM, SUM0 -> Optional.of(Aggregate.sum(column));
            case MIN -> Optional.of(Aggregate.min(column));
            case MAX -> Optional.of(Aggregate.max(column));
            default -> Optional.empty();
        };
    }

    /** Of an expression, which joins the products if the servers can compute it. */
    private static Optional<Aggregate> function(
            AggregateCall call, RexNode argument, StoreScan scan, List<Product> products) {
        Optional<Product> product =
                new ProductTranslator(scan.storeTable().schema(), scan.parts().columns())
                        .translate(argument);
        if (product.isEmpty()) {
            return Optional.empty();
        }
        int known = products.indexOf(product.get());
        int at = Aggregate.ofProduct(known < 0 ? products.size() : known);
        Optional<Aggregate> function =
                switch (call.getAggregation().getKind()) {
                    case COUNT -> Optional.of(Aggregate.count(at));
                    case SUM, SUM0 -> Optional.of(Aggregate.sum(at));
                    default -> Optional.empty();
                };
        if (known < 0 && function.isPresent()) {
            products.add(product.get());
        }
        return function;
    }

    private static boolean countsOrSums(AggregateCall call) {
        return switch (call.getAggregation().getKind()) {
            case MIN, MAX -> false;
            default -> true;
        };
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new StoreAggregate(traits, scan, aggregate, this.inputs, query);
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
                .itemIf("expressions", inputs, !query.products().isEmpty())
                .item("groupBy", aggregate.getGroupSet())
                .item("aggregates", aggregate.getAggCallList());
    }

    @Override
    Optional<ImmutableBitSet> key() {
        return Optional.of(ImmutableBitSet.range(aggregate.getGroupCount()));
    }

    @Override
    public AggregateRead read() {
        return new AggregateRead(scan.storeTable().table(), scan.parts(), query, aggregate);
    }
}
