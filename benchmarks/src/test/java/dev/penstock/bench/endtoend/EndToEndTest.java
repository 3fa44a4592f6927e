package dev.penstock.bench.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The contenders do the same work, and the figures are what their names say. */
final class EndToEndTest {
    @TempDir private Path folder;

    @Test
    void every_contender_in_this_process_loads_every_row() throws Exception {
        Path file = folder.resolve("lineitem.tbl");
        long rows;
        try (OutputStream out = Files.newOutputStream(file)) {
            rows = new TpchWriter(TpchTable.LINEITEM, 0.001, 1).writeTo(out, bytes -> {}).rows();
        }
        Workload workload = Workload.lineitem(file, 1);
        Contender[] contenders = {
            new PenstockInProcess(workload), new DuckDb(workload, false), new DuckDb(workload, true)
        };
        for (Contender contender : contenders) {
            Path own = Files.createDirectory(folder.resolve(contender.name()));
            assertThat(contender.load(own).rows()).as(contender.name()).isEqualTo(rows);
            assertThat(Folders.bytes(own)).as(contender.name()).isPositive();
            Folders.delete(own);
            assertThat(own).doesNotExist();
        }
    }

    @Test
    void the_median_of_an_even_number_of_runs_lies_between_the_middle_two() {
        Result result = new Result("a", "", new double[] {4, 1, 3, 2}, 0, 0);
        assertThat(result.median()).isEqualTo(2.5);
        assertThat(result.min()).isEqualTo(1);
        assertThat(result.max()).isEqualTo(4);
        assertThat(result.megabytesPerSecond(5_000_000)).isEqualTo(2);
    }
}
