package dev.penstock.loader;

import dev.penstock.error.PenstockException;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Enum constants as users write them: lower case, with hyphens. */
public final class Words {
    private Words() {}

    /**
     * The constant of a word, in any case, also with underscores.
     *
     * @param option that the word was given for
     * @throws PenstockException of category USAGE, with all words, if there is none
     */
    public static <E extends Enum<E>> E parse(String option, String word, Class<E> type) {
        String wanted = word.toLowerCase(Locale.ROOT).replace('_', '-');
        for (E constant : type.getEnumConstants()) {
            if (of(constant).equals(wanted)) {
                return constant;
            }
        }
        throw PenstockException.usage(
                option
                        + " "
                        + word
                        + " is not known; choose one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(Words::of)
                                .collect(Collectors.joining(", "))
                        + ".");
    }

    /** The word of a constant. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
