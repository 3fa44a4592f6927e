package dev.penstock.loader.json;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads one text from its parser. What the text says and a record does not take is an exception of
 * Jackson's, which knows the place.
 */
final class RecordReader {
    private final JsonParser json;
    private final JsonNames names;

    RecordReader(JsonParser json, JsonNames names) {
        this.json = json;
        this.names = names;
    }

    /** A record that is the whole text. */
    Record read(Class<? extends Record> type) throws IOException {
        expect(json.nextToken(), JsonToken.START_OBJECT, type);
        json.nextToken();
        return atEnd(record(type));
    }

    /** The same of a record whose first member says which one it is. */
    Record read(String tag, Map<String, Class<? extends Record>> types) throws IOException {
        expect(json.nextToken(), JsonToken.START_OBJECT, Record.class);
        if (!tag.equals(json.nextFieldName())) {
            throw wrong("the first member is not " + tag);
        }
        String kind = json.nextTextValue();
        Class<? extends Record> type = kind == null ? null : types.get(kind);
        if (type == null) {
            throw wrong("there is no " + tag + " " + kind);
        }
        json.nextToken();
        return atEnd(record(type));
    }

    private Record atEnd(Record read) throws IOException {
        if (json.nextToken() != null) {
            throw wrong("something follows the object");
        }
        return read;
    }

    /** The members from the current token on. */
    private Record record(Class<?> type) throws IOException {
        RecordShape shape = RecordShape.of(type);
        @Nullable Object[] values = new Object[shape.size()];
        Arrays.setAll(values, i -> absent(shape.type(i)));
        for (; json.currentToken() == JsonToken.FIELD_NAME; json.nextToken()) {
            String name = json.currentName();
            int place = shape.place(JsonNames.component(name));
            json.nextToken();
            if (place >= 0) {
                values[place] = value(shape.type(place));
            } else if (names.leavesOut()) {
                json.skipChildren();
            } else {
                throw wrong("a " + type.getSimpleName() + " has no " + name);
            }
        }
        expect(json.currentToken(), JsonToken.END_OBJECT, type);
        try {
            return shape.make(values);
        } catch (RuntimeException e) {
            throw new JsonParseException(json, "no " + type.getSimpleName() + ": " + e, e);
        }
    }

    /** What stands for a value that is not there. */
    private static @Nullable Object absent(Type type) {
        return type instanceof Class<?> plain && plain.isPrimitive()
                ? Array.get(Array.newInstance(plain, 1), 0)
                : null;
    }

    /** The value at the current token. */
    private @Nullable Object value(Type type) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return absent(type);
        } else if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            return generic.getRawType() == List.class ? list(of[0]) : map(of[1]);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == String.class) {
            return text(plain);
        } else if (plain.isEnum()) {
            return constant(plain);
        } else if (plain == byte[].class) {
            expect(json.currentToken(), JsonToken.VALUE_STRING, plain);
            return json.getBinaryValue();
        } else if (plain == long[].class) {
            return list(long.class).stream()
                    .mapToLong(each -> (long) Objects.requireNonNull(each))
                    .toArray();
        } else if (plain.isRecord()) {
            expect(json.currentToken(), JsonToken.START_OBJECT, plain);
            json.nextToken();
            return record(plain);
        } else if (plain == boolean.class || plain == Boolean.class) {
            return json.getBooleanValue();
        }
        return number(plain);
    }

    private Object number(Class<?> type) throws IOException {
        if (type == double.class || type == Double.class) {
            // What is no number is written as text.
            return json.currentToken() == JsonToken.VALUE_STRING
                    ? notFinite(json.getText())
                    : json.getDoubleValue();
        }
        expect(json.currentToken(), JsonToken.VALUE_NUMBER_INT, type);
        if (type == int.class || type == Integer.class) {
            return json.getIntValue();
        } else if (type == long.class || type == Long.class) {
            return json.getLongValue();
        } else if (type == byte.class) {
            return json.getByteValue();
        }
        throw new IllegalArgumentException("no JSON form for " + type.getName());
    }

    private double notFinite(String text) throws IOException {
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> throw wrong("'" + text + "' is no number");
        };
    }

    private String text(Class<?> type) throws IOException {
        expect(json.currentToken(), JsonToken.VALUE_STRING, type);
        return json.getText();
    }

    private Object constant(Class<?> type) throws IOException {
        String name = text(type);
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw wrong("there is no " + type.getSimpleName() + " " + name);
    }

    private List<@Nullable Object> list(Type of) throws IOException {
        expect(json.currentToken(), JsonToken.START_ARRAY, List.class);
        List<@Nullable Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            list.add(value(of));
        }
        return list;
    }

    private Map<String, @Nullable Object> map(Type of) throws IOException {
        expect(json.currentToken(), JsonToken.START_OBJECT, Map.class);
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            map.put(name, value(of));
        }
        return map;
    }

    private void expect(@Nullable JsonToken token, JsonToken expected, Class<?> type)
            throws IOException {
        if (token != expected) {
            throw wrong("a " + type.getSimpleName() + " does not begin or end with " + token);
        }
    }

    private JsonParseException wrong(String why) {
        return new JsonParseException(json, why);
    }
}
