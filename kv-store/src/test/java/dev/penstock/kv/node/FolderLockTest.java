package dev.penstock.kv.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

@Timeout(60)
class FolderLockTest {
    private static final int TAKEN = 0;
    private static final int REFUSED = 3;

    @TempDir private Path folder = Path.of("unset");

    /** Another process that wants the folder. */
    public static final class Other {
        private Other() {}

        public static void main(String[] args) {
            try (FolderLock _ = FolderLock.take(Path.of(args[0]))) {
                System.exit(TAKEN);
            } catch (PenstockException e) {
                System.err.println(e.getMessage());
                System.exit(e.category() == ErrorCategory.CONFLICT ? REFUSED : 1);
            }
        }
    }

    private int otherProcess() throws Exception {
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                classPath(),
                                Other.class.getName(),
                                folder.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = other.waitFor();
        if (exit == REFUSED) {
            assertThat(said)
                    .contains("process " + ProcessHandle.current().pid() + " on ")
                    .doesNotContain(" -X");
        }
        return exit;
    }

    /** Surefire hides it in the manifest of a jar. */
    private static String classPath() {
        String real = System.getProperty("surefire.test.class.path");
        return real != null ? real : System.getProperty("java.class.path");
    }

    @Test
    void whoIsRefusedInTheSameProcessDoesNotTakeTheLockAwayFromIt() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolveSibling("link" + hashCode()), folder);
        try (FolderLock _ = FolderLock.take(folder)) {
            assertThat(otherProcess()).isEqualTo(REFUSED);
            for (Path path : new Path[] {folder, link}) {
                assertThatThrownBy(() -> FolderLock.take(path))
                        .hasMessageContaining(", which is this process");
            }
            assertThat(otherProcess()).isEqualTo(REFUSED);
        } finally {
            Files.delete(link);
        }
        assertThat(otherProcess()).isEqualTo(TAKEN);
        FolderLock.take(folder).close();
    }

    /** An application server may load this class once for each application. */
    @Test
    void norDoesOneWhoseClassesWereLoadedOnceMore() throws Exception {
        URL[] urls =
                Stream.of(classPath().split(File.pathSeparator))
                        .map(FolderLockTest::url)
                        .toArray(URL[]::new);
        try (FolderLock _ = FolderLock.take(folder);
                URLClassLoader again =
                        new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            Method take =
                    again.loadClass(FolderLock.class.getName())
                            .getDeclaredMethod("take", Path.class);
            take.setAccessible(true);
            assertThatThrownBy(() -> take.invoke(null, folder))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .hasMessageContaining(", which is another part of this process");
            assertThat(otherProcess()).isEqualTo(REFUSED);
        }
        assertThat(otherProcess()).isEqualTo(TAKEN);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
