package dev.penstock.cli;

import dev.penstock.error.PenstockException;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.loader.file.LocalDisk;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Which table, and how it is declared if it does not exist. */
final class SchemaOptions {
    @Option(names = "--table", paramLabel = "T", description = "The table.")
    private @Nullable String table;

    @Option(
            names = "--ddl",
            paramLabel = "FILE",
            description = "CREATE TABLE statement; creates the table if it does not exist.")
    private @Nullable Path ddl;

    /** The table's name: as given, or else as declared. */
    String tableName() {
        if (table != null) {
            return table;
        }
        TableSchema declared = schema();
        if (declared == null) {
            throw PenstockException.usage(
                    "say which table with --table, or declare one with --ddl");
        }
        return declared.name();
    }

    /** The declared table under the name the user gave, or null without {@code --ddl}. */
    @Nullable TableSchema schema() {
        if (ddl == null) {
            return null;
        }
        TableSchema declared = read(ddl);
        try {
            return table == null
                    ? declared
                    : new TableSchema(
                            table, declared.columns(), declared.key(), declared.hiddenRowId());
        } catch (IllegalArgumentException e) {
            throw PenstockException.usage("--table is not possible: " + e.getMessage());
        }
    }

    /** Whether the user said anything about the table. */
    boolean given() {
        return table != null || ddl != null;
    }

    /** The table that a file declares. */
    static TableSchema read(Path file) {
        return parse(file, text(file));
    }

    /** What a file holds, which may be a pipe and so can be read once. */
    static String text(Path file) {
        if (file.toString().equals("-")) {
            throw PenstockException.usage(
                    "--ddl - is no file; write the CREATE TABLE statement to one and name it");
        }
        try {
            return statement(file);
        } catch (IOException e) {
            throw PenstockException.usage(unreadable(file, e));
        }
    }

    /** The table that the text of a file declares. */
    static TableSchema parse(Path file, String sql) {
        try {
            return HeadStart.table(sql).orElseGet(() -> Ddl.parseCreateTable(sql));
        } catch (PenstockException e) {
            throw new PenstockException(e.category(), file + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw PenstockException.usage(file + ": " + e.getMessage());
        }
    }

    /** What a file holds, without the byte order mark that some editors begin it with. */
    static String statement(Path file) throws IOException {
        String text = Files.readString(file);
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static String unreadable(Path file, IOException failure) {
        if (file.toString().matches("(?is)\\s*create\\s.*")) {
            return "--ddl names a file that holds the CREATE TABLE statement; write the statement"
                    + " to one";
        }
        return switch (failure) {
            case NoSuchFileException _ -> "there is no file " + file;
            case MalformedInputException _ -> file + " is not UTF-8 text";
            default -> file + " cannot be read: " + LocalDisk.reason(failure);
        };
    }
}
