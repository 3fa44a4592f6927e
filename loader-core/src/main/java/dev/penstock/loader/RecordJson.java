package dev.penstock.loader;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Records as JSON, their components in the order of their declaration and in {@code snake_case}:
 * what Jackson's data binding writes of them, without what it takes to find out how. That would be
 * 60 ms of a command that ends right after.
 */
final class RecordJson {
    private static final JsonFactory FACTORY = new JsonFactory();

    private RecordJson() {}

    /** A record of strings, numbers, booleans, records, lists and maps of these, or nulls. */
    static String write(Record value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            write(json, value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Record inner -> {
                json.writeStartObject();
                for (RecordComponent component : inner.getClass().getRecordComponents()) {
                    json.writeFieldName(snakeCase(component.getName()));
                    write(json, read(inner, component));
                }
                json.writeEndObject();
            }
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName((String) entry.getKey());
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                for (Object element : list) {
                    write(json, element);
                }
                json.writeEndArray();
            }
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case Boolean truth -> json.writeBoolean(truth);
            case String text -> json.writeString(text);
            default ->
                    throw new IllegalArgumentException(
                            "no JSON form for " + value.getClass().getName());
        }
    }

    private static @Nullable Object read(Record value, RecordComponent component) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
    }

    private static String snakeCase(String name) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                out.append('_');
            }
            out.append(c);
        }
        return out.toString().toLowerCase(Locale.ROOT);
    }
}
