package dev.penstock.loader;

import com.fasterxml.jackson.core.JsonProcessingException;

import dev.penstock.error.PenstockException;
import dev.penstock.loader.json.JsonNames;
import dev.penstock.loader.json.RecordJson;

/** JSON of plans and reports, for people and programs. */
final class Json {
    private Json() {}

    /** On one line. */
    static String write(Record value) {
        return RecordJson.write(value, JsonNames.SNAKE_CASE);
    }

    /** In lines, for people. */
    static String writePretty(Record value) {
        return RecordJson.writePretty(value, JsonNames.SNAKE_CASE);
    }

    static <T extends Record> T read(String text, Class<T> type) {
        try {
            return RecordJson.read(text, type, JsonNames.SNAKE_CASE);
        } catch (JsonProcessingException e) {
            throw PenstockException.usage(
                    "The text is no " + type.getSimpleName() + ": " + e.getOriginalMessage());
        }
    }
}
