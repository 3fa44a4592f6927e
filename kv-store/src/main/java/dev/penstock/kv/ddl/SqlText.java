package dev.penstock.kv.ddl;

import dev.penstock.error.PenstockException;

import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.parser.Token;
import net.sf.jsqlparser.parser.TokenMgrException;

import java.util.Locale;

/** One SQL text being understood: parses it and says where in it something is wrong. */
final class SqlText {
    /** Longest SQL text taken; recursive descent must stay within the stack. */
    static final int MAX_CHARACTERS = 1 << 20;

    /** Deepest nesting of parentheses taken. */
    private static final int MAX_NESTING = 200;

    private final String what;
    private final String text;

    /**
     * @param what how messages name the text, "the condition" for example
     */
    SqlText(String what, String text) {
        this.what = what;
        this.text = text;
    }

    /** A production of the grammar. */
    @FunctionalInterface
    interface Production<T> {
        T parse(CCJSqlParser parser) throws ParseException;
    }

    /** Parses the whole text, but for a final semicolon. */
    <T> T parse(Production<T> production) {
        if (text.isBlank()) {
            throw PenstockException.usage(what + " is empty");
        }
        if (text.length() > MAX_CHARACTERS || nesting() > MAX_NESTING) {
            throw PenstockException.usage(
                    what
                            + " is longer than "
                            + MAX_CHARACTERS
                            + " characters or nested deeper than "
                            + MAX_NESTING
                            + " parentheses");
        }
        // Not by the library's helper class, which asks for a logger and so opens every jar there
        // is.
        CCJSqlParser parser = new CCJSqlParser(new StringProvider(text));
        try {
            T result = production.parse(parser);
            Token next = parser.getNextToken();
            while (next.kind == CCJSqlParserConstants.ST_SEMICOLON) {
                next = parser.getNextToken();
            }
            if (next.kind != CCJSqlParserConstants.EOF) {
                throw notUnderstood(next);
            }
            return result;
        } catch (ParseException e) {
            Token seen = e.currentToken;
            throw seen == null ? usage("cannot be understood") : notUnderstood(seen.next);
        } catch (TokenMgrException e) {
            throw usage("cannot be understood: " + firstLine(String.valueOf(e.getMessage())));
        }
    }

    /** A usage error about the text as a whole. */
    PenstockException usage(String problem) {
        return PenstockException.usage(what + " " + problem);
    }

    /** A usage error that names the place where {@code part} stands. */
    PenstockException usageAt(String part, String problem) {
        int at = positionOf(part);
        return usage(at < 0 ? problem : "at " + place(at) + " " + problem);
    }

    private PenstockException notUnderstood(Token token) {
        return token.kind == CCJSqlParserConstants.EOF
                ? usage("ends too early")
                : usage(
                        "cannot be understood at line "
                                + token.beginLine
                                + ", column "
                                + token.beginColumn
                                + ", near '"
                                + token.image
                                + "'");
    }

    private int nesting() {
        int depth = 0;
        int deepest = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            deepest = Math.max(deepest, depth);
        }
        return deepest;
    }

    /** Where {@code part} first stands as words of its own, or -1. */
    private int positionOf(String part) {
        String haystack = text.toLowerCase(Locale.ROOT);
        String needle = part.toLowerCase(Locale.ROOT);
        for (int at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + 1)) {
            int end = at + needle.length();
            boolean starts = at == 0 || !inWord(haystack.charAt(at - 1));
            boolean ends = end == haystack.length() || !inWord(haystack.charAt(end));
            if (starts && ends) {
                return at;
            }
        }
        return -1;
    }

    private String place(int at) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < at; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return "line " + line + ", column " + (at - lineStart + 1);
    }

    private static boolean inWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    /** A name without the quotes that SQL dialects put around it. */
    static String unquote(String name) {
        if (name.length() >= 2) {
            char first = name.charAt(0);
            char last = name.charAt(name.length() - 1);
            if (first == '"' && last == '"') {
                return name.substring(1, name.length() - 1).replace("\"\"", "\"");
            }
            if ((first == '`' && last == '`') || (first == '[' && last == ']')) {
                return name.substring(1, name.length() - 1);
            }
        }
        return name;
    }
}
