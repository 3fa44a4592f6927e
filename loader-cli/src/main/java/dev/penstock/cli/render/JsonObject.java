package dev.penstock.cli.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JSON object under construction; members keep the order they came in. Values are strings,
 * numbers, booleans, objects, lists of these, or null.
 */
public final class JsonObject {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

    public JsonObject put(String name, @Nullable Object value) {
        members.put(name, value);
        return this;
    }

    /** A number with {@code digits} digits after the point, which is what a reader wants to see. */
    public JsonObject put(String name, double value, int digits) {
        double scale = Math.pow(10, digits);
        return put(name, Double.isFinite(value) ? Math.round(value * scale) / scale : null);
    }

    /** A member whose value is JSON text already. */
    public JsonObject putJson(String name, String json) {
        return put(name, new Raw(json));
    }

    /** The object on one line. */
    @Override
    public String toString() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            write(json, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private record Raw(String json) {}

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case JsonObject object -> {
                json.writeStartObject();
                for (Map.Entry<String, @Nullable Object> member : object.members.entrySet()) {
                    json.writeFieldName(member.getKey());
                    write(json, member.getValue());
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
            case Raw raw -> json.writeRawValue(raw.json());
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
}
