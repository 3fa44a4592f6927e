package dev.penstock.cli;

import dev.penstock.error.PenstockException;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Enum constants as users write them: lower case, with hyphens. */
final class Words {
    private Words() {}

    static <E extends Enum<E>> E parse(String option, String word, Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (of(constant).equals(word.toLowerCase(Locale.ROOT))) {
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
                                .collect(Collectors.joining(", ")));
    }

    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
