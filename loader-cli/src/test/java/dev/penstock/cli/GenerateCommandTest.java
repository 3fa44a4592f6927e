package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

final class GenerateCommandTest {
    @TempDir private Path folder;

    @Test
    void a_file_and_standard_output_get_the_same_bytes() throws IOException {
        Path file = folder.resolve("nation.tbl");
        Ran toFile = Ran.cli("generate", "nation", "--out", file.toString(), "--json");
        JsonNode json = new ObjectMapper().readTree(toFile.out());
        assertThat(json.get("rows").asInt()).isEqualTo(25);
        assertThat(json.get("bytes").asLong()).isEqualTo(Files.size(file));
        Ran toOutput = Ran.cli("generate", "--table", "NATION", "--out", "-");
        assertThat(toOutput.out()).isEqualTo(Files.readString(file)).startsWith("0|ALGERIA|0|");
    }

    @Test
    void the_declaration_is_printed() {
        assertThat(Ran.cli("generate", "lineitem", "--ddl").out())
                .startsWith("CREATE TABLE lineitem (")
                .endsWith("PRIMARY KEY (l_orderkey, l_linenumber)\n)\n");
    }

    @Test
    void a_file_that_cannot_be_written_is_named() {
        Ran ran = Ran.cli("generate", "nation", "--out", folder.resolve("no/such/file").toString());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("no/such/file").contains("cannot be written");
    }

    @Test
    void the_file_that_a_link_names_is_replaced_and_not_the_link() throws IOException {
        Path file = Files.writeString(folder.resolve("nation.tbl"), "earlier");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThat(Ran.cli("generate", "nation", "--out", link.toString()).code()).isZero();
        assertThat(link).isSymbolicLink();
        assertThat(Files.readAllLines(file)).hasSize(25);
    }

    @Test
    void a_device_gets_no_part_file_beside_it() {
        assertThat(Ran.cli("generate", "nation", "--out", "/dev/null").code()).isZero();
        Ran full = Ran.cli("generate", "nation", "--out", "/dev/full");
        assertThat(full.code()).isEqualTo(1);
        assertThat(full.err()).endsWith("; it has only a part of the table.\n");
    }

    @Test
    void the_wide_table_has_its_own_options() throws IOException {
        Path file = folder.resolve("wide.csv");
        Ran ran = Ran.cli("generate", "wide", "--rows", "7", "--out", file.toString(), "--json");
        assertThat(new ObjectMapper().readTree(ran.out()).get("rows").asInt()).isEqualTo(7);
        assertThat(Files.readAllLines(file)).hasSize(8).first().asString().contains("line_no,");
        assertThat(Ran.cli("generate", "wide", "--rows=7", "--delimiter=|", "--out=-").out())
                .startsWith("invoice_no|line_no|");
        assertThat(Ran.cli("generate", "wide", "--ddl").out()).startsWith("CREATE TABLE wide (");
    }
}
