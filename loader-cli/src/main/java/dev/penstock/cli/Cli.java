package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.MemoryUsedUp;
import dev.penstock.error.PenstockException;

import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Runs one command line and answers its exit code. Every failure becomes one sentence on stderr,
 * with {@code --json} also one object on stdout; a stack trace only with {@code --verbose}.
 */
public final class Cli {
    private static final String VERSION = "0.1.0";

    private Cli() {}

    public static int run(Console console, String... args) {
        Failures failures = new Failures(console, args);
        try {
            int code =
                    asksForVersion(args) ? printVersion(console) : execute(console, failures, args);
            if (!failures.reported) {
                flush(console);
            }
            return code;
        } catch (Console.OutputClosed e) {
            return ExitCode.DONE;
        } catch (PenstockException e) {
            return failures.of(e);
        } catch (OutOfMemoryError e) {
            return failures.of(MemoryUsedUp.failure(e));
        }
    }

    /** What a command answers does not depend on whether anybody reads what it prints. */
    private static void flush(Console console) {
        try {
            console.flush();
        } catch (Console.OutputClosed e) {
            console.err().flush();
        }
    }

    private static int execute(Console console, Failures failures, String... args) {
        CommandLine line = Commands.build(console, args);
        line.setParameterExceptionHandler((failure, all) -> failures.usage(failure));
        line.setExecutionExceptionHandler((failure, command, parsed) -> failures.of(failure));
        return line.execute(args);
    }

    /** Without the time that it takes to make any command. */
    private static boolean asksForVersion(String... args) {
        return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
    }

    private static int printVersion(Console console) {
        console.print(version());
        return ExitCode.DONE;
    }

    static String version() {
        String version = Cli.class.getPackage().getImplementationVersion();
        return "penstock " + (version == null ? VERSION : version);
    }

    /** What {@code --json} prints of a command that has not done what it was to do. */
    static JsonObject failure(String text, String category) {
        return new JsonObject().put("error", text).put("category", category);
    }

    /** Turns what went wrong into words and an exit code. */
    private static final class Failures {
        private final Console console;
        private final List<String> args;

        /** Whether there was one; then standard output has been flushed, if it could be. */
        private boolean reported;

        Failures(Console console, String... args) {
            this.console = console;
            this.args = Arrays.asList(args);
        }

        int usage(ParameterException failure) {
            CommandLine command = failure.getCommandLine();
            StringBuilder text = new StringBuilder();
            List<String> unknown = unknown(failure);
            if (!unknown.isEmpty()) {
                text.append(unmatched(unknown.getFirst(), command));
            } else {
                text.append(sentence(String.valueOf(failure.getMessage())));
            }
            text.append(" See '").append(command.getCommandSpec().qualifiedName());
            text.append(" --help'.");
            report(text.toString(), ErrorCategory.USAGE, ExitCode.USAGE);
            trace(failure);
            return ExitCode.USAGE;
        }

        /** Words that are not understood; what is missing may be one of them, written wrongly. */
        private static List<String> unknown(ParameterException failure) {
            return switch (failure) {
                case UnmatchedArgumentException unmatched -> unmatched.getUnmatched();
                case MissingParameterException missing ->
                        missing.getCommandLine().getUnmatchedArguments();
                default -> List.of();
            };
        }

        private static String unmatched(String word, CommandLine command) {
            boolean option = word.startsWith("-");
            if (option && new File(word).exists()) {
                return "there is no option " + word + "; a file of that name is ./" + word + ".";
            }
            List<String> known = new ArrayList<>();
            if (option) {
                command.getCommandSpec()
                        .options()
                        .forEach(each -> known.addAll(Arrays.asList(each.names())));
            } else {
                known.addAll(command.getSubcommands().keySet());
            }
            String what =
                    option
                            ? "there is no option " + word
                            : known.isEmpty()
                                    ? "the word '" + word + "' is one too many"
                                    : "there is no command '" + word + "'";
            return what
                    + "."
                    + Spelling.nearest(word, known)
                            .map(nearest -> " Did you mean " + nearest + "?")
                            .orElse("");
        }

        int of(Exception failure) {
            return switch (failure) {
                case Console.OutputClosed _ -> ExitCode.DONE;
                case Interruption.TooLate _ -> ExitCode.INTERRUPTED;
                case PenstockException known -> {
                    report(
                            sentence(String.valueOf(known.getMessage())),
                            known.category(),
                            ExitCode.of(known));
                    trace(known);
                    yield ExitCode.of(known);
                }
                default -> {
                    report(
                            "This is a fault of penstock: "
                                    + failure
                                    + (args.contains("--verbose")
                                            ? "."
                                            : ". Add --verbose for the details."),
                            ErrorCategory.INTERNAL,
                            ExitCode.FAILED);
                    trace(failure);
                    yield ExitCode.FAILED;
                }
            };
        }

        private void report(String text, ErrorCategory category, int exitCode) {
            reported = true;
            console.say("penstock: " + text);
            try {
                if (args.contains("--json")) {
                    String word = category.name().toLowerCase(Locale.ROOT);
                    console.print(failure(text, word).put("exit_code", exitCode).toString());
                }
                console.flush();
            } catch (PenstockException | Console.OutputClosed e) {
                // Where data goes nothing can be said, as was said above if that is the failure.
                console.err().flush();
            }
        }

        private void trace(Exception failure) {
            if (args.contains("--verbose")) {
                console.say(Console.trace(failure));
            }
        }

        /** Ends with a full stop, whoever wrote the message. */
        private static String sentence(String message) {
            String text = message.strip();
            if (text.isEmpty()) {
                return "Something failed without saying why.";
            }
            char last = text.charAt(text.length() - 1);
            return ".!?".indexOf(last) >= 0 ? text : text + ".";
        }
    }
}
