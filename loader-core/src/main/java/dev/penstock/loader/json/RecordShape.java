package dev.penstock.loader.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The components of a record class, and how to take one apart and put it together. */
public final class RecordShape {
    private static final ClassValue<RecordShape> SHAPES =
            new ClassValue<>() {
                @Override
                protected RecordShape computeValue(Class<?> type) {
                    return new RecordShape(type);
                }
            };

    private final RecordComponent[] components;
    private final Constructor<?> constructor;
    private final Map<String, Integer> places = new HashMap<>();

    private RecordShape(Class<?> type) {
        components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            constructor = type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no canonical constructor", e);
        }
        constructor.setAccessible(true);
        for (int i = 0; i < components.length; i++) {
            components[i].getAccessor().setAccessible(true);
            places.put(components[i].getName(), i);
        }
    }

    static RecordShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    /**
     * The same record but for some components.
     *
     * @param changed values by the names of their components
     */
    public static <T extends Record> T with(T value, Map<String, Object> changed) {
        RecordShape shape = of(value.getClass());
        @Nullable Object[] values = new Object[shape.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = shape.value(value, i);
        }
        changed.forEach((name, now) -> {
            int place = shape.place(name);
            if (place < 0) {
                throw new IllegalArgumentException(value.getClass() + " has no " + name);
            }
            values[place] = now;
        });
        // The class of a record is final, so this is the one of T.
        @SuppressWarnings("unchecked")
        T made = (T) shape.make(values);
        return made;
    }

    int size() {
        return components.length;
    }

    String name(int place) {
        return components[place].getName();
    }

    Type type(int place) {
        return components[place].getGenericType();
    }

    /** Where a component of that name is, or -1. */
    int place(String name) {
        return places.getOrDefault(name, -1);
    }

    @Nullable Object value(Record of, int place) {
        try {
            return components[place].getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(components[place] + " cannot be read", e);
        }
    }

    /** A record of these values; what its constructor throws, that is unchecked, comes through. */
    Record make(@Nullable Object[] values) {
        try {
            return (Record) constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(constructor + " cannot be called", e);
        }
    }
}
