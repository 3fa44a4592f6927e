package dev.penstock.sql;

import dev.penstock.schema.TableSchema;
import dev.penstock.sql.Moves.Move;

import java.util.ArrayList;
import java.util.List;

/** An UPDATE that failed after a part of it was done, of which not all could be undone. */
final class HalfMoved extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Rows that are not as they were.
     *
     * @param twice stored under both keys
     * @param moved stored as the UPDATE wanted, or as others have changed that since
     * @param lost stored no more: their place was given to another row
     * @param unknown of which at least one key could not be read
     */
    record Counts(List<Move> twice, List<Move> moved, List<Move> lost, List<Move> unknown) {
        Counts() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }

        boolean isEmpty() {
            return twice.isEmpty() && moved.isEmpty() && lost.isEmpty() && unknown.isEmpty();
        }
    }

    HalfMoved(TableSchema schema, Counts left, RuntimeException because) {
        super(message(schema, left, because), because);
    }

    private static String message(TableSchema schema, Counts left, RuntimeException because) {
        List<String> parts = new ArrayList<>();
        add(
                left.twice(),
                schema,
                " stored under the old key and under the new one; DELETE one of the two once that"
                        + " is not refused",
                parts);
        add(left.moved(), schema, " stored as the UPDATE wanted", parts);
        add(left.lost(), schema, " stored no more; INSERT what was under the old key", parts);
        add(left.unknown(), schema, " stored as before or not, which is not known", parts);
        return "the UPDATE of table "
                + schema.name()
                + " failed when a part of it was done, and not all of that could be undone. "
                + String.join(". ", parts)
                + ". It failed because "
                + because.getMessage();
    }

    /** One row as an example is enough: the statement's condition names all. */
    private static void add(List<Move> rows, TableSchema schema, String are, List<String> parts) {
        if (!rows.isEmpty()) {
            String from = DuplicateKey.text(schema, rows.getFirst().from().bytes());
            String to = DuplicateKey.text(schema, rows.getFirst().to().bytes());
            parts.add(
                    (rows.size() == 1 ? "1 row is" : rows.size() + " rows are")
                            + are
                            + " (old key "
                            + from
                            + ", new key "
                            + to
                            + (rows.size() == 1 ? ")" : ", and others)"));
        }
    }
}
