package dev.penstock.loader.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is written is what Jackson's data binding writes, and is read back. */
final class RecordJsonTest {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                    .build();

    enum Way {
        UP,
        DOWN
    }

    record Inner(String aText, long someLong, double ratio) {}

    record Arrays(long[] longs, byte[] someBytes, byte one, Way way) {}

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

    private static List<Outer> outers() {
        Inner inner = new Inner("x", Long.MAX_VALUE, 0.1);
        List<@Nullable Inner> some = new ArrayList<>();
        some.add(inner);
        some.add(null);
        some.add(new Inner("", 0, Double.NaN));
        some.add(new Inner("", 0, Double.NEGATIVE_INFINITY));
        return List.of(outer(null, List.of()), outer(inner, some));
    }

    @Test
    void sameAsDataBinding() throws JsonProcessingException {
        for (Outer value : outers()) {
            assertThat(RecordJson.write(value, JsonNames.SNAKE_CASE))
                    .isEqualTo(MAPPER.writeValueAsString(value));
            assertThat(RecordJson.writePretty(value, JsonNames.SNAKE_CASE))
                    .isEqualTo(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value));
            assertThat(RecordJson.write(value, JsonNames.DECLARED))
                    .isEqualTo(JsonMapper.builder().build().writeValueAsString(value));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsReadBack(JsonNames names) throws JsonProcessingException {
        for (Outer value : outers()) {
            String text = RecordJson.write(value, names);
            assertThat(RecordJson.read(text, Outer.class, names)).isEqualTo(value);
            String pretty = RecordJson.writePretty(value, names);
            assertThat(RecordJson.read(pretty, Outer.class, names)).isEqualTo(value);
        }
    }

    @Test
    void arraysAndConstantsAreReadBack() throws JsonProcessingException {
        long[] longs = {Long.MIN_VALUE, 0, 7};
        byte[] bytes = {0, 1, -1, 127, -128};
        Arrays value = new Arrays(longs, bytes, (byte) '|', Way.DOWN);
        String text = RecordJson.write(value, JsonNames.SNAKE_CASE);
        assertThat(text).isEqualTo(MAPPER.writeValueAsString(value));
        Arrays read = RecordJson.read(text, Arrays.class, JsonNames.SNAKE_CASE);
        assertThat(read.longs()).isEqualTo(longs);
        assertThat(read.someBytes()).isEqualTo(bytes);
        assertThat(read.one()).isEqualTo((byte) '|');
        assertThat(read.way()).isEqualTo(Way.DOWN);
    }

    @Test
    void aTagSaysWhichRecordItIs() throws JsonProcessingException {
        Map<String, Class<? extends Record>> types =
                Map.of("inner", Inner.class, "arrays", Arrays.class);
        Inner value = new Inner("a", 1, 2);
        String text = RecordJson.write(value, JsonNames.DECLARED, "type", "inner");
        assertThat(text)
                .isEqualTo("{\"type\":\"inner\",\"aText\":\"a\",\"someLong\":1,\"ratio\":2.0}");
        assertThat(RecordJson.read(text, JsonNames.DECLARED, "type", types)).isEqualTo(value);
        for (String other : List.of("{}", "{\"a\":1}", "{\"type\":\"x\"}", "{\"type\":7}", "")) {
            assertThatThrownBy(() -> RecordJson.read(other, JsonNames.DECLARED, "type", types))
                    .isInstanceOf(JsonProcessingException.class);
        }
    }

    @Test
    void whatIsNotThereIsNothingAndWhatIsUnknownIsLeftOut() throws JsonProcessingException {
        String text = "{\"other\": [{\"a\": [1, {}]}], \"some_long\": null, \"ratio\": 3}";
        Inner read = RecordJson.read(text, Inner.class, JsonNames.SNAKE_CASE);
        assertThat(read.aText()).isNull();
        assertThat(read.someLong()).isZero();
        assertThat(read.ratio()).isEqualTo(3);
    }

    @Test
    void betweenProcessesOfOneVersionWhatIsUnknownIsRefused() throws JsonProcessingException {
        Inner read = RecordJson.read("{\"ratio\": 3}", Inner.class, JsonNames.DECLARED);
        assertThat(read.aText()).isNull();
        assertThat(read.someLong()).isZero();
        String text = "{\"other\": 1, \"ratio\": 3}";
        assertThatThrownBy(() -> RecordJson.read(text, Inner.class, JsonNames.DECLARED))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining("a Inner has no other");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "7",
                "{\"someLong\": 9223372036854775808}",
                "{\"someLong\": 1.5}",
                "{\"someLong\": \"1\"}",
                "{\"someLong\": {}}",
                "{\"ratio\": \"much\"}",
                "{\"ratio\": true}",
                "{\"aText\": 7}",
                "{\"aText\": [\"a\"]}",
                "{\"aText\": \"a\"",
                "{\"aText\": \"a\"} {}",
                "{\"aText\": \"a\",}"
            })
    void whatIsNoSuchRecordIsRefused(String text) {
        assertThatThrownBy(() -> RecordJson.read(text, Inner.class, JsonNames.DECLARED))
                .isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"longs\": [1, \"2\"]}",
                "{\"longs\": 1}",
                "{\"someBytes\": \"!\"}",
                "{\"one\": 256}",
                "{\"way\": \"SIDEWAYS\"}",
                "{\"way\": 1}"
            })
    void neitherAreOtherArraysAndConstants(String text) {
        assertThatThrownBy(() -> RecordJson.read(text, Arrays.class, JsonNames.DECLARED))
                .isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void oneComponentIsChanged() {
        Inner inner = new Inner("a", 1, 2);
        assertThat(RecordShape.with(inner, Map.of("someLong", 5L))).isEqualTo(new Inner("a", 5, 2));
        assertThatThrownBy(() -> RecordShape.with(inner, Map.of("some_long", 5L)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatHasNoFormIsRefused() {
        Unknown value = new Unknown(Set.of());
        assertThatThrownBy(() -> RecordJson.write(value, JsonNames.DECLARED))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
