package dev.penstock.loader.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;

import dev.penstock.reject.Reject;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * Records as JSON, their components in the order of their declaration: what Jackson's data binding
 * writes of them, without what it takes to find out how. That would be 60 ms of a command that ends
 * right after, and every command starts with the classes that any of them may need.
 *
 * <p>Components are strings, numbers, booleans, constants of an enum, bytes (as base 64), arrays of
 * long, records, lists, maps from strings to these, or nulls. A component that is not there is read
 * as 0, false or null; {@link JsonNames} says what becomes of a name that is no component's.
 */
public final class RecordJson {
    /** Room for the longest record that is rejected, as base 64. */
    private static final int MAX_STRING_CHARS = Reject.MAX_RECORD_BYTES / 3 * 4 + 1024;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(MAX_STRING_CHARS)
                                    .build())
                    .build();

    private RecordJson() {}

    /** On one line. */
    public static String write(Record value, JsonNames names) {
        return write(json -> new RecordWriter(json, names).write(value));
    }

    /** In lines, for people. */
    public static String writePretty(Record value, JsonNames names) {
        return write(json -> new RecordWriter(json.useDefaultPrettyPrinter(), names).write(value));
    }

    /** On one line, with one member more before the others, whose value says which record it is. */
    public static String write(Record value, JsonNames names, String tag, String kind) {
        return write(json -> {
            json.writeStartObject();
            json.writeStringField(tag, kind);
            new RecordWriter(json, names).members(value);
            json.writeEndObject();
        });
    }

    private interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    private static String write(Body body) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            body.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /**
     * Reads back what {@link #write(Record, JsonNames)} wrote.
     *
     * @throws JsonProcessingException if it is no such record
     */
    public static <T extends Record> T read(String text, Class<T> type, JsonNames names)
            throws JsonProcessingException {
        return type.cast(read(text, json -> new RecordReader(json, names).read(type)));
    }

    /**
     * Reads back what {@link #write(Record, JsonNames, String, String)} wrote.
     *
     * @param types the record of each kind
     * @throws JsonProcessingException if it is none of them
     */
    public static Record read(
            String text, JsonNames names, String tag, Map<String, Class<? extends Record>> types)
            throws JsonProcessingException {
        return read(text, json -> new RecordReader(json, names).read(tag, types));
    }

    private interface Reading {
        Record read(JsonParser json) throws IOException;
    }

    private static Record read(String text, Reading reading) throws JsonProcessingException {
        try (JsonParser json = FACTORY.createParser(text)) {
            return reading.read(json);
        } catch (JsonProcessingException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes values. */
    private record RecordWriter(JsonGenerator json, JsonNames names) {
        void write(@Nullable Object value) throws IOException {
            switch (value) {
                case null -> json.writeNull();
                case Record inner -> {
                    json.writeStartObject();
                    members(inner);
                    json.writeEndObject();
                }
                case Map<?, ?> map -> {
                    json.writeStartObject();
                    for (Map.Entry<?, ?> entry : map.entrySet()) {
                        json.writeFieldName((String) entry.getKey());
                        write(entry.getValue());
                    }
                    json.writeEndObject();
                }
                case List<?> list -> {
                    json.writeStartArray();
                    for (Object element : list) {
                        write(element);
                    }
                    json.writeEndArray();
                }
                case long[] numbers -> json.writeArray(numbers, 0, numbers.length);
                case byte[] bytes -> json.writeBinary(bytes);
                case Byte number -> json.writeNumber(number);
                case Integer number -> json.writeNumber(number);
                case Long number -> json.writeNumber(number);
                case Double number -> json.writeNumber(number);
                case Boolean truth -> json.writeBoolean(truth);
                case String text -> json.writeString(text);
                case Enum<?> constant -> json.writeString(constant.name());
                default ->
                        throw new IllegalArgumentException(
                                "no JSON form for " + value.getClass().getName());
            }
        }

        void members(Record value) throws IOException {
            RecordShape shape = RecordShape.of(value.getClass());
            for (int i = 0; i < shape.size(); i++) {
                json.writeFieldName(names.of(shape.name(i)));
                write(shape.value(value, i));
            }
        }
    }
}
