package dev.penstock.cli;

import dev.penstock.cli.render.JsonObject;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.security.AccessRules;
import dev.penstock.kv.security.CertificateAuthority;
import dev.penstock.kv.security.PrivateFiles;
import dev.penstock.kv.security.Secret;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Makes what servers and clients prove themselves with. */
@Command(
        name = "certificates",
        abbreviateSynopsis = true,
        header = "Makes a CA, certificates and tokens for a cluster of one's own.",
        footerHeading = "%n",
        footer = {
            "  penstock certificates ca",
            "  penstock certificates server db1 --host db1.example.com,10.0.0.1",
            "  penstock certificates client anna",
            "  penstock certificates token etl",
            ""
        },
        description = {
            "",
            "Files go to the folder --dir: NAME.crt with NAME.key, or NAME.token. Only their owner"
                    + " can read keys and tokens; nothing is replaced. ca.key makes certificates;"
                    + " no server needs it."
        },
        parameterListHeading = "%n",
        optionListHeading = "%n")
final class CertificatesCommand implements Callable<Integer> {
    private static final int CA_DAYS = 3650;
    private static final int DAYS = 365;

    /** A hundred years: what is valid for longer is a slip, and dates end somewhere. */
    private static final int MAX_DAYS = 36_500;

    private final Console console;

    /** What is made. */
    private enum Kind {
        CA,
        SERVER,
        CLIENT,
        TOKEN
    }

    @Parameters(index = "0", paramLabel = "ca|server|client|token", description = "What to make.")
    private Kind kind = Kind.CA;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "Who is to have it: the name that access rules use.")
    private @Nullable String name;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "certificates",
            description = "Folder of the files. Default: ./certificates")
    private Path dir = Path.of("certificates");

    @Option(
            names = "--host",
            paramLabel = "HOST",
            split = ",",
            description = "Names and addresses under which others reach the server.")
    private List<String> hosts = List.of();

    @Option(
            names = "--days",
            paramLabel = "N",
            description = "How long it is valid, at most 36500. Default: 365, and 3650 for a CA")
    private @Nullable Integer days;

    @Mixin private OutputOptions output = new OutputOptions();

    CertificatesCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        Instant now = Instant.now();
        Integer given = days;
        if (given != null && (given < 1 || given > MAX_DAYS)) {
            throw PenstockException.usage("--days is from 1 to " + MAX_DAYS + ", not " + given);
        }
        Duration life = Duration.ofDays(given != null ? given : kind == Kind.CA ? CA_DAYS : DAYS);
        if (!hosts.isEmpty() && kind != Kind.SERVER) {
            throw PenstockException.usage("--host is for a server's certificate");
        }
        switch (kind) {
            case CA -> {
                if (name != null) {
                    throw PenstockException.usage("a CA has no NAME; give --dir");
                }
                CertificateAuthority.create(dir, now, life);
                made("ca");
            }
            case SERVER -> {
                String server = named();
                CertificateAuthority.open(dir).issueServer(dir, server, hosts, now, life);
                made(server);
            }
            case CLIENT -> {
                String client = named();
                CertificateAuthority.open(dir).issueClient(dir, client, now, life);
                made(client);
            }
            case TOKEN -> makeToken(named());
        }
        return ExitCode.DONE;
    }

    private String named() {
        String given = name;
        if (given == null || !AccessRules.isName(given)) {
            throw PenstockException.usage(
                    "a NAME of 1 to 64 letters, digits and ._@- belongs behind "
                            + kind.name().toLowerCase(Locale.ROOT));
        }
        return given;
    }

    private void made(String who) {
        if (output.json()) {
            console.print(
                    new JsonObject()
                            .put("certificate", dir.resolve(who + ".crt").toString())
                            .put("key", dir.resolve(who + ".key").toString())
                            .toString());
        } else {
            console.print("made " + who + ".crt and " + who + ".key in " + dir);
        }
    }

    /** The token itself shows nowhere but in its file. */
    private void makeToken(String who) {
        Secret secret = Secret.random();
        PrivateFiles.create(dir.resolve(who + ".token"), secret.reveal() + "\n");
        String rule = "token " + who + " " + secret.hash();
        if (output.json()) {
            console.print(
                    new JsonObject()
                            .put("token", dir.resolve(who + ".token").toString())
                            .put("rule", rule)
                            .toString());
        } else {
            console.say(
                    "penstock: made "
                            + who
                            + ".token in "
                            + dir
                            + "; the servers' access file needs this line:");
            console.print(rule);
        }
    }
}
