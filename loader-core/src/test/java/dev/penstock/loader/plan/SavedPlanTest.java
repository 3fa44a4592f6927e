package dev.penstock.loader.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.penstock.loader.LoadPlan;
import dev.penstock.loader.LoadSpec;
import dev.penstock.loader.fake.TestTables;
import dev.penstock.schema.Column;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.junit.jupiter.api.Test;

import java.util.List;

class SavedPlanTest {
    @Test
    void aPlanOfAnEarlierVersionIsReadAndHasNoDigest() {
        SavedPlan plan = SavedPlan.parse("{\"begunMillis\":5,\"sources\":[],\"chunkBytes\":7}");
        assertThat(plan.inputDigest()).isEmpty();
        assertThat(plan.table()).isEmpty();
        assertThat(plan.chunkBytes()).isEqualTo(7);
    }

    /** Its balance is in snake case, all else is not. */
    @Test
    void whatAnEarlierVersionSaysOfTheSampleIsRead() {
        SavedPlan plan =
                SavedPlan.parse(
                        """
                        {"begunMillis": 5, "sources": [], "chunkBytes": 7, "balance": {
                         "sampled_rows": 12, "sample_rejects": 1, "row_estimate": 600,
                         "predicted_imbalance": 1.5, "imbalance_bound": 2.5,
                         "collapsed_split_points": 3}}
                        """);
        LoadPlan.Balance balance = new LoadPlan.Balance(12, 1, 600, 1.5, 2.5, 3);
        assertThat(plan.balance()).isEqualTo(balance);
        assertThat(SavedPlan.parse(plan.json()).balance()).isEqualTo(balance);
        assertThatThrownBy(() -> SavedPlan.parse("{\"balance\": {\"sampled_lines\": 1}}"))
                .hasMessageContaining("a Balance has no sampled_lines");
    }

    @Test
    void aLoadDoesNotGoOnIntoATableOfOtherColumns() {
        LoadSpec spec = LoadSpec.builder("orders").from("orders.csv").label("a").build();
        TableSchema planned = TestTables.ORDERS;
        List<Column> turned = planned.columns().reversed();
        TableSchema other =
                TableSchema.declare(
                        "orders", turned, List.of(new KeyColumn(turned.size() - 1, false)));
        SavedPlan plan =
                SavedPlan.parse(
                        JsonMapper.builder()
                                .build()
                                .createObjectNode()
                                .put("inputDigest", "")
                                .putPOJO("options", PlanChanges.options(spec))
                                .putPOJO("sources", List.of())
                                .putPOJO("table", PlanChanges.table(planned))
                                .toString());
        new PlanChanges(plan, spec, planned).check(List.of(), "");
        assertThatThrownBy(() -> new PlanChanges(plan, spec, other).check(List.of(), ""))
                .hasMessageContaining("cannot go on, because column 1 has changed: id BIGINT");
    }
}
