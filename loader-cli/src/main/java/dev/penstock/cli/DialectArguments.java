package dev.penstock.cli;

import dev.penstock.loader.DialectOptions;
import dev.penstock.loader.LoadOption;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

/** How the input is written. What is not said is chosen by the names and first records. */
final class DialectArguments {
    @Option(
            names = "--delimiter",
            paramLabel = "C",
            description = "Between fields: one ASCII character, or tab. Default: by the file.")
    private @Nullable String delimiter;

    @Option(
            names = "--quote",
            paramLabel = "C",
            description = "Around fields: one ASCII character, or none. Default: by the file.")
    private @Nullable String quote;

    @Option(
            names = "--escape",
            paramLabel = "C",
            description = "Within quoted fields, besides a doubled quote. Default: none")
    private @Nullable String escape;

    @Option(
            names = "--comment",
            paramLabel = "C",
            description = "Records that begin with it are skipped. Default: none")
    private @Nullable String comment;

    @Option(
            names = "--header",
            negatable = true,
            description = "Whether the first record of each file names the fields.")
    private @Nullable Boolean header;

    @Option(
            names = "--trailing-delimiter",
            negatable = true,
            description = "Whether every record ends with one more delimiter, as in TPC-H files.")
    private @Nullable Boolean trailingDelimiter;

    @Option(
            names = "--null",
            paramLabel = "TEXT",
            description = "The unquoted text that means NULL. Default: the empty text")
    private @Nullable String nullText;

    DialectOptions options() {
        return new DialectOptions(
                delimiter == null ? null : LoadOption.character("--delimiter", delimiter),
                quote == null ? null : LoadOption.optionalCharacter("--quote", quote),
                escape == null ? null : LoadOption.optionalCharacter("--escape", escape),
                comment == null ? null : LoadOption.optionalCharacter("--comment", comment),
                header,
                trailingDelimiter,
                nullText);
    }
}
