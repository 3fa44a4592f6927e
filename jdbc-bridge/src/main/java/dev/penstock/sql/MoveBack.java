package dev.penstock.sql;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.LongColumn;
import dev.penstock.error.PenstockException;
import dev.penstock.sql.Moves.Move;
import dev.penstock.sql.Moves.RowKey;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Undoes {@link KeyMoves} that have failed halfway: it looks at what is stored, and changes only
 * what is as the UPDATE has left it. No row is overwritten or removed under its new key before it
 * is back under its old one. A region that refuses keeps no other from being asked. Owned by one
 * thread.
 */
final class MoveBack {
    /** What is stored under a key. */
    private enum Held {
        NOTHING,
        /** The row that the UPDATE moves to this key. */
        COMER,
        /** The row that had this key before. */
        OWNER,
        /** What somebody else has stored or changed. */
        OTHER,
        /** It could not be read. */
        UNKNOWN
    }

    private final KeyMoves.Rows rows;
    private final Moves moves;

    // What was tried, in its order, and what of it was certainly done
    private final List<List<Move>> added = new ArrayList<>();
    private final List<List<Move>> replaced = new ArrayList<>();
    private final List<List<Move>> gone = new ArrayList<>();
    private final Set<Move> tried = new LinkedHashSet<>();
    private final Set<Move> stored = new HashSet<>();
    private final Set<Move> removed = new HashSet<>();

    private final Map<RowKey, Held> known = new HashMap<>();
    private final Set<Integer> silentRegions = new HashSet<>();
    private final List<RuntimeException> refusals = new ArrayList<>();

    MoveBack(KeyMoves.Rows rows, Moves moves) {
        this.rows = rows;
        this.moves = moves;
    }

    /** These are about to be stored under keys that had no row. */
    void adding(List<Move> part) {
        added.add(part);
        tried.addAll(part);
    }

    /** Certainly none of these was stored. */
    void notAdded(List<Move> part) {
        added.remove(part);
        part.forEach(tried::remove);
    }

    /** These are about to be stored in the place of others. */
    void replacing(List<Move> part) {
        replaced.add(part);
        tried.addAll(part);
    }

    /** These were stored under their new keys. */
    void stored(List<Move> part) {
        stored.addAll(part);
    }

    /** These are about to be removed under their old keys. */
    void removing(List<Move> part) {
        gone.add(part);
    }

    void removed(List<Move> part) {
        removed.addAll(part);
    }

    /**
     * Undoes what was done.
     *
     * @param failure of the UPDATE; gets what fails here as suppressed
     * @return what to throw: the failure, or {@link HalfMoved} if not all could be undone
     */
    RuntimeException run(RuntimeException failure) {
        gone.forEach(this::bringBack);
        for (List<Move> part : replaced.reversed()) {
            List<Move> leavers = new ArrayList<>();
            part.reversed().forEach(move -> leavers.add(leaver(move)));
            // their keys are of one region, their rows maybe of several batches
            Moves.cut(leavers, _ -> 0).forEach(this::putBack);
        }
        added.forEach(this::takeAway);
        HalfMoved.Counts left = left();
        refusals.forEach(failure::addSuppressed);
        return left.isEmpty() ? failure : new HalfMoved(moves.schema(), left, failure);
    }

    /** Rows that were removed under their old keys. */
    private void bringBack(List<Move> part) {
        List<Move> missing = new ArrayList<>(part);
        missing.removeIf(
                move -> held(move.from()) != Held.NOTHING || held(move.to()) != Held.COMER);
        attempt(() -> {
            int present = insert(missing);
            while (present >= 0) {
                missing.remove(present);
                present = insert(missing);
            }
        });
        part.forEach(move -> known.remove(move.from()));
    }

    private int insert(List<Move> part) {
        return part.isEmpty() ? -1 : rows.insert(moves.before(part));
    }

    /** Rows that were overwritten by rows which are back already; each makes the next one safe. */
    private void putBack(List<Move> part) {
        List<Move> chosen = new ArrayList<>();
        for (Move move : part) {
            Move comer = moves.comer(move.from());
            if (comer != null
                    && held(move.from()) == Held.COMER
                    && (moves.inCircle(comer) || isBack(comer))) {
                chosen.add(move);
                known.put(move.from(), Held.OWNER);
            }
        }
        if (!chosen.isEmpty() && !attempt(() -> rows.put(moves.before(chosen)))) {
            chosen.forEach(move -> known.remove(move.from()));
        }
    }

    /** Rows under new keys that nobody had. */
    private void takeAway(List<Move> part) {
        List<Move> chosen =
                part.stream()
                        .filter(move -> held(move.to()) == Held.COMER && isBack(move))
                        .toList();
        if (!chosen.isEmpty()) {
            chosen.forEach(move -> known.remove(move.to()));
            if (attempt(() -> rows.delete(KeyMoves.keys(List.of(chosen), Move::to)))) {
                chosen.forEach(move -> known.put(move.to(), Held.NOTHING));
            }
        }
    }

    private boolean attempt(Runnable change) {
        try {
            change.run();
            return true;
        } catch (RuntimeException e) {
            refusals.add(e);
            return false;
        }
    }

    private Move leaver(Move move) {
        Move leaver = moves.owner(move.to());
        if (leaver == null) {
            throw PenstockException.internal("a row took the place of none");
        }
        return leaver;
    }

    /** Whether the row is under its old key; as others have changed it if it was never away. */
    private boolean isBack(Move move) {
        Held held = held(move.from());
        return held == Held.OWNER || (held == Held.OTHER && !wasAway(move));
    }

    private boolean wasAway(Move move) {
        Move comer = moves.comer(move.from());
        return removed.contains(move) || (comer != null && tried.contains(comer));
    }

    private Held held(RowKey key) {
        Held held = known.get(key);
        if (held == null) {
            held = look(key);
            known.put(key, held);
        }
        return held;
    }

    private Held look(RowKey key) {
        int region = rows.regionOf(key.bytes());
        if (silentRegions.contains(region)) {
            return Held.UNKNOWN;
        }
        try {
            return rows.get(key.bytes()).map(row -> whose(row, key)).orElse(Held.NOTHING);
        } catch (RuntimeException e) {
            refusals.add(e);
            silentRegions.add(region);
            return Held.UNKNOWN;
        }
    }

    private Held whose(ColumnBatch row, RowKey key) {
        Move owner = moves.owner(key);
        if (owner != null && equal(row, moves.before(List.of(owner)))) {
            return Held.OWNER;
        }
        Move comer = moves.comer(key);
        return comer != null && tried.contains(comer) && equal(row, moves.after(List.of(comer)))
                ? Held.COMER
                : Held.OTHER;
    }

    /** Whether two batches of one row have the same values. */
    private static boolean equal(ColumnBatch one, ColumnBatch other) {
        for (int i = 0; i < one.columnCount(); i++) {
            boolean same =
                    one.column(i).validity().isValid(0) == other.column(i).validity().isValid(0)
                            && switch (one.column(i)) {
                                case LongColumn longs ->
                                        longs.values()[0] == other.longs(i).values()[0];
                                case BytesColumn bytes ->
                                        Arrays.equals(bytes.get(0), other.bytes(i).get(0));
                            };
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /** What is not as it was before the UPDATE. */
    private HalfMoved.Counts left() {
        Set<Move> touched = new LinkedHashSet<>(tried);
        replaced.forEach(part -> part.forEach(move -> touched.add(leaver(move))));
        HalfMoved.Counts left = new HalfMoved.Counts();
        for (Move move : touched) {
            Held from = held(move.from());
            Held to = held(move.to());
            boolean others = to == Held.OTHER && stored.contains(move);
            if (from == Held.UNKNOWN || to == Held.UNKNOWN) {
                left.unknown().add(move);
            } else if (to == Held.COMER || others) {
                (isBack(move) ? left.twice() : left.moved()).add(move);
            } else if (from == Held.COMER && to != Held.NOTHING) {
                left.lost().add(move);
            }
        }
        return left;
    }
}
