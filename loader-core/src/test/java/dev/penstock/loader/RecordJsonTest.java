package dev.penstock.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is written is what Jackson's data binding writes. */
final class RecordJsonTest {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();

    record Inner(String aText, long someLong, double ratio) {}

    record Outer(
            String name,
            int smallCount,
            boolean isTrue,
            @Nullable Inner inner,
            List<@Nullable Inner> allOfThem,
            Map<String, Double> phaseSeconds,
            List<List<String>> nested) {}

    record Unknown(Set<String> set) {}

    private static Outer outer(@Nullable Inner inner, List<@Nullable Inner> all) {
        Map<String, Double> seconds = new LinkedHashMap<>();
        seconds.put("z", 1e-9);
        seconds.put("keys are not renamed, niemals: aB \"ü\"", -0.0);
        seconds.put("", Double.MAX_VALUE);
        return new Outer(
                "quote \" backslash \\ line\n tab\t ß 漢 \u0001 \ud83d\ude00",
                Integer.MIN_VALUE,
                true,
                inner,
                all,
                seconds,
                List.of(List.of(), List.of("a", "b")));
    }

    @Test
    void sameAsDataBinding() throws JsonProcessingException {
        Inner inner = new Inner("x", Long.MAX_VALUE, 0.1);
        List<@Nullable Inner> some = new ArrayList<>();
        some.add(inner);
        some.add(null);
        for (Outer value : List.of(outer(null, List.of()), outer(inner, some))) {
            assertThat(RecordJson.write(value)).isEqualTo(MAPPER.writeValueAsString(value));
        }
    }

    @Test
    void whatHasNoFormIsRefused() {
        assertThatThrownBy(() -> RecordJson.write(new Unknown(Set.of())))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
