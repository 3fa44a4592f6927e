package dev.penstock.loader;

import dev.penstock.dialect.Dialect;

import org.jspecify.annotations.Nullable;

/**
 * What a user says about the dialect; whatever is {@code null} is chosen by the inputs' names and
 * first records.
 *
 * @param delimiter between fields
 * @param quote around fields, {@link Dialect#NONE} for none
 * @param escape inside quoted fields, {@link Dialect#NONE} for none
 * @param comment first byte of records to skip, {@link Dialect#NONE} for none
 * @param header whether each input's first record names its fields
 * @param trailingDelimiter whether each record ends with one more delimiter
 * @param nullText the text of NULL
 */
public record DialectOptions(
        @Nullable Character delimiter,
        @Nullable Integer quote,
        @Nullable Integer escape,
        @Nullable Integer comment,
        @Nullable Boolean header,
        @Nullable Boolean trailingDelimiter,
        @Nullable String nullText) {
    public static final DialectOptions DEFAULT =
            new DialectOptions(null, null, null, null, null, null, null);

    public DialectOptions withDelimiter(char value) {
        return new DialectOptions(
                value, quote, escape, comment, header, trailingDelimiter, nullText);
    }

    public DialectOptions withQuote(int value) {
        return new DialectOptions(
                delimiter, value, escape, comment, header, trailingDelimiter, nullText);
    }

    public DialectOptions withEscape(int value) {
        return new DialectOptions(
                delimiter, quote, value, comment, header, trailingDelimiter, nullText);
    }

    public DialectOptions withComment(int value) {
        return new DialectOptions(
                delimiter, quote, escape, value, header, trailingDelimiter, nullText);
    }

    public DialectOptions withHeader(boolean value) {
        return new DialectOptions(
                delimiter, quote, escape, comment, value, trailingDelimiter, nullText);
    }

    public DialectOptions withTrailingDelimiter(boolean value) {
        return new DialectOptions(delimiter, quote, escape, comment, header, value, nullText);
    }

    public DialectOptions withNullText(String value) {
        return new DialectOptions(
                delimiter, quote, escape, comment, header, trailingDelimiter, value);
    }
}
