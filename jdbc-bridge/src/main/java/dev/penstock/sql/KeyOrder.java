package dev.penstock.sql;

import dev.penstock.schema.Column;
import dev.penstock.schema.ColumnType;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.PhysicalKind;
import dev.penstock.schema.TableSchema;

import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelFieldCollation.Direction;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;

import java.util.List;

/**
 * The order in which scans deliver rows, that of the key or, from the end, the opposite one, as an
 * order that a statement asks for. Of numbers, dates and UUIDs only: texts are ordered by their
 * UTF-8 bytes here and by UTF-16 by Calcite.
 */
final class KeyOrder {
    private final TableSchema schema;
    private final ScanParts parts;

    /** Whether rows come from the last key on. */
    private final boolean backward;

    private KeyOrder(TableSchema schema, ScanParts parts, boolean backward) {
        this.schema = schema;
        this.parts = parts;
        this.backward = backward;
    }

    /** Whether a scan delivers its rows in that order. */
    static boolean has(StoreScan scan, RelCollation order) {
        return new KeyOrder(scan.storeTable().schema(), scan.parts(), false)
                .has(order.getFieldCollations());
    }

    /** Whether it would, from the last key on. */
    static boolean hasBackward(StoreScan scan, RelCollation order) {
        return new KeyOrder(scan.storeTable().schema(), scan.parts(), true)
                .has(order.getFieldCollations());
    }

    private boolean has(List<RelFieldCollation> fields) {
        List<KeyColumn> key = schema.key();
        int part = 0;
        for (int i = 0; i < fields.size(); i++) {
            int column = parts.columns().get(fields.get(i).getFieldIndex());
            while (part < key.size() && isPassed(key.get(part), column)) {
                part++;
            }
            boolean isLast = i == fields.size() - 1;
            if (part == key.size() || !isPart(key.get(part), column, fields.get(i), isLast)) {
                return false;
            }
            part++;
        }
        return true;
    }

    /** Whether a key column orders nothing, as all rows have the same value there. */
    private boolean isPassed(KeyColumn part, int wanted) {
        return part.columnIndex() != wanted
                && isExact(part.columnIndex())
                && parts.conditions().stream()
                        .anyMatch(condition -> fixes(condition, part.columnIndex()));
    }

    private static boolean fixes(RexNode condition, int column) {
        if (!condition.isA(SqlKind.EQUALS) || !(condition instanceof RexCall equality)) {
            return false;
        }
        RexNode left = equality.getOperands().getFirst();
        RexNode right = equality.getOperands().getLast();
        return isColumn(left, column) && isConstant(right)
                || isColumn(right, column) && isConstant(left);
    }

    private static boolean isColumn(RexNode node, int column) {
        RexNode value = RexUtil.isLosslessCast(node) ? RexUtil.removeCast(node) : node;
        return value instanceof RexInputRef input && input.getIndex() == column;
    }

    private static boolean isConstant(RexNode node) {
        return node instanceof RexLiteral
                || node instanceof RexDynamicParam
                || Parameters.isWrittenUuid(node);
    }

    private boolean isPart(KeyColumn part, int column, RelFieldCollation field, boolean isLast) {
        boolean descending = part.descending() != backward;
        Direction direction = descending ? Direction.DESCENDING : Direction.ASCENDING;
        return part.columnIndex() == column
                && field.getDirection() == direction
                && isOrderedAlike(schema.column(column).type())
                && (isLast || isExact(column));
    }

    private static boolean isOrderedAlike(ColumnType type) {
        return type instanceof ColumnType.UuidType
                || type.kind() == PhysicalKind.LONG && !type.isFloatingPoint();
    }

    /** Whether values that differ here differ to Calcite too. */
    private boolean isExact(int column) {
        Column known = schema.column(column);
        return !ExactFields.isNeededFor(known.type());
    }
}
