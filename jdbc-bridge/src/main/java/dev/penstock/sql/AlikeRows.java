package dev.penstock.sql;

import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Lists of rows that are not all literals, as those with a {@code ?}, or a text for a time. Calcite
 * makes a union of them, with a branch for each row, and plans and compiles these one by one: 70
 * seconds for a thousand times, and no more than some thousands of rows fit into the code of a
 * statement. Rows that differ in nothing but literals and parameters are one list of these here,
 * and one projection.
 */
final class AlikeRows {
    private final LogicalUnion union;
    private final RexBuilder rex;

    private AlikeRows(LogicalUnion union) {
        this.union = union;
        this.rex = union.getCluster().getRexBuilder();
    }

    /** A plan that is about to be optimized, with such unions replaced. */
    static RelNode in(RelNode plan) {
        return plan.accept(new InPlans());
    }

    /** Everywhere in a plan, also where a condition has a plan within. */
    private static final class InPlans extends RelHomogeneousShuttle {
        private final RexShuttle conditions =
                new RexShuttle() {
                    @Override
                    public RexNode visitSubQuery(RexSubQuery query) {
                        RexSubQuery inner = (RexSubQuery) super.visitSubQuery(query);
                        RelNode plan = inner.rel.accept(InPlans.this);
                        return isSame(plan, inner.rel) ? inner : inner.clone(plan);
                    }
                };

        @SuppressWarnings("ReferenceEquality") // nodes of plans are equal if they are the same
        private static boolean isSame(RelNode plan, RelNode other) {
            return plan == other;
        }

        @Override
        public RelNode visit(RelNode plan) {
            RelNode node = super.visit(plan).accept(conditions);
            return node instanceof LogicalUnion union && union.all
                    ? new AlikeRows(union).asLists()
                    : node;
        }
    }

    /** The union itself where its branches are other than rows, or not alike. */
    private RelNode asLists() {
        List<List<WrittenValue>> rows = new ArrayList<>();
        for (RelNode branch : union.getInputs()) {
            for (List<? extends RexNode> row : rows(branch)) {
                rows.add(WrittenValue.of(row));
            }
        }
        if (rows.stream().anyMatch(List::isEmpty)) {
            return union;
        }
        Collection<List<Placed>> groups = groups(rows);
        if (2 * groups.size() > rows.size()) {
            return union;
        }
        List<RelNode> lists = groups.stream().map(this::list).flatMap(Optional::stream).toList();
        if (lists.size() < groups.size()) {
            return union;
        }
        RelNode all = withoutPlaces(lists.size() == 1 ? lists.getFirst() : inOrder(lists));
        return RelOptUtil.areRowTypesEqual(all.getRowType(), union.getRowType(), false)
                ? all
                : union;
    }

    /** A row, and how many are before it. */
    private record Placed(List<WrittenValue> values, int place) {}

    /** Of equal keys that are stored the last one stays. */
    private RelNode inOrder(List<RelNode> lists) {
        return LogicalSort.create(
                LogicalUnion.create(lists, true), RelCollations.of(columnCount()), null, null);
    }

    private RelNode withoutPlaces(RelNode placed) {
        List<RexNode> columns =
                IntStream.range(0, columnCount())
                        .<RexNode>mapToObj(i -> rex.makeInputRef(placed, i))
                        .toList();
        return LogicalProject.create(
                placed, List.of(), columns, union.getRowType().getFieldNames(), Set.of());
    }

    private int columnCount() {
        return union.getRowType().getFieldCount();
    }

    /** Of a branch; one without columns for those that are no written rows. */
    private static List<? extends List<? extends RexNode>> rows(RelNode branch) {
        return switch (branch) {
            case LogicalValues values -> values.getTuples();
            case LogicalProject project
                    when project.getInput() instanceof LogicalValues one
                            && one.getTuples().size() == 1 ->
                    List.of(project.getProjects());
            default -> List.of(List.of());
        };
    }

    /** Rows of the same forms. NULLs take the form of a column's other values. */
    private Collection<List<Placed>> groups(List<List<WrittenValue>> rows) {
        List<Optional<WrittenValue>> only =
                IntStream.range(0, columnCount()).mapToObj(i -> onlyForm(rows, i)).toList();
        Map<List<String>, List<Placed>> groups = new LinkedHashMap<>();
        for (int place = 0; place < rows.size(); place++) {
            List<WrittenValue> row = rows.get(place);
            List<WrittenValue> values =
                    IntStream.range(0, columnCount())
                            .mapToObj(i ->
                                    only.get(i)
                                            .filter(_ -> row.get(i).isNull())
                                            .map(form -> form.ofNull(rex))
                                            .orElse(row.get(i)))
                            .toList();
            groups.computeIfAbsent(
                            values.stream().map(WrittenValue::form).toList(),
                            _ -> new ArrayList<>())
                    .add(new Placed(values, place));
        }
        return groups.values();
    }

    /** A value of the only form that a column has but for NULL, if it is NULL of NULL. */
    private static Optional<WrittenValue> onlyForm(List<List<WrittenValue>> rows, int column) {
        WrittenValue only = null;
        for (List<WrittenValue> row : rows) {
            WrittenValue value = row.get(column);
            if (!value.isNull()) {
                if (only != null && !only.form().equals(value.form())) {
                    return Optional.empty();
                }
                only = value;
            }
        }
        return Optional.ofNullable(only).filter(WrittenValue::isStrict);
    }

    /** The rows of a group and their places, if there are types for what they differ in. */
    private Optional<RelNode> list(List<Placed> group) {
        List<List<RexNode>> cells = group.stream().map(this::cells).toList();
        RelDataTypeFactory types = rex.getTypeFactory();
        RelDataTypeFactory.Builder row = types.builder();
        for (int i = 0; i < cells.getFirst().size(); i++) {
            int cell = i;
            RelDataType type =
                    types.leastRestrictive(
                            cells.stream().map(values -> values.get(cell).getType()).toList());
            if (type == null) {
                return Optional.empty();
            }
            row.add("c" + i, type);
        }
        RelNode list = new WrittenRows(union.getCluster(), row.build(), cells);
        Iterator<RexNode> leaves =
                IntStream.range(0, cells.getFirst().size())
                        .<RexNode>mapToObj(i -> rex.makeInputRef(list, i))
                        .iterator();
        List<RexNode> values = new ArrayList<>();
        group.getFirst().values().forEach(value -> values.add(value.with(leaves, rex)));
        values.add(leaves.next());
        return Optional.of(
                LogicalProject.create(list, List.of(), values, (List<String>) null, Set.of()));
    }

    private List<RexNode> cells(Placed row) {
        List<RexNode> cells = new ArrayList<>();
        row.values().forEach(value -> cells.addAll(value.leaves()));
        cells.add(rex.makeExactLiteral(BigDecimal.valueOf(row.place())));
        return cells;
    }
}
