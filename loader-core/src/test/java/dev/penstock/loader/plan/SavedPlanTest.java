package dev.penstock.loader.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;

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
