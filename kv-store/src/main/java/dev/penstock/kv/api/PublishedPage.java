package dev.penstock.kv.api;

import java.util.List;

/**
 * What was published after some epoch, as much of it as one answer holds.
 *
 * @param loads oldest first; tables that have been dropped have none any more
 * @param upTo nothing is missing up to this epoch, and the next page begins after it; the latest
 *     epoch in the last page
 */
public record PublishedPage(List<PublishedLoad> loads, long upTo) {
    public PublishedPage {
        loads = List.copyOf(loads);
    }
}
