package dev.penstock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.kv.server.RegionServerProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The driver in one jar, alone on the class path of a process of its own. */
final class JdbcJarIT {
    private static final Path JAR =
            RepositoryFiles.root().resolve("jdbc-bridge/target/penstock-jdbc.jar");

    private static final String PROGRAM =
            """
            import java.sql.DriverManager;

            public class Tool {
                public static void main(String[] words) throws Exception {
                    try (var connection = DriverManager.getConnection("jdbc:penstock:" + words[0]);
                            var statement = connection.createStatement()) {
                        statement.execute(
                                "CREATE TABLE t (a INTEGER NOT NULL, b VARCHAR(9), PRIMARY KEY (a))");
                        System.out.println(
                                "copied " + statement.executeUpdate("COPY t FROM '" + words[1] + "'"));
                        try (var rows = statement.executeQuery("SELECT b FROM t ORDER BY a DESC")) {
                            while (rows.next()) {
                                System.out.println("row " + rows.getString(1));
                            }
                        }
                    }
                }
            }
            """;

    @TempDir private Path folder;

    @Test
    void a_tool_with_nothing_but_the_jar_creates_copies_and_selects() throws Exception {
        runTool(folder.resolve("store") + "?create=true");
    }

    /** Java without any option does not let Netty do what it may do in a command of Penstock. */
    @Test
    void it_does_so_at_a_server_too() throws Exception {
        Path data = folder.resolve("data");
        try (RegionServerProcess server = RegionServerProcess.start(data, "127.0.0.1:0", null)) {
            server.joined().join();
            runTool("//" + server.address() + "/");
        }
    }

    private void runTool(String place) throws Exception {
        assumeTrue(Files.isRegularFile(JAR), "the driver's jar has not been built");
        Path program = Files.writeString(folder.resolve("Tool.java"), PROGRAM);
        Path text = Files.writeString(folder.resolve("t.csv"), "a,b\n1,one\n2,two\n");
        Process tool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx512m",
                                "-cp",
                                JAR.toString(),
                                program.toString(),
                                place,
                                text.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tool.waitFor()).as(said).isZero();
        assertThat(said.lines()).containsSubsequence("copied 2", "row two", "row one");
    }

    @Test
    void the_jar_has_services_licences_and_no_stale_signature() throws IOException {
        assumeTrue(Files.isRegularFile(JAR), "the driver's jar has not been built");
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> names =
                    Collections.list(jar.entries()).stream().map(JarEntry::getName).toList();
            assertThat(names)
                    .contains(
                            "META-INF/services/java.sql.Driver",
                            "META-INF/services/dev.penstock.target.LoadTargetProvider",
                            "META-INF/LICENSE",
                            "META-INF/NOTICE")
                    .noneMatch(name -> name.matches("META-INF/[^/]+\\.(SF|RSA|DSA)"));
            JarEntry drivers = jar.getJarEntry("META-INF/services/java.sql.Driver");
            String text =
                    new String(jar.getInputStream(drivers).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(text).contains("dev.penstock.jdbc.PenstockDriver");
        }
    }
}
