package dev.penstock.target;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

/** What to say of a load whose publishing failed. */
public final class PublishDoubt {
    private PublishDoubt() {}

    /**
     * The failure to publish of a load that could not be aborted then, which also says whether the rows are visible.
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
                                + " visible before you load again. A load with a label is never"
                                + " loaded twice.");
    }

    /** The failure to publish of a load that has been aborted then, which settles all doubt. */
    public static PenstockException settled(PenstockException lost) {
        return lost.category() == ErrorCategory.RETRY
                ? lost.and("The load was aborted: none of its rows is visible.")
                : lost;
    }
}
