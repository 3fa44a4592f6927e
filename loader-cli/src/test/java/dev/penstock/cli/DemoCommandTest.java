package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;

final class DemoCommandTest {
    @Test
    void every_step_is_shown_with_its_command_and_its_answer() {
        Ran ran = Ran.cli("demo", "--scale", "0.01");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("$ penstock generate lineitem --scale 0.01")
                .contains("$ penstock load ")
                .contains("Loaded 60,175 rows into lineitem as 'demo'")
                .contains("$ penstock count lineitem")
                .contains("\n60175\n")
                .contains("\n7,1453,93,2,9.00,")
                .contains("--connect 127.0.0.1:")
                .contains("Loaded 60,175 rows into lineitem in")
                .contains("All of this took");
    }

    @Test
    void with_json_the_answers_are_one_object_and_the_folder_is_gone() throws IOException {
        Ran ran = Ran.cli("demo", "--scale", "0.01", "--json");
        assertThat(ran.code()).as(ran.err()).isZero();
        JsonNode json = new ObjectMapper().readTree(ran.out());
        assertThat(json.get("load").get("rows_loaded").asLong()).isEqualTo(60_175);
        assertThat(json.get("count").get("count").asLong()).isEqualTo(60_175);
        assertThat(json.get("load_connected").get("rows_loaded").asLong()).isEqualTo(60_175);
        assertThat(json.get("count_connected").get("count").asLong()).isEqualTo(60_175);
        assertThat(json.get("get").get("l_linenumber").asInt()).isEqualTo(2);
        assertThat(json.get("query_condition").get("rows")).hasSizeLessThanOrEqualTo(5);
        assertThat(Path.of(json.get("generate").get("file").asText()).getParent()).doesNotExist();
    }

    @Test
    void the_server_is_left_out_if_asked_for() {
        Ran ran = Ran.cli("demo", "--scale", "0.01", "--embedded");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("$ penstock get lineitem").doesNotContain("--connect");
        assertThat(Ran.cli("demo", "--scale", "0.01").out()).contains("--connect");
    }

    @Test
    void a_wide_table_is_loaded_if_asked_for() {
        Ran ran = Ran.cli("demo", "--scale", "0.01", "--wide");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("$ penstock generate wide --scale 0.005")
                .contains("Loaded 5,000 rows into wide in");
    }

    @Test
    void rows_are_loaded_by_another_key_if_asked_for() {
        Ran ran = Ran.cli("demo", "--scale", "0.01", "--unordered");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out().split("Loaded 60,175 rows into lineitem_by_part in")).hasSize(3);
    }

    @Test
    void more_is_shown_if_asked_for() throws IOException {
        Ran ran = Ran.cli("demo", "--scale", "0.01", "--more");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out())
                .contains("Loaded 2,000 rows into lineitem_small in")
                .contains("--max-rejects 2 --label again --resume")
                .contains("$ penstock verify lineitem_small")
                .contains("$ penstock table drop lineitem --connect 127.0.0.1:")
                .contains("Usage: penstock load");
        Ran tiny = Ran.cli("demo", "--scale", "0.0001", "--more", "--embedded", "--quiet");
        assertThat(tiny.code()).as(tiny.err()).isZero();
        Ran json = Ran.cli("demo", "--scale", "0.01", "--more", "--embedded", "--json");
        assertThat(json.code()).as(json.err()).isZero();
        JsonNode steps = new ObjectMapper().readTree(json.out());
        assertThat(steps.get("load_rejects").get("rows_rejected").asLong()).isEqualTo(2);
        assertThat(steps.get("load_label").get("rows_loaded").asLong()).isEqualTo(2_000);
        assertThat(steps.get("loads").get("loads")).isEmpty();
        assertThat(steps.has("help")).isFalse();
    }
}
