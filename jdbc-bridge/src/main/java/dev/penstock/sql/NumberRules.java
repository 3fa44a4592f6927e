package dev.penstock.sql;

import dev.penstock.schema.ColumnType;

import org.apache.calcite.adapter.enumerable.EnumerableNestedLoopJoin;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Calc;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexProgram;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.schema.impl.ScalarFunctionImpl;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.jspecify.annotations.Nullable;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What Calcite's code computes with REAL and DOUBLE, and with parameters. By itself it compares NaN
 * with nothing, has two zeros, lets numbers become infinite and integers wrap around, and takes
 * parameters for what the plan says of them. So expressions that are about to be compiled, and
 * conditions are not pushed down any more, get calls of {@link NumberFunctions} and {@link
 * ParameterFunctions} instead, and texts that are cast to times are checked by {@link
 * TextFunctions}; what is computed with UUIDs is left to {@link UuidRules}. Numbers are compared as
 * DOUBLE if one of them is REAL or DOUBLE, as PostgreSQL does.
 */
final class NumberRules extends RexShuttle {
    private static final Map<String, SqlOperator> FUNCTIONS = functions(NumberFunctions.class);
    private static final Map<String, SqlOperator> PARAMETERS = functions(ParameterFunctions.class);
    private static final Map<String, SqlOperator> TEXTS = functions(TextFunctions.class);

    private final RexBuilder rex;
    private final UuidRules uuids;

    private NumberRules(RexBuilder rex) {
        this.rex = rex;
        this.uuids = new UuidRules(rex);
    }

    /** The plan with its expressions changed; it is not to be optimized any more. */
    static RelNode in(RelNode plan) {
        List<RelNode> inputs = plan.getInputs().stream().map(NumberRules::in).toList();
        RelNode node =
                inputs.equals(plan.getInputs()) ? plan : plan.copy(plan.getTraitSet(), inputs);
        NumberRules rules = new NumberRules(node.getCluster().getRexBuilder());
        return switch (node) {
            case Calc calc -> rules.calc(calc);
            case Join join -> rules.join(join);
            case Values values -> rules.values(values);
            default -> node;
        };
    }

    /** Expressions of no plan, each of the type that it had. */
    static List<RexNode> in(List<RexNode> expressions, RexBuilder rex) {
        return new NumberRules(rex).apply(expressions);
    }

    private Calc calc(Calc calc) {
        RexProgram program = calc.getProgram();
        List<RexNode> projects = program.expandList(program.getProjectList());
        RexNode condition =
                program.getCondition() == null
                        ? null
                        : program.expandLocalRef(program.getCondition());
        List<RexNode> newProjects = apply(projects);
        RexNode newCondition = condition == null ? null : condition.accept(this);
        if (newProjects.equals(projects) && Objects.equals(newCondition, condition)) {
            return calc;
        }
        return calc.copy(
                calc.getTraitSet(),
                calc.getInput(),
                RexProgram.create(
                        program.getInputRowType(),
                        newProjects,
                        newCondition,
                        program.getOutputRowType(),
                        rex));
    }

    /**
     * Equal keys are found by their hashes, which are right; what else must be true is computed.
     */
    private RelNode join(Join join) {
        RexNode condition = join.getCondition();
        RexNode changed = condition.accept(this);
        if (!(join instanceof EnumerableNestedLoopJoin)) {
            List<RexNode> terms = new ArrayList<>();
            var info = join.analyzeCondition();
            terms.add(info.getEquiCondition(join.getLeft(), join.getRight(), rex));
            info.nonEquiConditions.forEach(term -> terms.add(term.accept(this)));
            changed =
                    info.nonEquiConditions.isEmpty()
                            ? condition
                            : RexUtil.composeConjunction(rex, terms);
        }
        return changed.equals(condition)
                ? join
                : join.copy(
                        join.getTraitSet(),
                        changed,
                        join.getLeft(),
                        join.getRight(),
                        join.getJoinType(),
                        join.isSemiJoinDone());
    }

    @Override
    public RexNode visitLiteral(RexLiteral literal) {
        if (UuidRules.isUuid(literal) && !literal.isNull()) {
            return uuids.literal(literal);
        }
        return isApproximate(literal) && !literal.isNull() && value(literal) == 0
                ? rex.makeApproxLiteral(BigDecimal.ZERO, literal.getType())
                : literal;
    }

    /**
     * The value of a literal of type REAL or DOUBLE that is not NULL. Calcite keeps the number that
     * was written, also of a REAL.
     */
    static double value(RexLiteral literal) {
        double written = ((Number) Objects.requireNonNull(literal.getValue())).doubleValue();
        return isReal(literal) ? NumberFunctions.real(written) : written;
    }

    /** Only refuses what is too large: constants of a zero's sign have been computed before. */
    private RelNode values(Values values) {
        values.getTuples().forEach(row -> row.forEach(literal -> literal.accept(this)));
        return uuids.values(values);
    }

    @Override
    public RexNode visitDynamicParam(RexDynamicParam parameter) {
        String function =
                switch (parameter.getType().getSqlTypeName()) {
                    case TINYINT -> "tinyint";
                    case SMALLINT -> "smallint";
                    case INTEGER -> "integer";
                    case BIGINT -> "bigint";
                    case DECIMAL -> "decimal";
                    case REAL -> "real";
                    case FLOAT, DOUBLE -> "doubled";
                    case CHAR, VARCHAR -> "text";
                    case BOOLEAN -> "truth";
                    case DATE -> "date";
                    case TIME -> "time";
                    case TIMESTAMP -> "timestamp";
                    case UUID -> "uuid";
                    default -> "";
                };
        SqlOperator operator = PARAMETERS.get(function);
        if (operator == null) {
            return parameter;
        }
        RelDataType any =
                rex.getTypeFactory()
                        .createTypeWithNullability(
                                rex.getTypeFactory().createSqlType(SqlTypeName.ANY), true);
        return rex.makeCall(
                parameter.getType(),
                operator,
                List.of(rex.makeDynamicParam(any, parameter.getIndex())));
    }

    @Override
    public RexNode visitCall(RexCall call) {
        if (call.getKind() == SqlKind.SEARCH) {
            return call.getOperands().stream()
                            .anyMatch(
                                    operand -> isApproximate(operand) || UuidRules.isUuid(operand))
                    ? RexUtil.expandSearch(rex, null, call).accept(this)
                    : super.visitCall(call);
        }
        RexCall inner = (RexCall) super.visitCall(call);
        if (inner.getOperands().stream().anyMatch(NumberRules::isApproximate)) {
            String comparison = comparison(call.getKind());
            if (!comparison.isEmpty()) {
                return ofDoubles(comparison, inner);
            }
        }
        return isApproximate(call)
                ? number(inner)
                : SqlTypeUtil.isIntType(call.getType())
                        ? checked(inner)
                        : isTimeOfText(inner) ? timeOfText(inner) : uuids.of(inner);
    }

    private static boolean isTimeOfText(RexCall call) {
        return call.getKind() == SqlKind.CAST
                && call.getType().getSqlTypeName() == SqlTypeName.TIME
                && call.getOperands().size() == 1
                && SqlTypeUtil.isCharacter(call.getOperands().getFirst().getType());
    }

    private RexNode timeOfText(RexCall cast) {
        RexNode text = cast.getOperands().getFirst();
        SqlOperator function = Objects.requireNonNull(TEXTS.get("timeOfDay"));
        return cast.clone(
                cast.getType(), List.of(rex.makeCall(text.getType(), function, List.of(text))));
    }

    /** Of integers, which Calcite lets wrap around by themselves. */
    private RexNode checked(RexCall call) {
        if (call.getKind() == SqlKind.CAST) {
            RexNode number = call.getOperands().getFirst();
            RexNode whole = whole(number);
            return whole.equals(number) ? call : call.clone(call.getType(), List.of(whole));
        }
        SqlOperator operator =
                switch (call.getKind()) {
                    case PLUS -> SqlStdOperatorTable.CHECKED_PLUS;
                    case MINUS -> SqlStdOperatorTable.CHECKED_MINUS;
                    case TIMES -> SqlStdOperatorTable.CHECKED_MULTIPLY;
                    case DIVIDE -> SqlStdOperatorTable.CHECKED_DIVIDE;
                    case MINUS_PREFIX -> SqlStdOperatorTable.CHECKED_UNARY_MINUS;
                    default ->
                            call.getOperator().equals(SqlStdOperatorTable.ABS)
                                    ? absolute(call)
                                    : null;
                };
        return operator == null ? call : rex.makeCall(call.getType(), operator, call.getOperands());
    }

    /**
     * Rounded before it becomes an integer: Calcite cuts off what a REAL or DOUBLE has behind the
     * point, and lets a decimal wrap around that is too large once it is rounded.
     */
    private RexNode whole(RexNode number) {
        RelDataType type = number.getType();
        if (isApproximate(number)) {
            return call("nearestWhole", asDouble(type), asDouble(number));
        }
        if (!SqlTypeUtil.isDecimal(type) || type.getScale() <= 0) {
            return number;
        }
        RelDataType whole =
                rex.getTypeFactory()
                        .createSqlType(SqlTypeName.DECIMAL, ColumnType.MAX_DECIMAL_PRECISION, 0);
        return rex.makeAbstractCast(
                rex.getTypeFactory().createTypeWithNullability(whole, type.isNullable()),
                number,
                false);
    }

    private static @Nullable SqlOperator absolute(RexCall call) {
        return switch (call.getType().getSqlTypeName()) {
            case TINYINT -> FUNCTIONS.get("absoluteTinyint");
            case SMALLINT -> FUNCTIONS.get("absoluteSmallint");
            case INTEGER -> FUNCTIONS.get("absoluteInteger");
            default -> FUNCTIONS.get("absolute");
        };
    }

    private static String comparison(SqlKind kind) {
        return switch (kind) {
            case EQUALS -> "equal";
            case NOT_EQUALS -> "notEqual";
            case LESS_THAN -> "less";
            case LESS_THAN_OR_EQUAL -> "lessOrEqual";
            case GREATER_THAN -> "greater";
            case GREATER_THAN_OR_EQUAL -> "greaterOrEqual";
            default -> "";
        };
    }

    /** Of an expression whose value is REAL or DOUBLE. */
    private RexNode number(RexCall call) {
        return switch (call.getKind()) {
            case PLUS -> ofDoubles("plus", call);
            case MINUS -> ofDoubles("minus", call);
            case TIMES -> ofDoubles("times", call);
            case DIVIDE -> ofDoubles("divide", call);
            case MINUS_PREFIX -> ofDoubles("negate", call);
            case CASE, COALESCE, FIELD_ACCESS, ITEM -> call;
            case CAST, SAFE_CAST -> cast(call);
            default ->
                    switch (call.getOperator().getName()) {
                        case "POWER", "POW" -> ofDoubles("power", call);
                        case "EXP" -> ofDoubles("exp", call);
                        default ->
                                call(
                                        isReal(call) ? "oneZeroReal" : "oneZero",
                                        call.getType(),
                                        call);
                    };
        };
    }

    private RexNode cast(RexCall cast) {
        RexNode operand = cast.getOperands().getFirst();
        boolean text = SqlTypeUtil.isCharacter(operand.getType());
        if (!isReal(cast)) {
            return text ? call("doubleOfText", cast.getType(), operand) : cast;
        }
        return text
                ? call("realOfText", cast.getType(), operand)
                : isReal(operand) || SqlTypeUtil.isIntType(operand.getType())
                        ? cast
                        : SqlTypeUtil.isDecimal(operand.getType())
                                ? call("realOfDecimal", cast.getType(), operand)
                                : isApproximate(operand)
                                        ? call("real", cast.getType(), operand)
                                        : cast;
    }

    /** A function of operands as DOUBLE; its result becomes what the call's is. */
    private RexNode ofDoubles(String function, RexCall call) {
        RexNode[] operands =
                call.getOperands().stream().map(this::asDouble).toArray(RexNode[]::new);
        if (!isReal(call)) {
            return call(function, call.getType(), operands);
        }
        return call("real", call.getType(), call(function, asDouble(call.getType()), operands));
    }

    private RexNode asDouble(RexNode node) {
        RelDataType type = asDouble(node.getType());
        return type.equals(node.getType()) ? node : rex.makeAbstractCast(type, node, false);
    }

    private RelDataType asDouble(RelDataType type) {
        return rex.getTypeFactory()
                .createTypeWithNullability(
                        rex.getTypeFactory().createSqlType(SqlTypeName.DOUBLE), type.isNullable());
    }

    /** The place of a number in the order of {@link NumberFunctions}, as a BIGINT. */
    static RexNode ordered(RexBuilder rex, RelDataType type, RexNode number) {
        NumberRules rules = new NumberRules(rex);
        return rules.call("ordered", type, rules.asDouble(number));
    }

    /** The number, REAL or DOUBLE, that has that place. */
    static RexNode ofOrdered(RexBuilder rex, RelDataType type, RexNode place) {
        boolean real = type.getSqlTypeName() == SqlTypeName.REAL;
        return new NumberRules(rex).call(real ? "realOfOrdered" : "ofOrdered", type, place);
    }

    private RexNode call(String function, RelDataType type, RexNode... operands) {
        return rex.makeCall(
                type, Objects.requireNonNull(FUNCTIONS.get(function)), List.of(operands));
    }

    private static boolean isApproximate(RexNode node) {
        return SqlTypeUtil.isApproximateNumeric(node.getType());
    }

    private static boolean isReal(RexNode node) {
        return node.getType().getSqlTypeName() == SqlTypeName.REAL;
    }

    /** The public methods of a class by their names, each of which it has once. */
    static Map<String, SqlOperator> functions(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .collect(Collectors.toUnmodifiableMap(Method::getName, NumberRules::function));
    }

    private static SqlOperator function(Method method) {
        String name = method.getDeclaringClass().getSimpleName() + "_" + method.getName();
        return new SqlUserDefinedFunction(
                new SqlIdentifier(name, SqlParserPos.ZERO),
                SqlKind.OTHER_FUNCTION,
                ReturnTypes.explicit(SqlTypeName.ANY),
                InferTypes.RETURN_TYPE,
                null,
                ScalarFunctionImpl.create(method));
    }
}
