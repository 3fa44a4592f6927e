package dev.penstock.sql;

import dev.penstock.sql.StoreTable.Use;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.logical.LogicalTableModify;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableIntList;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Has INSERT and the SET of UPDATE copy columns as they are stored: the hidden fields of {@link
 * ExactFields} come along from the scan, through conditions, joins, choices of columns and limits.
 * What is computed, grouped or united has none; then the value is stored that Calcite has.
 */
final class ExactCopies {
    private final RexBuilder rex;

    private ExactCopies(RexBuilder rex) {
        this.rex = rex;
    }

    /**
     * A node with fields behind those that it had.
     *
     * @param hidden which of them is the hidden field of one that it had
     */
    private record Widened(RelNode node, Map<Integer, Integer> hidden) {}

    /**
     * The plan, of a change that copies columns with more fields behind its rows: for each column
     * with a hidden field that is inserted, or each that is updated, what is stored where it is
     * copied from, or NULL.
     */
    static RelNode in(RelNode plan) {
        StoreTable target =
                plan instanceof LogicalTableModify modify
                        ? modify.getTable().unwrap(StoreTable.class)
                        : null;
        if (target == null || !(plan instanceof LogicalTableModify modify)) {
            return plan;
        }
        ExactCopies copies = new ExactCopies(modify.getCluster().getRexBuilder());
        ExactFields exactFields = new ExactFields(target.schema());
        List<String> updated = modify.getUpdateColumnList();
        if (modify.getOperation() == TableModify.Operation.INSERT && target.use() != Use.CHANGE) {
            return copies.in(modify, exactFields.columns());
        }
        return updated == null
                ? plan
                : copies.in(
                        modify,
                        IntStream.range(0, updated.size())
                                .map(i -> exactFields.fieldCount() + i)
                                .toArray());
    }

    /**
     * The same.
     *
     * @param copied fields of the rows that may be copies
     */
    private RelNode in(LogicalTableModify modify, int[] copied) {
        Widened input = widened(modify.getInput(), ImmutableIntList.of(copied));
        if (input.hidden().isEmpty()) {
            return modify;
        }
        List<RexNode> fields = fields(input.node(), modify.getInput());
        for (int field : copied) {
            Integer hidden = input.hidden().get(field);
            fields.add(
                    hidden == null
                            ? rex.makeNullLiteral(
                                    rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT))
                            : rex.makeInputRef(input.node(), hidden));
        }
        return modify.copy(modify.getTraitSet(), List.of(project(input.node(), fields)));
    }

    /** A node with hidden fields behind its own for those of these that are copied from a scan. */
    private Widened widened(RelNode node, List<Integer> wanted) {
        return switch (node) {
            case StoreScan scan -> ofScan(scan, wanted);
            case LogicalProject project when project.getVariablesSet().isEmpty() ->
                    ofProject(project, wanted);
            case LogicalFilter filter when filter.getVariablesSet().isEmpty() -> {
                Widened input = widened(filter.getInput(), wanted);
                yield new Widened(
                        filter.copy(filter.getTraitSet(), input.node(), filter.getCondition()),
                        input.hidden());
            }
            case LogicalSort sort -> {
                Widened input = widened(sort.getInput(), wanted);
                yield new Widened(
                        sort.copy(
                                sort.getTraitSet(),
                                input.node(),
                                sort.getCollation(),
                                sort.offset,
                                sort.fetch),
                        input.hidden());
            }
            case LogicalJoin join
                    when join.getVariablesSet().isEmpty() && join.getJoinType().projectsRight() ->
                    ofJoin(join, wanted);
            default -> new Widened(node, Map.of());
        };
    }

    private static Widened ofScan(StoreScan scan, List<Integer> wanted) {
        ExactFields exactFields = new ExactFields(scan.storeTable().schema());
        List<Integer> columns = new ArrayList<>(scan.parts().columns());
        Map<Integer, Integer> hidden = new HashMap<>();
        for (int field : wanted) {
            int column = columns.get(field);
            if (!exactFields.isHidden(column) && exactFields.hiddenField(column) >= 0) {
                int at = columns.indexOf(exactFields.hiddenField(column));
                hidden.put(field, at < 0 ? columns.size() : at);
                if (at < 0) {
                    columns.add(exactFields.hiddenField(column));
                }
            }
        }
        return new Widened(
                scan.with(scan.parts().withColumns(ImmutableIntList.copyOf(columns))), hidden);
    }

    private Widened ofProject(LogicalProject project, List<Integer> wanted) {
        Map<Integer, Integer> sources = new HashMap<>();
        for (int field : wanted) {
            if (project.getProjects().get(field) instanceof RexInputRef input) {
                sources.put(field, input.getIndex());
            }
        }
        Widened input = widened(project.getInput(), sources.values().stream().distinct().toList());
        List<RexNode> fields = new ArrayList<>(project.getProjects());
        Map<Integer, Integer> hidden = new HashMap<>();
        sources.forEach((field, source) -> {
            Integer at = input.hidden().get(source);
            if (at != null) {
                hidden.put(field, fields.size());
                fields.add(rex.makeInputRef(input.node(), at));
            }
        });
        return new Widened(project(input.node(), fields), hidden);
    }

    private Widened ofJoin(LogicalJoin join, List<Integer> wanted) {
        int leftCount = join.getLeft().getRowType().getFieldCount();
        Widened left =
                widened(join.getLeft(), wanted.stream().filter(at -> at < leftCount).toList());
        Widened right =
                widened(
                        join.getRight(),
                        wanted.stream()
                                .filter(at -> at >= leftCount)
                                .map(at -> at - leftCount)
                                .toList());
        int moved = left.node().getRowType().getFieldCount() - leftCount;
        RexNode condition =
                join.getCondition()
                        .accept(
                                new RexShuttle() {
                                    @Override
                                    public RexNode visitInputRef(RexInputRef input) {
                                        return input.getIndex() < leftCount
                                                ? input
                                                : new RexInputRef(
                                                        input.getIndex() + moved, input.getType());
                                    }
                                });
        LogicalJoin widened =
                join.copy(
                        join.getTraitSet(),
                        condition,
                        left.node(),
                        right.node(),
                        join.getJoinType(),
                        join.isSemiJoinDone());
        List<RexNode> fields = new ArrayList<>();
        for (int i = 0; i < join.getRowType().getFieldCount(); i++) {
            fields.add(rex.makeInputRef(widened, i < leftCount ? i : i + moved));
        }
        Map<Integer, Integer> hidden = new HashMap<>();
        left.hidden()
                .forEach((field, at) -> {
                    hidden.put(field, fields.size());
                    fields.add(rex.makeInputRef(widened, at));
                });
        right.hidden()
                .forEach((field, at) -> {
                    hidden.put(field + leftCount, fields.size());
                    fields.add(rex.makeInputRef(widened, at + leftCount + moved));
                });
        return new Widened(project(widened, fields), hidden);
    }

    /** The fields that a node had before it was widened. */
    private List<RexNode> fields(RelNode widened, RelNode before) {
        List<RexNode> fields = new ArrayList<>();
        for (int i = 0; i < before.getRowType().getFieldCount(); i++) {
            fields.add(rex.makeInputRef(widened, i));
        }
        return fields;
    }

    private static RelNode project(RelNode input, List<RexNode> fields) {
        return LogicalProject.create(input, List.of(), fields, (List<String>) null, Set.of());
    }
}
