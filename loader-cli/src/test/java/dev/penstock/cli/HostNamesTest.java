package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

@Timeout(60)
final class HostNamesTest {
    private static final String HOST = "store-leader";

    @TempDir private Path folder = Path.of("unset");

    /** A process that looks the name up before and after it becomes known. */
    public static final class Other {
        private Other() {}

        public static void main(String[] args) throws Exception {
            if (args[1].equals("forget")) {
                HostNames.forgetFailures();
            }
            System.out.println(lookUp());
            Files.writeString(Path.of(args[0]), "127.0.0.1 " + HOST + "\n");
            System.out.println(lookUp());
        }

        private static String lookUp() {
            try {
                return InetAddress.getAllByName(HOST)[0].getHostAddress();
            } catch (UnknownHostException e) {
                return "unknown";
            }
        }
    }

    private String otherProcess(String what) throws Exception {
        Path hosts = Files.writeString(folder.resolve("hosts"), "");
        String hidden = System.getProperty("surefire.test.class.path");
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Djdk.net.hosts.file=" + hosts,
                                "-cp",
                                hidden != null ? hidden : System.getProperty("java.class.path"),
                                Other.class.getName(),
                                hosts.toString(),
                                what)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void aNameThatBecomesKnownIsFoundAtOnce() throws Exception {
        assertThat(otherProcess("forget")).isEqualTo("unknown\n127.0.0.1\n");
    }

    /** If Java no longer did, nothing would be left to do here. */
    @Test
    void javaByItselfBelievesThatItIsUnknownForAWhile() throws Exception {
        assertThat(otherProcess("remember")).isEqualTo("unknown\nunknown\n");
    }
}
