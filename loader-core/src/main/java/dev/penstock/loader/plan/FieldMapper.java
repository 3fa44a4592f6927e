package dev.penstock.loader.plan;

import dev.penstock.bytes.Printable;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which column each field of a record fills. */
final class FieldMapper {
    static final String SKIP = "-";

    /** Characters of a name from a header that a message shows. */
    private static final int MAX_NAME = 100;

    private FieldMapper() {}

    /** All columns in table order. */
    static List<Integer> inTableOrder(TableSchema schema) {
        List<Integer> columns = new ArrayList<>();
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            columns.add(i);
        }
        return columns;
    }

    /**
     * The columns of the given names.
     *
     * @param origin where the names come from, for messages
     */
    static List<Integer> byName(TableSchema schema, List<String> names, String origin) {
        List<Integer> columns = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (String name : names) {
            if (name.equals(SKIP)) {
                columns.add(-1);
                continue;
            }
            int column = schema.indexOf(name.strip());
            if (column < 0 || column >= schema.visibleColumnCount()) {
                throw PenstockException.usage(
                        origin
                                + " names '"
                                + Printable.shortened(name, MAX_NAME)
                                + "', but table "
                                + schema.name()
                                + " has only the columns "
                                + names(schema)
                                + ". Use --columns to say what each field is (- skips a field).");
            }
            if (!seen.add(column)) {
                throw PenstockException.usage(
                        origin + " names column '" + schema.column(column).name() + "' twice.");
            }
            columns.add(column);
        }
        checkMissing(schema, seen, origin);
        return columns;
    }

    static boolean namesColumns(TableSchema schema, List<String> names) {
        return !names.isEmpty() && naming(schema, names).cardinality() == names.size();
    }

    /** The fields that each name a column, by their places; a column's second one does not. */
    static BitSet naming(TableSchema schema, List<String> names) {
        BitSet naming = new BitSet();
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            int column = schema.indexOf(names.get(i).strip());
            naming.set(i, column >= 0 && column < schema.visibleColumnCount() && seen.add(column));
        }
        return naming;
    }

    private static void checkMissing(TableSchema schema, Set<Integer> seen, String origin) {
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            if (!seen.contains(i) && !schema.column(i).nullable()) {
                throw PenstockException.usage(
                        origin
                                + " leaves out column "
                                + schema.column(i).name()
                                + ", which may not be NULL in table "
                                + schema.name()
                                + ".");
            }
        }
    }

    static String names(TableSchema schema) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < schema.visibleColumnCount(); i++) {
            names.add(schema.column(i).name());
        }
        return String.join(", ", names);
    }
}
