package dev.penstock.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * A token is used in every way there is, rightly and wrongly, with everything that can be said
 * said: it shows up nowhere but in its own file.
 */
final class SecurityIT {
    private static final String OWN_FILE = "etl.token";

    @TempDir private Path folder;

    private final List<String> texts = new ArrayList<>();

    @Test
    @Timeout(600)
    void a_token_shows_nowhere_but_in_its_file() throws Exception {
        run("certificates", "ca");
        run("certificates", "server", "db1", "--host", "127.0.0.1,localhost");
        run("certificates", "client", "anna");
        String rule = run("certificates", "token", "etl").out();
        String other = run("certificates", "token", "other").out();
        Path access = folder.resolve("access");
        Files.writeString(access, "grant admin on t to etl\ngrant read on t to anna\n" + rule);
        Files.writeString(folder.resolve("t.sql"), "CREATE TABLE t (id BIGINT PRIMARY KEY)");
        Files.writeString(folder.resolve("t.csv"), "1\n2\n3\n");
        Files.writeString(folder.resolve("bad.csv"), "4\nfive\n");
        String token = Files.readString(certificates(OWN_FILE)).strip();
        assertThat(rule).startsWith("token etl sha256:").doesNotContain(token);
        assertThat(other).isNotEqualTo(rule);

        Set<String> seen = new ConcurrentSkipListSet<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread watcher = Thread.ofPlatform().start(() -> watchProcesses(token, seen, over));
        ServerJvm server =
                ServerJvm.start(
                        folder,
                        "data",
                        "127.0.0.1:0",
                        "--tls-cert",
                        certificates("db1.crt").toString(),
                        "--tls-key",
                        certificates("db1.key").toString(),
                        "--tls-ca",
                        certificates("ca.crt").toString(),
                        "--access",
                        access.toString(),
                        "--verbose");
        try {
            useFromCommands(server.address());
            useFromJdbc(server.address(), token);
        } finally {
            server.stop();
            over.set(true);
            watcher.join();
        }
        texts.add(server.said());
        assertThat(texts).noneMatch(text -> text.contains(token));
        assertThat(seen).as("processes whose arguments or environment show it").isEmpty();
        assertThat(filesWith(token)).containsExactly(certificates(OWN_FILE));
    }

    private void useFromCommands(String address) throws Exception {
        String ca = certificates("ca.crt").toString();
        String tokenFile = certificates(OWN_FILE).toString();
        List<String> good =
                List.of("--connect", address, "--tls-ca", ca, "--token-file", tokenFile);
        List<String> wrong =
                List.of(
                        "--connect",
                        address,
                        "--tls-ca",
                        ca,
                        "--token-file",
                        certificates("other.token").toString());
        PenstockJvm.Answer load =
                command(
                        good,
                        "load",
                        "t.csv",
                        "--table",
                        "t",
                        "--ddl",
                        "t.sql",
                        "--workers",
                        "2",
                        "--verbose",
                        "--report-json",
                        "report.json");
        assertThat(load.exitCode()).as(load.err()).isZero();
        assertThat(command(good, "count", "t", "--verbose").out()).isEqualTo("3\n");

        PenstockJvm.Answer rejected =
                command(good, "load", "bad.csv", "--table", "t", "--workers", "2", "--verbose");
        assertThat(rejected.exitCode()).as(rejected.err()).isEqualTo(1);
        PenstockJvm.Answer denied = command(good, "count", "other", "--verbose");
        assertThat(denied.exitCode()).isEqualTo(2);
        assertThat(denied.err()).contains("etl has not the role read for table other");
        PenstockJvm.Answer unknown = command(wrong, "count", "t", "--verbose");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("the token is not one of this server's");
        PenstockJvm.Answer plain = run("count", "t", "--connect", address, "--verbose");
        assertThat(plain.exitCode()).isEqualTo(1);
        assertThat(plain.err()).contains("it may want TLS");
        PenstockJvm.Answer untold =
                run("count", "t", "--connect", address, "--token-file", tokenFile, "--verbose");
        assertThat(untold.exitCode()).isEqualTo(2);
        assertThat(untold.err()).contains("a token is sent over TLS only");
    }

    private void useFromJdbc(String address, String token) throws Exception {
        String url = "jdbc:penstock://" + address + "/";
        Properties properties = new Properties();
        properties.setProperty("tlsCa", certificates("ca.crt").toString());
        properties.setProperty("password", token);
        try (Connection connection = DriverManager.getConnection(url, properties);
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM t")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getLong(1)).isEqualTo(3);
            texts.add(connection.getMetaData().getURL() + connection);
            assertThatThrownBy(() -> statement.execute("DROP TABLE other"))
                    .isInstanceOfSatisfying(SQLException.class, this::keep);
        }
        assertThatThrownBy(
                        () -> DriverManager.getConnection(url + "?password=" + token, properties))
                .isInstanceOfSatisfying(SQLException.class, this::keep);
        assertThatThrownBy(
                        () -> DriverManager.getConnection(url + "?password:" + token, properties))
                .isInstanceOfSatisfying(SQLException.class, this::keep);
        properties.setProperty("password", token + "x");
        assertThatThrownBy(() -> DriverManager.getConnection(url, properties))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> {
                            assertThat(e.getSQLState()).isEqualTo("28000");
                            keep(e);
                        });
        for (var info : DriverManager.getDriver(url).getPropertyInfo(url, properties)) {
            texts.add(info.name + "=" + info.value);
        }
    }

    private void keep(SQLException failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        texts.add(text.toString());
    }

    private PenstockJvm.Answer command(List<String> connection, String... arguments)
            throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(connection);
        return run(all.toArray(String[]::new));
    }

    private PenstockJvm.Answer run(String... arguments) throws Exception {
        PenstockJvm.Answer answer = PenstockJvm.run(folder, arguments);
        texts.add(answer.out());
        texts.add(answer.err());
        return answer;
    }

    private Path certificates(String name) {
        return folder.resolve("certificates").resolve(name);
    }

    /** Looks at every process again and again; only Linux shows them so. */
    private static void watchProcesses(String token, Set<String> seen, AtomicBoolean over) {
        while (!over.get()) {
            ProcessHandle.allProcesses()
                    .forEach(process -> {
                        for (String file : List.of("cmdline", "environ")) {
                            Path shown = Path.of("/proc", Long.toString(process.pid()), file);
                            if (contains(shown, token)) {
                                seen.add(shown.toString());
                            }
                        }
                    });
        }
    }

    private List<Path> filesWith(String token) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> contains(file, token))
                    .toList();
        }
    }

    private static boolean contains(Path file, String token) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .contains(token);
        } catch (IOException e) {
            // A process that is gone, or not ours.
            return false;
        }
    }
}
