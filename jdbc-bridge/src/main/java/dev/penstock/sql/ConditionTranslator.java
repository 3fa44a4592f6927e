package dev.penstock.sql;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.ddl.Terms;
import dev.penstock.kv.ddl.Terms.Written;
import dev.penstock.predicate.Literal;
import dev.penstock.predicate.Predicate;
import dev.penstock.predicate.Predicate.Operator;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Turns Calcite's conditions into those that region servers check. What it translates means the
 * same there: true for the same rows; what it does not know stays with Calcite.
 */
final class ConditionTranslator {
    private static final RexBuilder BUILDER =
            new RexBuilder(new SqlTypeFactoryImpl(StoreTypeSystem.INSTANCE));

    private final TableSchema schema;
    private final Terms terms;
    private final Parameters parameters;

    ConditionTranslator(TableSchema schema, Parameters parameters) {
        this.schema = schema;
        this.terms = new Terms(schema);
        this.parameters = parameters;
    }

    /** All of the conditions, which have been found translatable before. */
    Predicate all(List<RexNode> conditions) {
        List<Predicate> predicates = new ArrayList<>();
        for (RexNode condition : conditions) {
            predicates.add(
                    translate(condition)
                            .orElseThrow(() ->
                                    PenstockException.usage(
                                            "the condition "
                                                    + condition
                                                    + " does not fit the type of its column")));
        }
        return new Predicate.And(predicates);
    }

    Optional<Predicate> translate(RexNode node) {
        return switch (node.getKind()) {
            case AND -> all(node).map(Predicate.And::new);
            case OR -> all(node).map(ConditionTranslator::any);
            case SEARCH -> translate(RexUtil.expandSearch(BUILDER, null, node));
            case EQUALS -> comparison(node, Operator.EQUAL);
            case NOT_EQUALS -> comparison(node, Operator.NOT_EQUAL);
            case LESS_THAN -> comparison(node, Operator.LESS);
            case LESS_THAN_OR_EQUAL -> comparison(node, Operator.LESS_OR_EQUAL);
            case GREATER_THAN -> comparison(node, Operator.GREATER);
            case GREATER_THAN_OR_EQUAL -> comparison(node, Operator.GREATER_OR_EQUAL);
            case IS_NULL ->
                    column(operand(node, 0)).map(index -> new Predicate.IsNull(index, false));
            case IS_NOT_NULL ->
                    column(operand(node, 0)).map(index -> new Predicate.IsNull(index, true));
            case IS_TRUE -> translate(operand(node, 0));
            case INPUT_REF -> truth(node, true);
            case NOT -> negation(operand(node, 0));
            case LIKE -> like(node, false);
            default -> Optional.empty();
        };
    }

    private Optional<Predicate> negation(RexNode node) {
        return switch (node.getKind()) {
            case INPUT_REF -> truth(node, false);
            case LIKE -> like(node, true);
            default -> Optional.empty();
        };
    }

    private Optional<List<Predicate>> all(RexNode node) {
        List<Predicate> predicates = new ArrayList<>();
        for (RexNode operand : ((RexCall) node).getOperands()) {
            Optional<Predicate> predicate = translate(operand);
            if (predicate.isEmpty()) {
                return Optional.empty();
            }
            predicates.add(predicate.get());
        }
        return Optional.of(predicates);
    }

    /** Equalities of one column are a set of values, which servers look up at once. */
    private static Predicate any(List<Predicate> predicates) {
        List<Literal> values = new ArrayList<>();
        Set<Integer> columns = new HashSet<>();
        for (Predicate predicate : predicates) {
            if (predicate
                            instanceof
                            Predicate.Compare(int column, Operator operator, Literal literal)
                    && operator == Operator.EQUAL) {
                values.add(literal);
                columns.add(column);
            }
        }
        return values.size() == predicates.size() && columns.size() == 1
                ? new Predicate.In(columns.iterator().next(), values, false)
                : new Predicate.Or(predicates);
    }

    private Optional<Predicate> comparison(RexNode node, Operator operator) {
        RexNode left = operand(node, 0);
        RexNode right = operand(node, 1);
        Optional<Integer> column = column(left);
        boolean asDouble = isApproximate(left) || isApproximate(right);
        return column.isPresent()
                ? compare(column.get(), operator, written(right, asDouble))
                : column(right)
                        .flatMap(index ->
                                compare(index, mirrored(operator), written(left, asDouble)));
    }

    /** The literal or parameter; a number that is compared with REAL or DOUBLE is one too. */
    private @Nullable Written written(RexNode node, boolean asDouble) {
        return switch (parameters.written(node)) {
            case Written.Decimal(BigDecimal value) when asDouble ->
                    new Written.Floating(value.doubleValue());
            case Written literal -> literal;
            case null -> null;
        };
    }

    private static boolean isApproximate(RexNode node) {
        return SqlTypeUtil.isApproximateNumeric(node.getType());
    }

    private Optional<Predicate> compare(int column, Operator operator, @Nullable Written literal) {
        return literal == null
                ? Optional.empty()
                : attempt(() -> asRead(terms.compare(column, operator, literal)));
    }

    /** A comparison of stored microseconds that is true where that of milliseconds is. */
    private Predicate asRead(Predicate stored) {
        return stored instanceof Predicate.Compare(int column, Operator operator, Literal literal)
                        && literal instanceof Literal.LongLiteral(long micros)
                        && ExactFields.isTime(schema.column(column).type())
                ? inMillis(column, operator, micros)
                : stored;
    }

    /** Of the millisecond of a literal, from its first microsecond to its last. */
    private static Predicate inMillis(int column, Operator operator, long micros) {
        long start = micros - Math.floorMod(micros, CellReader.MICROS_PER_MILLI);
        Literal first = new Literal.LongLiteral(start);
        Literal last = new Literal.LongLiteral(start + CellReader.MICROS_PER_MILLI - 1);
        return switch (operator) {
            case EQUAL ->
                    new Predicate.And(
                            List.of(
                                    new Predicate.Compare(column, Operator.GREATER_OR_EQUAL, first),
                                    new Predicate.Compare(column, Operator.LESS_OR_EQUAL, last)));
            case NOT_EQUAL ->
                    new Predicate.Or(
                            List.of(
                                    new Predicate.Compare(column, Operator.LESS, first),
                                    new Predicate.Compare(column, Operator.GREATER, last)));
            case LESS, GREATER_OR_EQUAL -> new Predicate.Compare(column, operator, first);
            case LESS_OR_EQUAL, GREATER -> new Predicate.Compare(column, operator, last);
        };
    }

    private Optional<Predicate> truth(RexNode node, boolean value) {
        return column(node)
                .filter(index -> schema.column(index).type() instanceof ColumnType.BooleanType)
                .map(index -> terms.compare(index, Operator.EQUAL, new Written.Bool(value)));
    }

    /**
     * LIKE, and not ILIKE, which is of the same kind. Of a pattern that is a parameter nobody knows
     * yet whether servers can look for it.
     */
    private Optional<Predicate> like(RexNode node, boolean negated) {
        RexCall call = (RexCall) node;
        Optional<Integer> column = column(operand(call, 0));
        if (column.isEmpty()
                || !call.getOperator().equals(SqlStdOperatorTable.LIKE)
                || call.getOperands().size() != 2
                || !(operand(call, 1) instanceof RexLiteral literal)) {
            return Optional.empty();
        }
        Written pattern = parameters.written(literal);
        if (pattern == null) {
            return Optional.empty();
        }
        return attempt(() -> terms.like(column.get(), pattern, '\\', false, negated));
    }

    /** The table column that an expression is, whatever wider type it is read as. */
    private Optional<Integer> column(RexNode node) {
        return switch (node) {
            case RexInputRef input ->
                    Optional.of(input.getIndex())
                            .filter(index -> index < schema.visibleColumnCount());
            case RexCall cast when cast.getKind() == SqlKind.CAST && isWider(cast) ->
                    column(cast.getOperands().getFirst());
            default -> Optional.empty();
        };
    }

    /**
     * Whether values compare as they did before the cast. The text of a number loses nothing
     * either, but 9 is less than 10, and '9' is not less than '10'.
     */
    private static boolean isWider(RexCall cast) {
        RelDataType from = cast.getOperands().getFirst().getType();
        return RexUtil.isLosslessCast(cast)
                && SqlTypeUtil.isNumeric(from) == SqlTypeUtil.isNumeric(cast.getType());
    }

    /** What servers cannot check is no error here. */
    private static Optional<Predicate> attempt(java.util.function.Supplier<Predicate> predicate) {
        try {
            return Optional.of(predicate.get());
        } catch (PenstockException e) {
            if (e.category() == ErrorCategory.USAGE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static RexNode operand(RexNode call, int index) {
        return ((RexCall) call).getOperands().get(index);
    }

    private static Operator mirrored(Operator operator) {
        return switch (operator) {
            case EQUAL, NOT_EQUAL -> operator;
            case LESS -> Operator.GREATER;
            case LESS_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
            case GREATER -> Operator.LESS;
            case GREATER_OR_EQUAL -> Operator.LESS_OR_EQUAL;
        };
    }
}
