package dev.penstock.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * One command line that has run within this process.
 *
 * @param code exit code
 * @param out standard output
 * @param err standard error
 */
record Ran(int code, String out, String err) {
    static Ran cli(String... args) {
        return cliReading("", args);
    }

    /** With standard input. */
    static Ran cliReading(String input, String... args) {
        return cliReadingBytes(input.getBytes(StandardCharsets.UTF_8), args);
    }

    /** The same with input that may be anything. */
    static Ran cliReadingBytes(byte[] input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console =
                new Console(
                        out,
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream(input),
                        false);
        int code = Cli.run(console, args);
        return new Ran(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
