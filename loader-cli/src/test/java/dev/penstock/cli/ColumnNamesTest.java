package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class ColumnNamesTest {
    @TempDir private Path folder;

    @Test
    void names_in_quotes_may_have_commas_and_quotes() {
        assertThat(ColumnNames.of(List.of("a, b", "c"))).containsExactly("a", "b", "c");
        assertThat(ColumnNames.of(List.of("\"a,b\" ,\"a \"\"q\"\"\",\" x \",c\"")))
                .containsExactly("a,b", "a \"q\"", " x ", "c\"");
        assertThatThrownBy(() -> ColumnNames.of(List.of("a,\"b")))
                .hasMessage("a double quote is not closed in a,\"b");
    }

    @Test
    void commands_take_them() throws IOException {
        Path ddl =
                Files.writeString(
                        folder.resolve("t.sql"),
                        "CREATE TABLE t (k INT NOT NULL, \"a,b\" INT, \"a \"\"q\"\"\" INT,"
                                + " \"f(x)\" INT, PRIMARY KEY (k))");
        Path file = Files.writeString(folder.resolve("t.csv"), "5,7,9,1\n6,7,8,2\n");
        String store = folder.resolve("store").toString();
        Ran load =
                Ran.cli(
                        "load",
                        file.toString(),
                        "--ddl",
                        ddl.toString(),
                        "--store",
                        store,
                        "--columns",
                        "\"a \"\"q\"\"\",\"a,b\",k,\"f(x)\"",
                        "--no-header",
                        "--quiet");
        assertThat(load.code()).as(load.err()).isZero();
        Ran scan = Ran.cli("scan", "t", "--store", store, "--columns", "\"a,b\",\"a \"\"q\"\"\"");
        assertThat(scan.out().lines().skip(1)).containsExactly("7,6", "7,5");
        Ran aggregate =
                Ran.cli(
                        "aggregate",
                        "t",
                        "--store",
                        store,
                        "--by",
                        "\"a,b\"",
                        "--select",
                        "sum(\"a \"\"q\"\"\"), max( \"f(x)\" ),count(*)");
        assertThat(aggregate.out().lines().skip(1)).containsExactly("7,11,2,2");
    }
}
