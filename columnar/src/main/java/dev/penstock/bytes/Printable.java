package dev.penstock.bytes;

/**
 * Text of unknown origin as it may stand in a message: a terminal must not take part of it for an
 * order, nor a reader for something that the message says. Control characters, line separators and
 * marks that turn the direction of writing are shown as JSON writes them; all else stays as it is,
 * backslashes too.
 */
public final class Printable {
    private Printable() {}

    /** On one line. */
    public static String line(String text) {
        return escaped(text, false);
    }

    /** Line feeds and tabs stay. */
    public static String lines(String text) {
        return escaped(text, true);
    }

    /**
     * On one line, which ends with an ellipsis where it is cut.
     *
     * @param maxLength characters of the text that are shown at most, at least 2
     */
    public static String shortened(String text, int maxLength) {
        return line(cut(text, maxLength));
    }

    /**
     * The text as it is, not printable yet, with an ellipsis where it is cut.
     *
     * @param maxLength characters at most, at least 2
     */
    public static String cut(String text, int maxLength) {
        if (text.length() <= maxLength) {
            return text;
        }
        int end = maxLength - 1;
        end -= Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
        return text.substring(0, end) + "…";
    }

    /** On one line from which the text can be told: backslashes are doubled. */
    public static String reversible(String text) {
        return line(text.replace("\\", "\\\\"));
    }

    private static String escaped(String text, boolean keepLines) {
        int at = 0;
        while (at < text.length() && !isEscaped(text.charAt(at), keepLines)) {
            at++;
        }
        if (at == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, at);
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            if (isEscaped(c, keepLines)) {
                escape(c, shown);
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }

    private static boolean isEscaped(char c, boolean keepLines) {
        return c < ' ' && !(keepLines && (c == '\n' || c == '\t'))
                || c >= 0x7F && c <= 0x9F
                || c >= 0x2028 && c <= 0x202E
                || c >= 0x2066 && c <= 0x2069;
    }

    private static void escape(char c, StringBuilder shown) {
        switch (c) {
            case '\n' -> shown.append("\\n");
            case '\r' -> shown.append("\\r");
            case '\t' -> shown.append("\\t");
            default -> {
                shown.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    shown.append(Character.forDigit(c >> shift & 15, 16));
                }
            }
        }
    }
}
