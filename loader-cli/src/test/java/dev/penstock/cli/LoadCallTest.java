package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.Penstock;
import dev.penstock.kv.client.Cluster;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.LoadSpecBuilder;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a command says of a load whose store cannot be closed. */
final class LoadCallTest {
    @TempDir private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final RuntimeException broken =
            PenstockException.io("journal cannot be forced", new IOException("broken"));

    /** The store of the folder, which fails when it has been closed. */
    private Penstock failing(RuntimeException failure) {
        Cluster cluster = Penstock.open(folder.resolve("store")).cluster();
        return Penstock.of(
                (Cluster)
                        Proxy.newProxyInstance(
                                Cluster.class.getClassLoader(),
                                new Class<?>[] {Cluster.class},
                                (proxy, method, arguments) -> {
                                    Object answer = method.invoke(cluster, arguments);
                                    if (method.getName().equals("close")) {
                                        throw failure;
                                    }
                                    return answer;
                                }));
    }

    private LoadSpecBuilder spec(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        return LoadSpec.builder("t")
                .from(file.toString())
                .schema(Ddl.parseCreateTable("CREATE TABLE t (id INT NOT NULL, PRIMARY KEY (id))"));
    }

    private int load(LoadSpec spec, RuntimeException failure) {
        Console console =
                new Console(
                        out,
                        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream(new byte[0]),
                        false);
        return new LoadCall(console, new OutputOptions()).run(spec, () -> failing(failure));
    }

    private String rows() {
        return Ran.cli("count", "t", "--store", folder.resolve("store").toString()).out();
    }

    @ParameterizedTest
    @CsvSource({", .", "monday, ', and the same command prints the report.'"})
    void a_load_that_is_published_is_not_told_as_failed(@Nullable String label, String end)
            throws IOException {
        LoadSpecBuilder spec = spec("1\n2\n3\n");
        if (label != null) {
            spec.label(label);
        }
        assertThatThrownBy(() -> load(spec.build(), broken))
                .hasMessage(
                        "The store could not be closed: journal cannot be forced. The load is"
                                + " published nevertheless: 3 rows are visible"
                                + end)
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(ExitCode.of(e)).isEqualTo(ExitCode.FAILED));
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(rows()).isEqualTo("3\n");
    }

    @Test
    void also_if_a_fault_of_the_program_is_the_reason() throws IOException {
        LoadSpec spec = spec("1\n2\n3\n").build();
        assertThatThrownBy(() -> load(spec, new IllegalStateException("closed twice")))
                .hasMessage(
                        "The store could not be closed: java.lang.IllegalStateException: closed"
                                + " twice. The load is published nevertheless: 3 rows are visible.")
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.INTERNAL));
    }

    @Test
    void a_dry_run_has_published_nothing() throws IOException {
        LoadSpec spec = spec("1\n2\n3\n").dryRun(true).build();
        assertThatThrownBy(() -> load(spec, broken))
                .hasMessage("The store could not be closed: journal cannot be forced");
    }

    @Test
    void a_load_that_has_failed_says_why() throws IOException {
        LoadSpec spec = spec("1\none\n").build();
        assertThatThrownBy(() -> load(spec, broken))
                .hasMessageContaining("one")
                .hasMessageNotContaining("published");
    }
}
