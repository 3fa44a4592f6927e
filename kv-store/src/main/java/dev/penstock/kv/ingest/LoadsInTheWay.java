package dev.penstock.kv.ingest;

import dev.penstock.kv.api.LoadDescriptor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Loads that take what another one needs, for its message: who they are and how to end them. Of
 * those into other tables it says no more than their ids, since not everybody may know of them.
 */
final class LoadsInTheWay {
    /** So many are named; who has ended these is told the next. */
    private static final int MAX_NAMED = 4;

    private final List<String> named;
    private final int others;
    private final LoadDescriptor refused;

    /** Those of the named that are known to run. */
    private final Map<String, LoadDescriptor> running = new HashMap<>();

    /**
     * Of a refused load.
     *
     * @param loadIds one at least
     * @param find a load by its id, if it is known to run; may ask the leader, and is asked once
     *     for each
     */
    LoadsInTheWay(
            List<String> loadIds,
            LoadDescriptor refused,
            Function<String, Optional<LoadDescriptor>> find) {
        this.named = loadIds.stream().limit(MAX_NAMED).toList();
        this.others = loadIds.size() - named.size();
        this.refused = refused;
        named.forEach(loadId -> find.apply(loadId).ifPresent(load -> running.put(loadId, load)));
    }

    /** Such as {@code load 'monday' (ID) and load ID}. */
    String names() {
        return named.stream().map(this::name).collect(Collectors.joining(" and "))
                + (others > 0 ? " and " + others + " more" : "");
    }

    private String name(String loadId) {
        Optional<LoadDescriptor> load = Optional.ofNullable(running.get(loadId));
        if (load.isPresent() && !isIntoSameTable(load.get())) {
            return "load " + loadId + " into another table";
        }
        String label = load.map(known -> known.request().label()).orElse("");
        return "load " + OtherLoads.name(loadId, label);
    }

    /** Sentences that say how to go on. */
    String advice() {
        String again =
                named.size() + others == 1
                        ? "Load again after it has ended."
                        : "Load again after they have ended.";
        String commands =
                named.stream()
                        .filter(running::containsKey)
                        .map(running::get)
                        .filter(load -> load.request().resumable())
                        .map(this::command)
                        .collect(Collectors.joining("; "));
        return commands.isEmpty()
                ? again
                : again + " What is unfinished can be resumed, or ended with: " + commands;
    }

    private String command(LoadDescriptor load) {
        return "penstock loads "
                + (isIntoSameTable(load) ? load.table().schema().name() : "TABLE")
                + " --abort "
                + load.loadId();
    }

    private boolean isIntoSameTable(LoadDescriptor load) {
        return load.table().tableId() == refused.table().tableId();
    }
}
