import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Copies this platform's native libraries out of jars, to where Java finds them by their names. A
 * library that has to be taken out of its jar costs every process a search through all jars before
 * that one, or through all there are, and a file in the folder for temporary ones.
 */
final class NativeLibraries {
    /** Where jars have them: a folder for all platforms whose names say which, or one for each. */
    private static final List<String> FOLDERS =
            List.of("META-INF/native/", "net/jpountz/util/" + system() + "/" + processor() + "/");

    private NativeLibraries() {}

    /** Copies those of a jar, in place of what is there. */
    static void copy(Path jar, Path folder) throws IOException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                int end = entry.getName().lastIndexOf('/') + 1;
                String name = entry.getName().substring(end);
                if (FOLDERS.contains(entry.getName().substring(0, end)) && isLibrary(name)) {
                    Files.createDirectories(folder);
                    try (InputStream in = file.getInputStream(entry)) {
                        Files.copy(in, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    /** Whether a file is called as this system calls its libraries. */
    private static boolean isLibrary(String name) {
        String sample = System.mapLibraryName("x");
        String[] ends = sample.split("x", -1);
        return name.startsWith(ends[0]) && name.endsWith(ends[1]);
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return name.startsWith("mac") ? "darwin" : name.startsWith("windows") ? "win32" : name;
    }

    private static String processor() {
        String name = System.getProperty("os.arch");
        return Map.of("x86_64", "amd64").getOrDefault(name, name);
    }
}
