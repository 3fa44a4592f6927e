package dev.penstock.jdbc;

import dev.penstock.sql.SqlEngine;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.util.ArrayList;
import java.util.List;

/** The words of a command, one after the other. Comments are skipped. */
final class CommandTokens {
    private static final String SYNTAX = "42601";

    /** What a word looked like. */
    enum Kind {
        /** Letters, digits and {@code _ $ . % + -}. */
        BARE,
        /** In double quotes. */
        NAME,
        /** In single quotes. */
        TEXT,
        /** One other character. */
        SYMBOL
    }

    /**
     * One word.
     *
     * @param text without quotes
     */
    record Token(Kind kind, String text) {
        boolean is(String word) {
            return (kind == Kind.BARE || kind == Kind.SYMBOL) && text.equalsIgnoreCase(word);
        }
    }

    private final List<Token> tokens = new ArrayList<>();
    private int next;

    CommandTokens(String sql) throws SQLException {
        int at = 0;
        while (at < sql.length()) {
            at = add(sql, at);
        }
        if (!tokens.isEmpty() && tokens.getLast().is(";")) {
            tokens.removeLast();
        }
    }

    private int add(String sql, int at) throws SQLException {
        char c = sql.charAt(at);
        if (Character.isWhitespace(c)) {
            return at + 1;
        }
        if (sql.startsWith("--", at)) {
            int end = sql.indexOf('\n', at);
            return end < 0 ? sql.length() : end + 1;
        }
        if (sql.startsWith("/*", at)) {
            int end = sql.indexOf("*/", at + 2);
            return end < 0 ? sql.length() : end + 2;
        }
        if (c == '\'' || c == '"') {
            return quoted(sql, at, c);
        }
        if ((c == 'E' || c == 'e') && sql.startsWith("'", at + 1)) {
            return quoted(sql, at + 1, '\'');
        }
        int end = at;
        while (end < sql.length() && isBare(sql.charAt(end)) && !sql.startsWith("--", end)) {
            end++;
        }
        if (end > at) {
            tokens.add(new Token(Kind.BARE, sql.substring(at, end)));
            return end;
        }
        tokens.add(new Token(Kind.SYMBOL, String.valueOf(c)));
        return at + 1;
    }

    private static boolean isBare(char c) {
        return Character.isLetterOrDigit(c) || "_$.%+-".indexOf(c) >= 0;
    }

    private int quoted(String sql, int start, char quote) throws SQLException {
        StringBuilder text = new StringBuilder();
        for (int at = start + 1; at < sql.length(); at++) {
            if (sql.charAt(at) != quote) {
                text.append(sql.charAt(at));
            } else if (at + 1 < sql.length() && sql.charAt(at + 1) == quote) {
                text.append(quote);
                at++;
            } else {
                tokens.add(new Token(quote == '"' ? Kind.NAME : Kind.TEXT, text.toString()));
                return at + 1;
            }
        }
        throw new SQLSyntaxErrorException("a quote (" + quote + ") is never closed", SYNTAX);
    }

    boolean atEnd() {
        return next == tokens.size();
    }

    @Nullable Token peek() {
        return atEnd() ? null : tokens.get(next);
    }

    /** Steps over the word if it is next. */
    boolean take(String word) {
        Token token = peek();
        if (token != null && token.is(word)) {
            next++;
            return true;
        }
        return false;
    }

    void expect(String word) throws SQLException {
        if (!take(word)) {
            throw expected(word);
        }
    }

    /**
     * A table's name; the name of the one schema may stand before it.
     *
     * @throws SQLException 3F000 if that of another does
     */
    String tableName() throws SQLException {
        List<String> parts = new ArrayList<>(List.of(""));
        boolean dotted;
        do {
            Token token = peek();
            name("a table's name");
            dotted = token != null && addParts(token, parts);
        } while (dotted || isDotNext());
        String name = parts.removeLast();
        String schema = String.join(".", parts);
        if (!parts.isEmpty() && !schema.equalsIgnoreCase(SqlEngine.SCHEMA)) {
            throw new SQLException(
                    "there is no schema "
                            + schema
                            + "; tables are named without one, or in "
                            + SqlEngine.SCHEMA,
                    "3F000");
        }
        return name;
    }

    /** Adds a word to a dotted name; true if the name goes on behind it. */
    private static boolean addParts(Token token, List<String> parts) {
        if (token.kind() == Kind.NAME) {
            parts.add(parts.removeLast() + token.text());
            return false;
        }
        List<String> added = List.of(token.text().split("\\.", -1));
        parts.add(parts.removeLast() + added.getFirst());
        parts.addAll(added.subList(1, added.size()));
        return parts.getLast().isEmpty();
    }

    private boolean isDotNext() {
        Token token = peek();
        return token != null && token.kind() == Kind.BARE && token.text().startsWith(".");
    }

    /** A name as it stands, in double quotes or without. */
    String name(String what) throws SQLException {
        Token token = peek();
        if (token == null || token.kind() == Kind.TEXT || token.kind() == Kind.SYMBOL) {
            throw expected(what);
        }
        next++;
        return token.text();
    }

    /** Text in single quotes. */
    String text(String what) throws SQLException {
        Token token = peek();
        if (token == null || token.kind() != Kind.TEXT) {
            throw expected(what);
        }
        next++;
        return token.text();
    }

    /** A value in quotes or without; null if none follows. */
    @Nullable String value() {
        Token token = peek();
        if (token == null || token.kind() == Kind.SYMBOL) {
            return null;
        }
        next++;
        return token.text();
    }

    SQLException expected(String what) {
        Token token = peek();
        return new SQLSyntaxErrorException(
                what
                        + " is expected "
                        + (token == null ? "at the end" : "where '" + token.text() + "' stands"),
                SYNTAX);
    }
}
