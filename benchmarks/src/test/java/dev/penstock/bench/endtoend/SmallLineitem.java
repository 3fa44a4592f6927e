package dev.penstock.bench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A small {@code lineitem.tbl} and what runs with it. */
record SmallLineitem(Path folder, Path file, long rows) {
    /** Not generated yet. */
    static final SmallLineitem NONE = new SmallLineitem(Path.of(""), Path.of(""), 0);

    static SmallLineitem in(Path folder) throws IOException {
        // PostgreSQL runs as another user where the tests run as root.
        folder.toFile().setExecutable(true, false);
        Path file = folder.resolve("lineitem.tbl");
        try (OutputStream out = Files.newOutputStream(file)) {
            TpchWriter writer = new TpchWriter(TpchTable.LINEITEM, 0.001, 1);
            return new SmallLineitem(folder, file, writer.writeTo(out, bytes -> {}).rows());
        }
    }

    private Path stores() {
        return folder.resolve("stores");
    }

    Report run(String... words) throws IOException {
        Files.createDirectories(stores());
        return EndToEnd.run(
                Options.parse(
                        Stream.concat(
                                        Stream.of(
                                                file.toString(),
                                                "--threads",
                                                "1",
                                                "--folder",
                                                stores().toString()),
                                        Stream.of(words))
                                .toArray(String[]::new)));
    }

    /**
     * Every contender has loaded all rows, or is one that a machine may lack, and nothing is left.
     */
    void check(Report report, int contenders) throws IOException {
        assertThat(report.results().size() + report.skipped().size()).isEqualTo(contenders);
        assertThat(report.skipped().keySet())
                .isSubsetOf("clickhouse", "postgresql", "mariadb")
                .allSatisfy(name -> assertThat(report.skipped().get(name)).isNotBlank());
        for (Result result : report.results()) {
            assertThat(result.rows()).as(result.name()).isEqualTo(rows);
            assertThat(result.storedBytes()).as(result.name()).isPositive();
            assertThat(result.median()).as(result.name()).isPositive();
        }
        try (Stream<Path> left = Files.list(stores())) {
            assertThat(left).isEmpty();
        }
    }
}
