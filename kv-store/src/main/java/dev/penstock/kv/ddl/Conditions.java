package dev.penstock.kv.ddl;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.ddl.Terms.Written;
import dev.penstock.predicate.Predicate;
import dev.penstock.predicate.Predicate.Operator;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.DateTimeLiteralExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.HexValue;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.schema.Column;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * SQL row conditions as {@link Predicate}s. Understood are comparisons of a column with literals,
 * AND, OR, NOT (pushed down to the leaves, with SQL's meaning of NULL), BETWEEN, IN, IS NULL, IS
 * TRUE, IS FALSE and LIKE 'prefix%'. Literals take the column's type exactly: 0.055 against a
 * DECIMAL(15,2) is neither rounded nor cut.
 */
public final class Conditions {
    private final SqlText text;
    private final TableSchema schema;
    private final Terms terms;

    private Conditions(SqlText text, TableSchema schema) {
        this.text = text;
        this.schema = schema;
        this.terms = new Terms(schema);
    }

    /**
     * The condition that {@code where} (without the word WHERE) states on rows of the table.
     *
     * @throws PenstockException of category USAGE that says what is not understood
     */
    public static Predicate parse(String where, TableSchema schema) {
        SqlText text = new SqlText("the condition", where);
        Expression expression = text.parse(CCJSqlParser::Expression);
        return new Conditions(text, schema).resolve(expression, false);
    }

    /** The predicate that is true where {@code expression} (or, negated, its NOT) is true. */
    private Predicate resolve(Expression expression, boolean negated) {
        return switch (expression) {
            case AndExpression and -> combine(and, negated, !negated);
            case OrExpression or -> combine(or, negated, negated);
            case NotExpression not -> resolve(not.getExpression(), !negated);
            case ParenthesedExpressionList<?> list when list.size() == 1 ->
                    resolve(list.getFirst(), negated);
            case Between between -> between(between, negated);
            case InExpression in -> in(in, negated);
            case IsNullExpression isNull -> {
                boolean not = isNull.isNot() || isNull.isUseNotNull();
                yield new Predicate.IsNull(column(isNull.getLeftExpression()), not != negated);
            }
            case IsBooleanExpression is -> isBoolean(is, negated);
            case LikeExpression like -> like(like, negated);
            case BooleanValue constant ->
                    constant.getValue() != negated ? Predicate.ALWAYS : Terms.NEVER;
            case NullValue _ -> Terms.NEVER;
            case Column column -> flag(column, !negated);
            case BinaryExpression comparison -> compare(comparison, negated);
            default -> {
                if (!isColumn(expression)) {
                    throw notUnderstood(expression);
                }
                yield flag(expression, !negated);
            }
        };
    }

    private Predicate combine(BinaryExpression expression, boolean negated, boolean and) {
        // Chains lean to the left: walk them in a loop so that long ones do not exhaust the stack.
        List<Expression> parts = new ArrayList<>();
        Expression left = expression;
        while (left.getClass() == expression.getClass()) {
            BinaryExpression binary = (BinaryExpression) left;
            parts.add(binary.getRightExpression());
            left = binary.getLeftExpression();
        }
        List<Predicate> resolved = new ArrayList<>();
        resolved.add(resolve(left, negated));
        for (Expression part : parts.reversed()) {
            resolved.add(resolve(part, negated));
        }
        return and ? new Predicate.And(resolved) : new Predicate.Or(resolved);
    }

    private Predicate compare(BinaryExpression comparison, boolean negated) {
        Operator operator = operator(comparison);
        Expression left = unwrap(comparison.getLeftExpression());
        Expression right = unwrap(comparison.getRightExpression());
        if (isColumn(left)) {
            return terms.compare(
                    column(left), negated ? negate(operator) : operator, literal(right));
        }
        if (isColumn(right)) {
            Operator flipped = flip(operator);
            return terms.compare(column(right), negated ? negate(flipped) : flipped, literal(left));
        }
        if (left instanceof Column || right instanceof Column) {
            return terms.compare(
                    column(left instanceof Column ? left : right), operator, literal(right));
        }
        throw notUnderstood(comparison);
    }

    private Predicate between(Between between, boolean negated) {
        int column = column(between.getLeftExpression());
        if (between.isUsingSymmetric()) {
            throw notUnderstood(between);
        }
        Written low = literal(between.getBetweenExpressionStart());
        Written high = literal(between.getBetweenExpressionEnd());
        if (between.isNot() != negated) {
            return new Predicate.Or(
                    List.of(
                            terms.compare(column, Operator.LESS, low),
                            terms.compare(column, Operator.GREATER, high)));
        }
        return new Predicate.And(
                List.of(
                        terms.compare(column, Operator.GREATER_OR_EQUAL, low),
                        terms.compare(column, Operator.LESS_OR_EQUAL, high)));
    }

    private Predicate in(InExpression in, boolean negated) {
        int column = column(in.getLeftExpression());
        if (!(in.getRightExpression() instanceof ExpressionList<?> list) || list.isEmpty()) {
            throw notUnderstood(in);
        }
        List<Written> literals = new ArrayList<>();
        for (Expression element : list) {
            literals.add(literal(element));
        }
        return terms.in(column, literals, in.isNot() != negated);
    }

    private Predicate like(LikeExpression like, boolean negated) {
        if (like.getLikeKeyWord() != LikeExpression.KeyWord.LIKE) {
            throw notUnderstood(like);
        }
        char escape = '\\';
        if (like.getEscape() != null) {
            String written = like.getEscape() instanceof StringValue value ? value.getValue() : "";
            if (written.length() != 1) {
                throw notUnderstood(like);
            }
            escape = written.charAt(0);
        }
        return terms.like(
                column(like.getLeftExpression()),
                literal(like.getRightExpression()),
                escape,
                true,
                like.isNot() != negated);
    }

    private Predicate isBoolean(IsBooleanExpression is, boolean negated) {
        int column = column(is.getLeftExpression());
        requireBoolean(column);
        boolean not = is.isNot() != negated;
        Predicate equal =
                terms.compare(column, Operator.EQUAL, new Written.Bool(is.isTrue() != not));
        return not ? new Predicate.Or(List.of(equal, new Predicate.IsNull(column, false))) : equal;
    }

    private Predicate flag(Expression name, boolean value) {
        int column = column(name);
        requireBoolean(column);
        return terms.compare(column, Operator.EQUAL, new Written.Bool(value));
    }

    private void requireBoolean(int column) {
        if (!(schema.column(column).type() instanceof ColumnType.BooleanType)) {
            throw text.usageAt(
                    schema.column(column).name(),
                    "uses column "
                            + schema.column(column).name()
                            + " as a truth value, but it is "
                            + schema.column(column).type().sql());
        }
    }

    private Written literal(Expression written) {
        Expression expression = unwrap(written);
        return switch (expression) {
            case NullValue _ -> new Written.Null();
            case LongValue value -> new Written.Decimal(new BigDecimal(value.getStringValue()));
            case DoubleValue value -> new Written.Decimal(number(value));
            case SignedExpression signed -> signed(signed);
            case StringValue value when value.getPrefix() == null ->
                    new Written.Text(value.getValue().replace("''", "'"));
            case BooleanValue value -> new Written.Bool(value.getValue());
            case HexValue value -> new Written.Hex(hexDigits(value));
            case DateTimeLiteralExpression value -> dateTime(value);
            case CastExpression cast when cast.isImplicitCast() ->
                    literal(cast.getLeftExpression());
            case Column column -> {
                int index = schema.indexOf(SqlText.unquote(column.getColumnName()));
                throw text.usageAt(
                        column.toString(),
                        index >= 0
                                ? "compares with column "
                                        + column
                                        + "; only literals can stand there"
                                : "has "
                                        + column
                                        + " where a literal is expected"
                                        + " (texts are written in single quotes)");
            }
            default -> throw notUnderstood(expression);
        };
    }

    /** The parser takes blanks behind {@code X'…'} for a part of it, and its digits end there. */
    private static String hexDigits(HexValue value) {
        return new HexValue(value.getValue().strip()).getDigits();
    }

    private Written signed(SignedExpression signed) {
        if (literal(signed.getExpression()) instanceof Written.Decimal(BigDecimal value)) {
            return switch (signed.getSign()) {
                case '-' -> new Written.Decimal(value.negate());
                case '+' -> new Written.Decimal(value);
                default -> throw notUnderstood(signed);
            };
        }
        throw notUnderstood(signed);
    }

    private BigDecimal number(DoubleValue value) {
        try {
            return new BigDecimal(value.toString());
        } catch (NumberFormatException e) {
            throw notUnderstood(value);
        }
    }

    private Written dateTime(DateTimeLiteralExpression value) {
        String quoted = value.getValue();
        String inner =
                quoted.length() >= 2 && quoted.startsWith("'") && quoted.endsWith("'")
                        ? quoted.substring(1, quoted.length() - 1)
                        : quoted;
        return switch (value.getType()) {
            case DATE, TIME -> new Written.Text(inner);
            case TIMESTAMP, DATETIME -> new Written.Timestamp(inner);
            default -> throw notUnderstood(value);
        };
    }

    private boolean isColumn(Expression expression) {
        return indexOf(expression) >= 0;
    }

    private int column(Expression expression) {
        Expression named = unwrap(expression);
        int index = indexOf(named);
        if (index < 0) {
            throw named instanceof Column
                    ? text.usageAt(
                            named.toString(),
                            "names column "
                                    + named
                                    + ", which table "
                                    + schema.name()
                                    + " does not have")
                    : notUnderstood(expression);
        }
        return index;
    }

    /**
     * Index of the column that an expression names, or -1. The parser takes some names, DAY for
     * example, for expressions of their own; they are columns where the table has such a column.
     */
    private int indexOf(Expression expression) {
        return switch (expression) {
            case Column column -> {
                boolean foreign =
                        column.getTable() != null
                                && column.getTable().getName() != null
                                && !SqlText.unquote(column.getTable().getName())
                                        .equalsIgnoreCase(schema.name());
                yield foreign ? -1 : schema.indexOf(SqlText.unquote(column.getColumnName()));
            }
            case StringValue _,
                    LongValue _,
                    DoubleValue _,
                    HexValue _,
                    NullValue _,
                    BooleanValue _ ->
                    -1;
            default -> schema.indexOf(expression.toString());
        };
    }

    private static Expression unwrap(Expression expression) {
        Expression inner = expression;
        while (inner instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
            inner = list.getFirst();
        }
        return inner;
    }

    private Operator operator(BinaryExpression comparison) {
        @Nullable Operator operator =
                switch (comparison) {
                    case EqualsTo _ -> Operator.EQUAL;
                    case NotEqualsTo _ -> Operator.NOT_EQUAL;
                    case MinorThan _ -> Operator.LESS;
                    case MinorThanEquals _ -> Operator.LESS_OR_EQUAL;
                    case GreaterThan _ -> Operator.GREATER;
                    case GreaterThanEquals _ -> Operator.GREATER_OR_EQUAL;
                    default -> null;
                };
        if (operator == null) {
            throw notUnderstood(comparison);
        }
        return operator;
    }

    private static Operator negate(Operator operator) {
        return switch (operator) {
            case EQUAL -> Operator.NOT_EQUAL;
            case NOT_EQUAL -> Operator.EQUAL;
            case LESS -> Operator.GREATER_OR_EQUAL;
            case LESS_OR_EQUAL -> Operator.GREATER;
            case GREATER -> Operator.LESS_OR_EQUAL;
            case GREATER_OR_EQUAL -> Operator.LESS;
        };
    }

    /** The operator that says the same with its sides exchanged. */
    private static Operator flip(Operator operator) {
        return switch (operator) {
            case EQUAL, NOT_EQUAL -> operator;
            case LESS -> Operator.GREATER;
            case LESS_OR_EQUAL -> Operator.GREATER_OR_EQUAL;
            case GREATER -> Operator.LESS;
            case GREATER_OR_EQUAL -> Operator.LESS_OR_EQUAL;
        };
    }

    private PenstockException notUnderstood(Expression expression) {
        String part = expression.toString();
        String shown = part.length() <= 80 ? part : part.substring(0, 80) + "…";
        return text.usageAt(
                part,
                "has '"
                        + shown
                        + "', which is not supported; supported are comparisons of a column with a"
                        + " literal, AND, OR, NOT, BETWEEN, IN, IS NULL and LIKE 'prefix%'");
    }
}
