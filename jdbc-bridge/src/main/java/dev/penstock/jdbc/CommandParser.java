package dev.penstock.jdbc;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.LoadOption;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLSyntaxErrorException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Recognizes {@link Command}s.
 *
 * <pre>
 * CREATE TABLE [IF NOT EXISTS] t (column type [NOT NULL], ..., PRIMARY KEY (column, ...))
 * DROP TABLE [IF EXISTS] t
 * COPY t [(column, ...)] FROM {'file, folder or glob' [, ...] | STDIN} [[WITH] (option [value], ...)]
 * </pre>
 */
final class CommandParser {
    /** Comments, then a first word that Calcite does not know. */
    private static final Pattern START =
            Pattern.compile(
                    "\\A(?:\\s|--[^\\n]*(?:\\n|\\z)|/\\*(?s:.*?)\\*/)*+(COPY|CREATE|DROP|TRUNCATE)\\b",
                    Pattern.CASE_INSENSITIVE);

    private CommandParser() {}

    /**
     * The command, or null if the statement is for the planner.
     *
     * @throws SQLException 42601 if it begins as a command and does not go on as one
     */
    static @Nullable Command parse(String sql) throws SQLException {
        var start = START.matcher(sql);
        if (!start.find()) {
            return null;
        }
        CommandTokens tokens = new CommandTokens(sql);
        String word = start.group(1).toUpperCase(Locale.ROOT);
        tokens.expect(word);
        try {
            return switch (word) {
                case "COPY" -> copy(tokens);
                case "CREATE" -> create(tokens, sql);
                case "DROP" -> drop(tokens);
                default ->
                        throw new SQLFeatureNotSupportedException(
                                "TRUNCATE is not supported; DELETE FROM the table, or DROP and"
                                        + " CREATE it.",
                                "0A000");
            };
        } catch (PenstockException e) {
            throw new SQLSyntaxErrorException(e.getMessage(), "42601", e);
        }
    }

    private static Command create(CommandTokens tokens, String sql) throws SQLException {
        tokens.expect("TABLE");
        boolean ifNotExists = tokens.take("IF");
        if (ifNotExists) {
            tokens.expect("NOT");
            tokens.expect("EXISTS");
        }
        return new Command.CreateTable(Ddl.parseCreateTable(sql), ifNotExists);
    }

    private static Command drop(CommandTokens tokens) throws SQLException {
        tokens.expect("TABLE");
        boolean ifExists = tokens.take("IF");
        if (ifExists) {
            tokens.expect("EXISTS");
        }
        String table = tokens.tableName();
        end(tokens);
        return new Command.DropTable(table, ifExists);
    }

    private static Command copy(CommandTokens tokens) throws SQLException {
        String table = tokens.tableName();
        List<String> columns = new ArrayList<>();
        if (tokens.take("(")) {
            do {
                columns.add(tokens.name("a column's name"));
            } while (tokens.take(","));
            tokens.expect(")");
        }
        tokens.expect("FROM");
        List<String> inputs = new ArrayList<>();
        if (!tokens.take("STDIN")) {
            do {
                inputs.add(tokens.text("STDIN or a file's name in single quotes"));
            } while (tokens.take(","));
        }
        Map<LoadOption, String> options = options(tokens);
        end(tokens);
        return new Command.Copy(table, columns, inputs, options);
    }

    private static Map<LoadOption, String> options(CommandTokens tokens) throws SQLException {
        Map<LoadOption, String> options = new EnumMap<>(LoadOption.class);
        boolean with = tokens.take("WITH");
        if (!with && tokens.atEnd()) {
            return options;
        }
        tokens.expect("(");
        do {
            LoadOption option = LoadOption.of(tokens.name("an option"));
            String value = tokens.value();
            if (value == null && !option.isSwitch()) {
                throw tokens.expected("a value of " + option);
            }
            if (options.put(option, value == null ? "true" : value) != null) {
                throw new SQLSyntaxErrorException(
                        "the option " + option + " is given twice", "42601");
            }
        } while (tokens.take(","));
        tokens.expect(")");
        return options;
    }

    private static void end(CommandTokens tokens) throws SQLException {
        if (!tokens.atEnd()) {
            throw tokens.expected("the end of the statement");
        }
    }
}
