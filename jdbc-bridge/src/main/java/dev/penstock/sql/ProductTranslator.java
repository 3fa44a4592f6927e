package dev.penstock.sql;

import dev.penstock.aggregate.Product;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableIntList;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Turns Calcite's expressions into products that region servers compute: of columns, and of columns
 * plus or minus constants, all of them exact numbers. What it translates has the same value and
 * scale there; what it does not know stays with Calcite.
 */
final class ProductTranslator {
    private final TableSchema schema;
    private final ImmutableIntList columns;

    /**
     * @param columns the table columns that the expressions' inputs are
     */
    ProductTranslator(TableSchema schema, ImmutableIntList columns) {
        this.schema = schema;
        this.columns = columns;
    }

    Optional<Product> translate(RexNode node) {
        List<Product.Term> terms = new ArrayList<>();
        if (!SqlTypeUtil.isExactNumeric(node.getType()) || !collect(node, terms)) {
            return Optional.empty();
        }
        Product product = new Product(terms);
        return product.scale(schema) == node.getType().getScale()
                ? Optional.of(product)
                : Optional.empty();
    }

    private boolean collect(RexNode node, List<Product.Term> terms) {
        if (node instanceof RexCall call && call.getKind() == SqlKind.TIMES) {
            return collect(operand(call, 0), terms) && collect(operand(call, 1), terms);
        }
        Optional<Product.Term> term = term(node);
        term.ifPresent(terms::add);
        return term.isPresent() && terms.size() <= Product.MAX_TERMS;
    }

    private Optional<Product.Term> term(RexNode node) {
        RexNode bare = bare(node);
        if (bare instanceof RexInputRef input) {
            return term(input, BigDecimal.ZERO, false);
        }
        if (!(bare instanceof RexCall call) || call.getOperands().size() != 2) {
            return Optional.empty();
        }
        RexNode left = bare(operand(call, 0));
        RexNode right = bare(operand(call, 1));
        return switch (call.getKind()) {
            case PLUS ->
                    left instanceof RexInputRef
                            ? term(left, constant(right), false)
                            : term(right, constant(left), false);
            case MINUS ->
                    left instanceof RexInputRef
                            ? term(left, constant(right).map(BigDecimal::negate), false)
                            : term(right, constant(left), true);
            default -> Optional.empty();
        };
    }

    private Optional<Product.Term> term(
            RexNode node, Optional<BigDecimal> constant, boolean negated) {
        return node instanceof RexInputRef input && constant.isPresent()
                ? term(input, constant.get(), negated)
                : Optional.empty();
    }

    private Optional<Product.Term> term(RexInputRef input, BigDecimal constant, boolean negated) {
        int column = columns.get(input.getIndex());
        ColumnType type = schema.column(column).type();
        if (!Product.isExact(type)) {
            return Optional.empty();
        }
        try {
            long unscaled = constant.setScale(Product.scale(type)).unscaledValue().longValueExact();
            return Optional.of(new Product.Term(column, unscaled, negated));
        } catch (ArithmeticException | IllegalArgumentException e) {
            // More digits than the column has: the sum would have another scale than it.
            return Optional.empty();
        }
    }

    private static Optional<BigDecimal> constant(RexNode node) {
        return node instanceof RexLiteral literal
                        && !literal.isNull()
                        && SqlTypeUtil.isExactNumeric(literal.getType())
                ? Optional.ofNullable(literal.getValueAs(BigDecimal.class))
                : Optional.empty();
    }

    /** Without casts that change neither value nor scale. */
    private static RexNode bare(RexNode node) {
        RexNode bare = node;
        while (bare instanceof RexCall cast
                && cast.getKind() == SqlKind.CAST
                && RexUtil.isLosslessCast(cast)
                && (operand(cast, 0) instanceof RexLiteral
                        || cast.getType().getScale() == operand(cast, 0).getType().getScale())) {
            bare = operand(cast, 0);
        }
        return bare;
    }

    private static RexNode operand(RexCall call, int index) {
        return call.getOperands().get(index);
    }
}
