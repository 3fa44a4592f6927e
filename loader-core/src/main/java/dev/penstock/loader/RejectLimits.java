package dev.penstock.loader;

import dev.penstock.error.PenstockException;
import dev.penstock.reject.RejectClass;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How many records may be rejected: all together, and of each class by itself.
 *
 * @param all limit of all classes together; null if classes are limited one by one, and those
 *     without a limit of their own may then have none
 * @param classes limits of single classes
 */
public record RejectLimits(@Nullable RejectLimit all, Map<RejectClass, RejectLimit> classes) {
    /** The first reject ends the load. */
    public static final RejectLimits NONE = of(RejectLimit.NONE);

    /**
     * A limit that is passed.
     *
     * @param kind the class that it is of, or null for all together
     * @param count rejects that it limits
     */
    public record Passed(@Nullable RejectClass kind, RejectLimit limit, long count) {}

    public RejectLimits {
        Map<RejectClass, RejectLimit> copy = new EnumMap<>(RejectClass.class);
        copy.putAll(classes);
        classes = Collections.unmodifiableMap(copy);
    }

    /** One limit of all classes together. */
    public static RejectLimits of(RejectLimit all) {
        return new RejectLimits(all, Map.of());
    }

    /**
     * {@code 100}, {@code 1%}, {@code type=1%,duplicate=5} or {@code 100,type=1%}, see {@link
     * RejectLimits}.
     */
    public static RejectLimits parse(String text) {
        RejectLimit all = null;
        Map<RejectClass, RejectLimit> classes = new EnumMap<>(RejectClass.class);
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            RejectLimit limit = RejectLimit.parse(part.substring(equals + 1));
            boolean again;
            if (equals < 0) {
                again = all != null;
                all = limit;
            } else {
                again = classes.put(kind(part.substring(0, equals)), limit) != null;
            }
            if (again) {
                throw PenstockException.usage("'" + text + "' limits the same rejects twice.");
            }
        }
        return new RejectLimits(all, classes);
    }

    private static RejectClass kind(String word) {
        String wanted = word.strip().toLowerCase(Locale.ROOT);
        List<String> words = new ArrayList<>();
        for (RejectClass kind : RejectClass.values()) {
            if (kind.word().equals(wanted)) {
                return kind;
            }
            words.add(kind.word());
        }
        throw PenstockException.usage(
                "'" + word + "' is no class of rejects; there are " + String.join(", ", words));
    }

    /** Whether the first reject ends the load, whatever its class. */
    public boolean none() {
        return all == null ? classes.values().stream().allMatch(RejectLimit::none) : all.none();
    }

    private @Nullable RejectLimit own(RejectClass kind) {
        return all == null ? classes.getOrDefault(kind, RejectLimit.NONE) : classes.get(kind);
    }

    /**
     * The limit that so many rejects pass: that of all, or else the first by class.
     *
     * @param counts rejects of each class
     * @param records of the input, or the most that it can have if it has not all been read
     */
    public Optional<Passed> passed(Map<RejectClass, Long> counts, long records) {
        long sum = counts.values().stream().mapToLong(Long::longValue).sum();
        if (all != null && all.exceeded(sum, records)) {
            return Optional.of(new Passed(null, all, sum));
        }
        for (Map.Entry<RejectClass, Long> entry : counts.entrySet()) {
            RejectLimit own = own(entry.getKey());
            if (own != null && own.exceeded(entry.getValue(), records)) {
                return Optional.of(new Passed(entry.getKey(), own, entry.getValue()));
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        if (all != null) {
            parts.add(all.toString());
        }
        classes.forEach((kind, limit) -> parts.add(kind.word() + "=" + limit));
        return String.join(",", parts);
    }
}
