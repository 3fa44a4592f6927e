package dev.penstock.bench.endtoend;

import dev.penstock.bench.contender.Contender;
import dev.penstock.bench.contender.Contenders;
import dev.penstock.bench.contender.PenstockCluster;
import dev.penstock.bench.contender.PenstockCluster.Link;
import dev.penstock.bench.contender.PenstockInProcess;
import dev.penstock.bench.contender.Workload;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Penstock against itself, with one thing changed. */
enum Experiment {
    /** Files of different size; a load's speed should not depend on it. */
    SCALE {
        @Override
        List<Contender> contenders(Settings settings) throws IOException {
            List<Contender> contenders = new ArrayList<>();
            for (Path file : settings.files()) {
                Workload workload = settings.workload(file);
                String name = "penstock-" + contenders.size() + "-" + megabytes(workload);
                contenders.add(new PenstockInProcess(name, workload, 0));
            }
            return contenders;
        }
    },
    /** One file into more and more regions. */
    REGIONS {
        @Override
        List<Contender> contenders(Settings settings) throws IOException {
            Workload workload = settings.workload();
            List<Contender> contenders = new ArrayList<>();
            for (int regions : new int[] {4, 64, 256}) {
                String name = "penstock-" + regions + "-regions";
                contenders.add(new PenstockInProcess(name, workload, regions));
            }
            return contenders;
        }
    },
    /** A file as it is, and with its lines in random order. */
    ORDER {
        @Override
        List<Contender> contenders(Settings settings) throws IOException {
            Workload asGiven = settings.workload();
            return List.of(
                    new PenstockInProcess("penstock-as-given", asGiven, 0),
                    new PenstockInProcess("penstock-shuffled", settings.shuffled(asGiven), 0));
        }
    },
    /** The same by loader and server, after the server has loaded the same once before. */
    CLUSTER_ORDER {
        @Override
        List<Contender> contenders(Settings settings) throws IOException {
            Workload asGiven = settings.workload();
            return List.of(
                    PenstockCluster.used("penstock-as-given", asGiven, settings.script()),
                    PenstockCluster.used(
                            "penstock-shuffled", settings.shuffled(asGiven), settings.script()));
        }
    },
    /** Whole commands that prove nothing, count rows, and compare checksums. */
    VERIFY {
        @Override
        List<Contender> contenders(Settings settings) throws IOException {
            Workload workload = settings.workload();
            List<Contender> contenders = new ArrayList<>();
            for (String how : List.of("off", "count", "checksum")) {
                contenders.add(
                        Contenders.penstock(
                                "penstock-verify-" + how,
                                workload,
                                settings.script(),
                                List.of("--verify", how)));
            }
            return contenders;
        }
    },
    /** A loader and a server that talk in plain text, and over TLS with certificates. */
    TLS {
        @Override
        List<Contender> contenders(Settings settings) throws IOException {
            Workload workload = settings.workload();
            return List.of(
                    new PenstockCluster("penstock-plain", workload, settings.script(), Link.PLAIN),
                    new PenstockCluster("penstock-tls", workload, settings.script(), Link.TLS));
        }
    };

    private static final long SEED = 1;

    /**
     * What an experiment is made with.
     *
     * @param files of text, the first of which most experiments load
     * @param ddl the declaration of the table
     * @param threads threads a contender may use
     * @param folder for files that the experiment makes
     * @param script the command {@code penstock}, or null for this JVM's class path
     */
    record Settings(List<Path> files, String ddl, int threads, Path folder, @Nullable Path script) {
        /** The first file. */
        Workload workload() throws IOException {
            return workload(files.getFirst());
        }

        Workload workload(Path file) throws IOException {
            return Workload.of(file, ddl, threads);
        }

        /** The second file, or the first one's lines in random order if there is none. */
        Workload shuffled(Workload asGiven) throws IOException {
            return workload(
                    files.size() > 1 ? files.get(1) : ShuffledFile.of(asGiven, folder, SEED));
        }
    }

    abstract List<Contender> contenders(Settings settings) throws IOException;

    static Experiment named(String name) {
        for (Experiment experiment : values()) {
            if (experiment.word().equals(name)) {
                return experiment;
            }
        }
        throw new IllegalArgumentException(
                "no experiment "
                        + name
                        + "; there are "
                        + Arrays.stream(values())
                                .map(Experiment::word)
                                .collect(Collectors.joining(", ")));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String megabytes(Workload workload) {
        return String.format(Locale.ROOT, "%.0f-MB", workload.bytes() / 1e6);
    }
}
