package dev.penstock.bench.endtoend;

import dev.penstock.bench.contender.Contender;
import dev.penstock.bench.contender.Folders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Runs contenders in turn, several times. In turn, because a machine's speed drifts: each round
 * meets every contender under nearly the same conditions. Each run gets an empty folder, and must
 * count as many rows as the file has.
 *
 * <p>A contender that cannot run here, or whose engine fails, is left out with a sentence; Penstock
 * itself must not fail.
 */
final class Comparison {
    private static final String PENSTOCK = "penstock";
    private static final String UNKNOWN = "unknown";
    private static final int MOST_WARM_UPS = 5;
    private static final long WARM_UP_NANOS = 10_000_000_000L;

    private final Path folder;
    private final int runs;
    private final Map<Contender, List<Contender.Loaded>> loaded = new LinkedHashMap<>();
    private final Map<String, String> skipped = new LinkedHashMap<>();

    Comparison(Path folder, int runs) {
        this.folder = folder;
        this.runs = runs;
    }

    void run(List<Contender> contenders) {
        for (Contender contender : contenders) {
            Optional<String> obstacle = contender.obstacle();
            if (obstacle.isPresent()) {
                skip(contender, obstacle.get());
            } else {
                loaded.put(contender, new ArrayList<>());
                if (contender.warmsUp()) {
                    warmUp(contender);
                }
            }
        }
        for (int run = 1; run <= runs; run++) {
            int number = run;
            // A copy, as a contender that fails leaves the map.
            new LinkedHashMap<>(loaded)
                    .forEach((contender, all) -> once(contender, number).ifPresent(all::add));
        }
    }

    /** Runs that do not count, until the JVM has compiled what matters. */
    private void warmUp(Contender contender) {
        long end = System.nanoTime() + WARM_UP_NANOS;
        for (int i = 0; i < MOST_WARM_UPS && (i == 0 || System.nanoTime() < end); i++) {
            if (once(contender, 0).isEmpty()) {
                return;
            }
        }
    }

    /** In the order of the contenders; those that were left out have none. */
    List<Result> results() {
        List<Result> results = new ArrayList<>();
        loaded.forEach((contender, all) ->
                results.add(
                        new Result(
                                contender.name(),
                                contender.description(),
                                version(contender),
                                contender.workload().bytes(),
                                all)));
        return results;
    }

    private static String version(Contender contender) {
        try {
            return contender.version();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        } catch (Exception e) {
            System.err.println(contender.name() + " does not say its version: " + e.getMessage());
            return UNKNOWN;
        }
    }

    /** Names of those that were left out, with the reason. */
    Map<String, String> skipped() {
        return skipped;
    }

    /** One run, empty if the engine failed; run 0 is the one that does not count. */
    private Optional<Contender.Loaded> once(Contender contender, int run) {
        Path own = folder.resolve(contender.name());
        try (OwnFolder _ = OwnFolder.create(own)) {
            contender.workload().fillPageCache();
            Contender.Loaded one = contender.load(own);
            check(contender, one);
            System.err.printf(
                    Locale.ROOT,
                    "%-24s %s: %.3f s, %.2f CPU s, %d rows%n",
                    contender.name(),
                    run == 0 ? "warm-up" : "run " + run,
                    one.span().seconds(),
                    one.span().cpuSeconds(),
                    one.rows());
            return Optional.of(one);
        } catch (Exception e) {
            if (contender.name().startsWith(PENSTOCK)) {
                throw new IllegalStateException(contender.name() + " failed", e);
            }
            skip(contender, "failed: " + e.getMessage());
            return Optional.empty();
        }
    }

    private record OwnFolder(Path path) implements AutoCloseable {
        static OwnFolder create(Path path) throws IOException {
            return new OwnFolder(Files.createDirectory(path));
        }

        @Override
        public void close() throws IOException {
            Folders.delete(path);
        }
    }

    private static void check(Contender contender, Contender.Loaded one) {
        if (one.rows() != contender.workload().rows()) {
            throw new IllegalStateException(
                    String.format(
                            Locale.ROOT,
                            "counts %d rows, the file has %d",
                            one.rows(),
                            contender.workload().rows()));
        }
    }

    private void skip(Contender contender, String reason) {
        loaded.remove(contender);
        skipped.put(contender.name(), reason);
        System.err.println(contender.name() + " skipped: " + reason);
    }
}
