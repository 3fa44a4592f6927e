package dev.penstock.bench.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Both engines answer alike, and what is loaded is loaded once. */
final class QueryBenchTest {
    @TempDir private Path folder;

    @Test
    void what_is_loaded_of_one_file_is_not_asked_as_another_or_when_it_is_not_whole()
            throws Exception {
        Path file = Files.writeString(folder.resolve("a.tbl"), "1|");
        Path stores = Files.createDirectory(folder.resolve("stores"));
        QueryBench.checkSource(stores, file);
        Files.createDirectory(stores.resolve("store"));
        assertThatThrownBy(() -> QueryBench.checkSource(stores, file))
                .hasMessageContaining("who knows what");
        QueryBench.noteSource(stores, file);
        QueryBench.checkSource(stores, file);
        Path other = Files.writeString(folder.resolve("b.tbl"), "1|");
        assertThatThrownBy(() -> QueryBench.checkSource(stores, other))
                .hasMessageContaining("a.tbl, 2 bytes, not of")
                .hasMessageContaining("b.tbl");
    }

    @Test
    void both_engines_answer_every_query_alike() throws Exception {
        Path file = folder.resolve("lineitem.tbl");
        try (OutputStream out = Files.newOutputStream(file)) {
            new TpchWriter(TpchTable.LINEITEM, 0.005, 1).writeTo(out, bytes -> {});
        }
        for (int round = 0; round < 2; round++) {
            try (Reader penstock = PenstockReader.open(folder.resolve("store"), file, 2);
                    Reader duckDb = DuckDbReader.open(folder.resolve("l.duckdb"), file, 2)) {
                for (Query query : Query.ALL) {
                    double[][] times = QueryBench.measure(query, List.of(penstock, duckDb), 0, 1);
                    assertThat(times).hasDimensions(4, 1);
                }
            }
            Files.deleteIfExists(file);
        }
    }
}
