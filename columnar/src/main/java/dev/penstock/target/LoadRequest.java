package dev.penstock.target;

import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import java.util.List;

/**
 * What a load says to the target before it sends anything.
 *
 * @param table an existing table
 * @param label the user's name for the load, or empty; a table takes one load of each label
 * @param duplicates what to do with keys that exist already
 * @param dialect how raw fragments are written
 * @param fieldColumns for each field of a record the index of its table column, or -1 to skip it
 * @param sources names of the inputs, for messages
 * @param deferSteps whether raw fragments are only stored until {@link LoadSession#finish} (policy
 *     {@code sequential}: the file first, then the load)
 * @param createsTable whether the load created the table, which then goes with the load if that
 *     fails and nothing else was stored in it
 * @param verification how the target is to prove that what it stores is what was parsed
 * @param tokens what codes in columns of tokens mean, in fragments and in the segments of the load
 * @param plan what the loader needs to know to go on with the load after an interruption; the
 *     target keeps it, and what it has made durable of the load. Empty if an interruption ends it.
 */
public record LoadRequest(
        String table,
        String label,
        DuplicatePolicy duplicates,
        Dialect dialect,
        List<Integer> fieldColumns,
        List<String> sources,
        boolean deferSteps,
        boolean createsTable,
        Verification verification,
        TokenTables tokens,
        String plan) {
    public LoadRequest {
        fieldColumns = List.copyOf(fieldColumns);
        sources = List.copyOf(sources);
    }

    /** A load into a table that was there before, without tokens and checksums. */
    public static LoadRequest intoExisting(
            String table,
            String label,
            DuplicatePolicy duplicates,
            Dialect dialect,
            List<Integer> fieldColumns,
            List<String> sources,
            boolean deferSteps) {
        return new LoadRequest(
                table,
                label,
                duplicates,
                dialect,
                fieldColumns,
                sources,
                deferSteps,
                false,
                Verification.COUNT,
                TokenTables.NONE,
                "");
    }

    /** The same load with a plan, or without if that is empty. */
    public LoadRequest withPlan(String newPlan) {
        return new LoadRequest(
                table,
                label,
                duplicates,
                dialect,
                fieldColumns,
                sources,
                deferSteps,
                createsTable,
                verification,
                tokens,
                newPlan);
    }

    /** Whether the load outlives its loader, and waits for the next one. */
    public boolean resumable() {
        return !plan.isEmpty();
    }
}
