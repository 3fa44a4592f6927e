package dev.penstock.cli;

import picocli.CommandLine;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words of a command line, as a shell takes them. */
final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWords() {}

    /** The command that is running, to be entered again. */
    static String command(CommandLine running) {
        CommandLine root = running;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        CommandLine.ParseResult parsed = root.getParseResult();
        return "penstock " + join(parsed == null ? List.of() : parsed.originalArgs());
    }

    static String join(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
