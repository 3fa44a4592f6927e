package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/**
 * A pattern of JDBC: {@code %} any text, {@code _} any character, a backslash before either. A name
 * that is the text of the pattern matches it too, for who asks by name and escapes nothing.
 */
final class NamePattern {
    private static final int FLAGS =
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL;

    private final String text;
    private final Pattern pattern;

    private NamePattern(String text, Pattern pattern) {
        this.text = text;
        this.pattern = pattern;
    }

    /** Null matches every name. */
    static NamePattern of(@Nullable String text) {
        String all = text == null ? "%" : text;
        int[] characters = all.codePoints().toArray();
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < characters.length; i++) {
            int c = characters[i];
            if (c == '\\' && i + 1 < characters.length) {
                regex.append(literal(characters[++i]));
            } else if (c == '%') {
                regex.append(".*");
            } else if (c == '_') {
                regex.append('.');
            } else {
                regex.append(literal(c));
            }
        }
        return new NamePattern(all, Pattern.compile(regex.toString(), FLAGS));
    }

    private static String literal(int character) {
        return Pattern.quote(Character.toString(character));
    }

    boolean matches(String name) {
        return name.equalsIgnoreCase(text) || pattern.matcher(name).matches();
    }
}
