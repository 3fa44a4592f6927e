package dev.penstock.cli;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.TypeConversionException;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * All commands by name. When the first word is the name of a command only that one is made: reading
 * the annotations of all of them would double the time to the first word.
 */
final class Commands {
    private static final Map<String, Function<Console, Object>> BY_NAME = new LinkedHashMap<>();

    /** Sections of a help text: what it does, how it is used, then every detail. */
    private static final List<String> SECTIONS =
            List.of(
                    UsageMessageSpec.SECTION_KEY_HEADER,
                    UsageMessageSpec.SECTION_KEY_FOOTER_HEADING,
                    UsageMessageSpec.SECTION_KEY_FOOTER,
                    UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
                    UsageMessageSpec.SECTION_KEY_SYNOPSIS,
                    UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING,
                    UsageMessageSpec.SECTION_KEY_DESCRIPTION,
                    UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING,
                    UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
                    UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING,
                    UsageMessageSpec.SECTION_KEY_OPTION_LIST,
                    UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
                    UsageMessageSpec.SECTION_KEY_COMMAND_LIST);

    static {
        BY_NAME.put("demo", DemoCommand::new);
        BY_NAME.put("generate", GenerateCommand::new);
        BY_NAME.put("plan", PlanCommand::new);
        BY_NAME.put("load", LoadCommand::new);
        BY_NAME.put("rejects", RejectsCommand::new);
        BY_NAME.put("loads", LoadsCommand::new);
        BY_NAME.put("serve", ServeCommand::new);
        BY_NAME.put("certificates", CertificatesCommand::new);
        BY_NAME.put("table", TableCommand::new);
        BY_NAME.put("count", CountCommand::new);
        BY_NAME.put("aggregate", AggregateCommand::new);
        BY_NAME.put("get", GetCommand::new);
        BY_NAME.put("scan", ScanCommand::new);
        BY_NAME.put("status", StatusCommand::new);
        BY_NAME.put("ping", PingCommand::new);
        BY_NAME.put("verify", VerifyCommand::new);
        BY_NAME.put("completion", CompletionCommand::new);
    }

    private Commands() {}

    /** The command line that can run {@code args}. */
    static CommandLine build(Console console, String... args) {
        boolean one = args.length > 0 && BY_NAME.containsKey(args[0]);
        CommandLine root = new CommandLine(new RootCommand());
        BY_NAME.forEach((name, factory) -> {
            if (!one || name.equals(args[0])) {
                root.addSubcommand(name, factory.apply(console));
            }
        });
        CommandLine rejects = root.getSubcommands().get("rejects");
        if (rejects != null) {
            CommandLine replay = Objects.requireNonNull(rejects.getSubcommands().get("replay"));
            describeStore(replay.getCommandSpec());
        }
        return configure(root, console);
    }

    /** A replay goes to another store by default than other commands do. */
    private static void describeStore(CommandSpec replay) {
        OptionSpec store = replay.findOption("--store");
        replay.remove(store);
        replay.addOption(
                OptionSpec.builder(store)
                        .description(
                                "Folder of an embedded store. Default: the store of the first"
                                        + " load")
                        .build());
    }

    /**
     * Nothing would be the folder in which the command runs, and is what an unset variable says.
     */
    private static Path path(String word) {
        if (word.isEmpty()) {
            throw new TypeConversionException("it is empty");
        }
        return Path.of(word);
    }

    /** The command line with every command, for listings. */
    static CommandLine all(Console console) {
        return build(console);
    }

    private static CommandLine configure(CommandLine root, Console console) {
        root.setOut(new PrintWriter(console.out(), false, StandardCharsets.UTF_8));
        root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.setAbbreviatedOptionsAllowed(false);
        // A word that begins with @ is that word, as a file's name or a label may.
        root.setExpandAtFiles(false);
        root.registerConverter(Path.class, Commands::path);
        root.setHelpSectionKeys(SECTIONS);
        root.setUsageHelpWidth(100);
        root.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
        return root;
    }
}
