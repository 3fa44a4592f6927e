package dev.penstock.loader;

import dev.penstock.dialect.Dialect;
import dev.penstock.error.PenstockException;
import dev.penstock.loader.report.Quantities;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.Verification;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The settings of a load that have a name and a value in text: what the command {@code load} calls
 * {@code --max-rejects} is {@code MAX_REJECTS} here.
 */
public enum LoadOption {
    DELIMITER,
    QUOTE,
    ESCAPE,
    COMMENT,
    HEADER,
    TRAILING_DELIMITER,
    NULL,
    MAX_REJECTS,
    REJECTS,
    ON_DUPLICATE,
    VERIFY,
    REGIONS,
    SAMPLES,
    THREADS,
    WORKERS,
    CHUNK_SIZE,
    MEMORY,
    OFFLOAD,
    CUT,
    SEED,
    LABEL,
    RESUME,
    DRY_RUN;

    /** The option of that name, in any case. */
    public static LoadOption of(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (upper.equals("REJECTS_FILE")) {
            return REJECTS;
        }
        for (LoadOption option : values()) {
            if (option.name().equals(upper)) {
                return option;
            }
        }
        throw PenstockException.usage(
                name
                        + " is no option of a load; there are "
                        + Arrays.stream(values()).map(Enum::name).collect(Collectors.joining(", "))
                        + ".");
    }

    /** Whether the option may stand without a value, which means true: those that are on or off. */
    public boolean isSwitch() {
        return this == HEADER || this == TRAILING_DELIMITER || this == RESUME || this == DRY_RUN;
    }

    /**
     * Adds the setting to a load.
     *
     * @throws PenstockException of category USAGE if the value makes no sense
     */
    public void set(LoadSpecBuilder spec, String value) {
        DialectOptions dialect = spec.dialect();
        switch (this) {
            case DELIMITER -> spec.dialect(dialect.withDelimiter(character(name(), value)));
            case QUOTE -> spec.dialect(dialect.withQuote(optionalCharacter(name(), value)));
            case ESCAPE -> spec.dialect(dialect.withEscape(optionalCharacter(name(), value)));
            case COMMENT -> spec.dialect(dialect.withComment(optionalCharacter(name(), value)));
            case HEADER -> spec.dialect(dialect.withHeader(truth(value)));
            case TRAILING_DELIMITER -> spec.dialect(dialect.withTrailingDelimiter(truth(value)));
            case NULL -> spec.dialect(dialect.withNullText(value));
            case MAX_REJECTS -> spec.maxRejects(RejectLimits.parse(value));
            case REJECTS -> spec.rejectsFile(path(value));
            case ON_DUPLICATE -> spec.duplicates(DuplicatePolicy.parse(name(), value));
            case VERIFY -> spec.verification(Words.parse(name(), value, Verification.class));
            case REGIONS -> spec.regions(number(value));
            case SAMPLES -> spec.samples(number(value));
            case THREADS -> spec.threads(number(value));
            case WORKERS -> spec.workers(number(value));
            case CHUNK_SIZE -> spec.chunkBytes(Quantities.parseBytes(name(), value));
            case MEMORY -> spec.memoryBytes(Quantities.parseBytes(name(), value));
            case OFFLOAD -> spec.offload(OffloadPolicy.parse(value));
            case CUT -> spec.cut(Words.parse(name(), value, FragmentForm.class));
            case SEED -> spec.seed(number(value));
            case LABEL -> spec.label(value);
            case RESUME -> spec.resume(truth(value));
            case DRY_RUN -> spec.dryRun(truth(value));
        }
    }

    /** One ASCII character as users write it, a tab by its name too. */
    public static char character(String option, String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (word.equals("tab") || word.equals("\\t")) {
            return '\t';
        }
        if (text.length() == 1 && text.charAt(0) < 127 && text.charAt(0) > 0) {
            return text.charAt(0);
        }
        throw PenstockException.usage(
                option + " '" + text + "' is not one ASCII character; write tab for a tab");
    }

    /** The same, or {@link Dialect#NONE} for nothing or the word none. */
    public static int optionalCharacter(String option, String text) {
        return text.isEmpty() || text.equalsIgnoreCase("none")
                ? Dialect.NONE
                : character(option, text);
    }

    private boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "on", "yes", "1" -> true;
            case "false", "off", "no", "0" -> false;
            default ->
                    throw PenstockException.usage(
                            name() + " '" + text + "' is neither true nor false.");
        };
    }

    private int number(String text) {
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message below.
        }
        throw PenstockException.usage(name() + " '" + text + "' is no whole number from 0 on.");
    }

    private Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw PenstockException.usage(name() + " '" + text + "' cannot be a file's name.");
        }
    }
}
