package dev.penstock.bench.endtoend;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The same with contenders that are processes of their own: beside the others, as it takes long.
 */
final class EndToEndProcessesTest {
    @TempDir private Path folder;

    private SmallLineitem lineitem = SmallLineitem.NONE;

    @BeforeEach
    void generate() throws IOException {
        lineitem = SmallLineitem.in(folder);
    }

    @Test
    void contenders_that_are_processes_of_their_own_load_every_row_too() throws IOException {
        assumeTrue(classPathHas("loader-cli"), "a child JVM finds its classes");
        String names =
                "penstock-process,penstock-cluster-process,penstock-used-cluster-process,duckdb-process";
        lineitem.check(lineitem.run("--contenders", names, "--runs", "1"), 4);
    }

    private static boolean classPathHas(String module) {
        return System.getProperty("java.class.path").contains(module);
    }
}
