package dev.penstock.cli.start;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Field;

/**
 * Reads and writes fields in the place of {@link Field}, which the build makes the command line
 * parser ask for the fields of options. For those Java makes classes at run time, which takes every
 * command a hundredth of a second; the build makes their classes owners that need none ({@code
 * tools/OptionFields.java}).
 */
public final class KnownFields {
    /** What an owner answers that does not know the field. */
    public static final Object UNKNOWN = new Object();

    private KnownFields() {}

    /** An object whose class has fields of options. */
    public interface Owner {
        /** The value of the field, or {@link #UNKNOWN}. */
        @Nullable Object readOption(String name);

        /** Sets the field; false if there is none of that name that can be set. */
        boolean writeOption(String name, @Nullable Object value);
    }

    /** As {@link Field#get}. */
    public static @Nullable Object get(Field field, Object of) throws IllegalAccessException {
        Object value = of instanceof Owner owner ? owner.readOption(field.getName()) : UNKNOWN;
        return UNKNOWN.equals(value) ? field.get(of) : value;
    }

    /** As {@link Field#set}. */
    public static void set(Field field, Object of, @Nullable Object value)
            throws IllegalAccessException {
        if (!(of instanceof Owner owner && owner.writeOption(field.getName(), value))) {
            field.set(of, value);
        }
    }
}
