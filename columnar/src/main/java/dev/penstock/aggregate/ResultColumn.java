package dev.penstock.aggregate;

/**
 * A column of an aggregate query's result as a reader sees it.
 *
 * @param name shown above it
 * @param content what it holds
 */
public record ResultColumn(String name, Content content) {
    /** Where a column's values come from. */
    public sealed interface Content {
        /** The query's group-by column of that position. */
        record Group(int position) implements Content {}

        /** The query's aggregate of that position. */
        record Value(int position) implements Content {}

        /** The quotient of a sum and a count, as a double. */
        record Average(int sum, int count) implements Content {}
    }
}
