package dev.penstock.loader.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.loader.LoadReport;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

final class ReportTextTest {
    @Test
    void a_report_tells_all_and_ends_with_what_matters() {
        assertThat(String.join("\n", ReportText.of(report(2))))
                .isEqualTo(
                        """
                          column  encoded by   share  stored as   distinct   bytes
                          a       server        0.0%  packed             -  2.0 kB
                          b       loader      100.0%  dictionary        25   500 B

                          CPU time     loader  ns/row  servers  ns/row
                          deserialize  0.20 s   100.0        -       -
                          merge             -       -   0.10 s    50.0
                          in all       0.20 s   100.0   0.10 s    50.0

                          server  regions   rows  share   bytes
                          s1            1  1,000  50.0%  1.2 kB
                          s2            1  1,000  50.0%  1.3 kB

                        phases     load 0.50 s
                        bytes      10.0 kB read, 5.0 kB sent (1/2.00), 2.5 kB stored (1/4.00)
                        work       2 threads, 3 chunks (2 as text), offload select, fragments encoded, kernels\
                         vector-512, CPU 0.20 s loader + 0.10 s servers
                        bottleneck servers' merge, 1.8 cores busy; largest step 25.0% of the CPU\
                         time, 50 ns/row
                        balance    2 regions, the largest has 1.000 times the mean rows (predicted\
                         1.010, at most 1.090)
                        rejected   2 records: 2 bad_value; written to bad.csv
                        duplicates 7
                        replaced   5
                        verified   2,007 rows arrived, 6 checksums of 3 columns are those of the\
                         parsed rows
                        Loaded 2,000 rows into t as 'nightly' in 0.50 s (20 MB/s of text), visible\
                         at epoch 4.\
                        """);
    }

    @Test
    void oneRejectedRecordIsOne() {
        assertThat(ReportText.of(report(1)))
                .contains("rejected   1 record: 1 bad_value; written to bad.csv");
    }

    private static LoadReport report(long rejected) {
        return new LoadReport(
                "t",
                "nightly",
                false,
                false,
                "",
                "id",
                4,
                false,
                2000,
                rejected,
                7,
                5,
                Map.of("bad_value", rejected),
                "bad.csv",
                10_000,
                10_000,
                5_000,
                2_500,
                0.5,
                20,
                0.2,
                0.1,
                2,
                1.0,
                1.01,
                1.09,
                "select",
                "encoded",
                2,
                0,
                3,
                2,
                "vector-512",
                Map.of("load", 0.5),
                List.of(
                        new LoadReport.ColumnReport("a", "server", 0, "packed", -1, 2000),
                        new LoadReport.ColumnReport("b", "loader", 1, "dictionary", 25, 500)),
                List.of(
                        new LoadReport.StepReport("loader", "deserialize", 0.2, 100),
                        new LoadReport.StepReport("region_server", "merge", 0.1, 50)),
                new LoadReport.BottleneckReport("region_server merge", 0.25, 50, 1.75),
                List.of(
                        new LoadReport.ServerReport("s1", 1, 1000, 1200),
                        new LoadReport.ServerReport("s2", 1, 1000, 1300)),
                new LoadReport.VerifiedReport("checksum", 2007, 3, 6));
    }
}
