package dev.penstock.target;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

/** A load whose publishing failed, and which could not be aborted then. */
public final class PublishDoubt {
    private PublishDoubt() {}

    /**
     * The failure to publish, which also says whether the rows are visible.
     *
     * @param refusal why the load could not be aborted
     */
    public static PenstockException explained(PenstockException lost, RuntimeException refusal) {
        boolean published =
                refusal instanceof PenstockException known
                        && known.category() == ErrorCategory.CONFLICT;
        return lost.and(
                published
                        ? "The load is published nevertheless: its rows are visible."
                        : "Nobody knows whether the load is published: look whether its rows are"
                                + " visible.");
    }
}
