package dev.penstock.cli;

import dev.penstock.bytes.Printable;

import picocli.CommandLine;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words of a command line, as a shell takes them, and as they may be printed. */
final class ShellWords {
    /** What the command was called as, if whoever started Java says so. */
    private static final String COMMAND = "penstock.command";

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWords() {}

    /** The command that is running, to be entered again. */
    static String command(CommandLine running) {
        CommandLine root = running;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        CommandLine.ParseResult parsed = root.getParseResult();
        String name = System.getProperty(COMMAND, "penstock");
        return quoted(name) + " " + join(parsed == null ? List.of() : parsed.originalArgs());
    }

    static String join(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        if (PLAIN.matcher(word).matches()) {
            return word;
        }
        return Printable.line(word).equals(word)
                ? "'" + word.replace("'", "'\\''") + "'"
                : escaped(word);
    }

    /** A word that cannot be printed as it is; bash and zsh take it so, and new shells for sh. */
    private static String escaped(String word) {
        StringBuilder text = new StringBuilder("$'");
        word.codePoints()
                .forEach(c -> {
                    String one = Character.toString(c);
                    if (c == '\'' || c == '\\') {
                        text.append('\\').append(one);
                    } else if (Printable.line(one).equals(one)) {
                        text.append(one);
                    } else {
                        // Three octal digits, so that a digit that follows is none of them.
                        for (byte b : one.getBytes(StandardCharsets.UTF_8)) {
                            text.append(String.format("\\%03o", b & 0xFF));
                        }
                    }
                });
        return text.append('\'').toString();
    }
}
