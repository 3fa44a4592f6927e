package dev.penstock.loader;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.penstock.error.PenstockException;

import java.util.Map;

/** JSON of this module's records. */
final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
                    .build();

    private Json() {}

    /** A record in lines, for people. */
    static String writePretty(Object value) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static <T> T read(String text, Class<T> type) {
        return read(text, type, Map.of());
    }

    /** The same with other values in some fields. */
    static <T> T read(String text, Class<T> type, Map<String, Object> replaced) {
        try {
            JsonNode tree = MAPPER.readTree(text);
            if (tree instanceof ObjectNode fields) {
                replaced.forEach((name, value) -> fields.set(name, MAPPER.valueToTree(value)));
            }
            return MAPPER.treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw PenstockException.usage(
                    "The text is no " + type.getSimpleName() + ": " + e.getOriginalMessage());
        }
    }
}
