package dev.penstock.jdbc;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/** A pattern of JDBC: {@code %} any text, {@code _} any character, a backslash before either. */
final class NamePattern {
    private final Pattern pattern;

    private NamePattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** Null matches every name. */
    static NamePattern of(@Nullable String text) {
        StringBuilder regex = new StringBuilder();
        String all = text == null ? "%" : text;
        for (int i = 0; i < all.length(); i++) {
            char c = all.charAt(i);
            if (c == '\\' && i + 1 < all.length()) {
                regex.append(Pattern.quote(String.valueOf(all.charAt(++i))));
            } else if (c == '%') {
                regex.append(".*");
            } else if (c == '_') {
                regex.append('.');
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        int flags = Pattern.CASE_INSENSITIVE | Pattern.DOTALL;
        return new NamePattern(Pattern.compile(regex.toString(), flags));
    }

    boolean matches(String name) {
        return pattern.matcher(name).matches();
    }
}
