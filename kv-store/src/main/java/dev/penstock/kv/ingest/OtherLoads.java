package dev.penstock.kv.ingest;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RunningLoad;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Who else loads into a table, for messages.
 *
 * @param running loads that had begun when a load began to finish, perhaps with itself; one that
 *     has come since is told by its id
 */
public record OtherLoads(List<RunningLoad> running) {
    /** Words that any shell takes as they are, and no command for an option. */
    private static final Pattern PLAIN_WORD =
            Pattern.compile("[A-Za-z0-9_@%+=:,./][\\w@%+=:,./-]*");

    public OtherLoads {
        running = List.copyOf(running);
    }

    /** Why a key that another load has prepared ends the one that prepares later. */
    PenstockException conflict(String key, String table, String loadId) {
        String label = label(loadId);
        return PenstockException.conflict(
                "key "
                        + key
                        + " is also in load "
                        + name(loadId, label)
                        + " into table "
                        + table
                        + (waits(loadId)
                                ? ", which is unfinished; load again after it has ended: resume it,"
                                        + " or end it with: penstock loads "
                                        + table
                                        + " --abort "
                                        + (PLAIN_WORD.matcher(label).matches() ? label : loadId)
                                : ", which is about to be published; load again after it has"
                                        + " ended"));
    }

    /** What messages call a load: its label, if it has one, and its id. */
    static String name(String loadId, String label) {
        return label.isEmpty() ? loadId : "'" + label + "' (" + loadId + ")";
    }

    private String label(String loadId) {
        return running.stream()
                .filter(load -> load.loadId().equals(loadId))
                .map(load -> load.load().request().label())
                .findFirst()
                .orElse("");
    }

    private boolean waits(String loadId) {
        return running.stream().anyMatch(load -> load.loadId().equals(loadId) && load.waiting());
    }
}
