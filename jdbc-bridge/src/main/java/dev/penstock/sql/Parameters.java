package dev.penstock.sql;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.ddl.Terms.Written;

import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.avatica.util.DateTimeUtils;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The values behind literals and {@code ?} of one statement. Without a run, each parameter has some
 * value of its type.
 */
final class Parameters {
    /** While planning: which conditions can be pushed down depends on types only. */
    static final Parameters UNKNOWN = new Parameters(null);

    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    private final @Nullable DataContext context;
    private final @Nullable AtomicBoolean cancelled;

    Parameters(@Nullable DataContext context) {
        this.context = context;
        this.cancelled =
                context != null
                                && DataContext.Variable.CANCEL_FLAG.get(context)
                                        instanceof AtomicBoolean flag
                        ? flag
                        : null;
    }

    /** The literal or parameter as somebody would have written it; empty for other expressions. */
    @Nullable Written written(RexNode node) {
        return switch (node) {
            case RexLiteral literal -> written(literal);
            case RexDynamicParam parameter -> written(parameter);
            case RexCall cast when isWrittenUuid(cast) -> written(cast.getOperands().getFirst());
            default -> null;
        };
    }

    /** Whether it is a text as a UUID: {@link NumberExecutor} leaves such a constant as it is. */
    static boolean isWrittenUuid(RexNode node) {
        return node instanceof RexCall cast
                && cast.getKind() == SqlKind.CAST
                && UuidRules.isUuid(cast)
                && cast.getOperands().getFirst() instanceof RexLiteral literal
                && SqlTypeUtil.isCharacter(literal.getType());
    }

    /** The number that a LIMIT or OFFSET holds. */
    long count(RexNode node) {
        return count(written(node) instanceof Written.Decimal(BigDecimal value) ? value : null);
    }

    /** The same of what the caller has set. */
    static long count(@Nullable Object value) {
        if (value != null) {
            BigDecimal number = ParameterFunctions.decimal(value);
            if (number.signum() >= 0) {
                return number.min(MOST).longValue();
            }
        }
        throw PenstockException.usage("LIMIT and OFFSET need a number that is not negative");
    }

    /** Ends the statement when {@code Statement.cancel} was called or its time is over. */
    void checkCancelled() {
        if (cancelled != null && cancelled.get()) {
            throw new StatementCancelled();
        }
    }

    private static @Nullable Written written(RexLiteral literal) {
        if (literal.isNull()) {
            return new Written.Null();
        }
        if (SqlTypeUtil.isApproximateNumeric(literal.getType())) {
            return new Written.Floating(NumberRules.value(literal));
        }
        return switch (literal.getTypeName()) {
            case BOOLEAN -> new Written.Bool(RexLiteral.booleanValue(literal));
            case DECIMAL, BIGINT, INTEGER, SMALLINT, TINYINT ->
                    new Written.Decimal(
                            Objects.requireNonNull(literal.getValueAs(BigDecimal.class)));
            case CHAR, VARCHAR ->
                    new Written.Text(
                            Objects.requireNonNull(literal.getValueAs(NlsString.class)).getValue());
            case DATE ->
                    new Written.Text(
                            Objects.requireNonNull(literal.getValueAs(DateString.class))
                                    .toString());
            case TIME ->
                    new Written.Text(
                            Objects.requireNonNull(literal.getValueAs(TimeString.class))
                                    .toString());
            case TIMESTAMP ->
                    new Written.Timestamp(
                            Objects.requireNonNull(literal.getValueAs(TimestampString.class))
                                    .toString());
            case BINARY, VARBINARY ->
                    new Written.Hex(
                            Objects.requireNonNull(literal.getValueAs(ByteString.class))
                                    .toString(16));
            case UUID ->
                    new Written.Text(
                            Objects.requireNonNull(literal.getValueAs(UUID.class)).toString());
            default -> null;
        };
    }

    private @Nullable Written written(RexDynamicParam parameter) {
        SqlTypeName type = parameter.getType().getSqlTypeName();
        if (context == null) {
            return anyOf(type);
        }
        Object value = context.get(parameter.getName());
        return value == null ? new Written.Null() : written(type, value);
    }

    private static @Nullable Written anyOf(SqlTypeName type) {
        return switch (type) {
            case BOOLEAN -> new Written.Bool(true);
            case DECIMAL, BIGINT, INTEGER, SMALLINT, TINYINT ->
                    new Written.Decimal(BigDecimal.ZERO);
            case DOUBLE, FLOAT, REAL -> new Written.Floating(0);
            case CHAR, VARCHAR -> new Written.Text("");
            case DATE -> new Written.Text("1970-01-01");
            case TIME -> new Written.Text("00:00:00");
            case TIMESTAMP -> new Written.Timestamp("1970-01-01 00:00:00");
            case BINARY, VARBINARY -> new Written.Hex("");
            case UUID -> new Written.Text(new UUID(0, 0).toString());
            default -> null;
        };
    }

    /** Of a value in Calcite's representation. */
    private static @Nullable Written written(SqlTypeName type, Object value) {
        return switch (type) {
            case BOOLEAN -> new Written.Bool(ParameterFunctions.truth(value));
            case DECIMAL, BIGINT, INTEGER, SMALLINT, TINYINT ->
                    new Written.Decimal(ParameterFunctions.decimal(value));
            case DOUBLE, FLOAT -> new Written.Floating(ParameterFunctions.doubled(value));
            case REAL -> new Written.Floating(ParameterFunctions.real(value));
            case CHAR, VARCHAR -> new Written.Text(ParameterFunctions.text(value));
            case DATE ->
                    new Written.Text(
                            DateTimeUtils.unixDateToString(ParameterFunctions.date(value)));
            case TIME ->
                    new Written.Text(
                            DateTimeUtils.unixTimeToString(ParameterFunctions.time(value), 3));
            case TIMESTAMP ->
                    new Written.Timestamp(
                            DateTimeUtils.unixTimestampToString(
                                    ParameterFunctions.timestamp(value), 3));
            case BINARY, VARBINARY -> new Written.Hex(((ByteString) value).toString(16));
            case UUID -> new Written.Text(ParameterFunctions.uuid(value).toString());
            default -> null;
        };
    }
}
