package dev.penstock.bench.contender;

import dev.penstock.dialect.Dialect;
import dev.penstock.loader.DialectOptions;
import dev.penstock.schema.TableSchema;

import java.util.List;

/**
 * How a file of a benchmark is written; NULL is the empty field.
 *
 * @param delimiter between fields; fields are quoted where needed only if it is not {@code |}
 * @param header whether the first line names the columns
 * @param trailing whether each line ends with one more delimiter
 */
public record TextFormat(char delimiter, boolean header, boolean trailing) {
    /** By the first line. */
    static TextFormat of(String firstLine, TableSchema schema) {
        char delimiter = firstLine.indexOf('|') >= 0 ? '|' : ',';
        return new TextFormat(
                delimiter,
                firstLine.startsWith(schema.column(0).name() + delimiter),
                firstLine.endsWith(String.valueOf(delimiter)));
    }

    public boolean quoted() {
        return delimiter != '|';
    }

    DialectOptions dialect() {
        return DialectOptions.DEFAULT
                .withDelimiter(delimiter)
                .withQuote(quoted() ? '"' : Dialect.NONE)
                .withHeader(header)
                .withTrailingDelimiter(trailing);
    }

    /** The same as options of {@code penstock load}. */
    List<String> options() {
        return List.of(
                "--delimiter",
                String.valueOf(delimiter),
                "--quote",
                quoted() ? "\"" : "none",
                header ? "--header" : "--no-header",
                trailing ? "--trailing-delimiter" : "--no-trailing-delimiter");
    }
}
