import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Gives old classes stack maps. Java's AOT cache leaves out classes compiled for Java 5 and older,
 * since they lack the stack maps that let it link them ahead of time; the command line parser is
 * such a library, and without the cache it is read from its jar, verified and linked anew by every
 * command.
 *
 * <p>{@code java StackMaps.java FOLDER [FOLDER]...} rewrites in place the jars of these folders
 * that hold such classes. The instructions stay as they are. Signed jars are left alone. Running it
 * again changes nothing.
 */
public final class StackMaps {

    /** The first class file version whose classes must have stack maps: Java 7. */
    private static final int VERSION_WITH_STACK_MAPS = 51;

    /** The cache takes classes from this version on: Java 6. */
    private static final int VERSION_IN_CACHE = 50;

    private StackMaps() {}

    public static void main(String[] folders) throws IOException {
        for (String folder : folders) {
            for (Path jar : jarsIn(Path.of(folder))) {
                if (hasOldClasses(jar)) rewrite(jar);
            }
        }
    }

    private static List<Path> jarsIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private static boolean hasOldClasses(Path jar) throws IOException {
        boolean old = false;
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (entry.getName().matches("META-INF/.*\\.(SF|RSA|DSA|EC)")) return false;
                old |= isClass(entry) && isOld(content(file, entry));
            }
        }
        return old;
    }

    private static void rewrite(Path jar) throws IOException {
        Path written = jar.resolveSibling(jar.getFileName() + ".new");
        try (JarFile file = new JarFile(jar.toFile(), false);
                URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
                OutputStream out = Files.newOutputStream(written);
                JarOutputStream target = new JarOutputStream(out)) {
            ClassFile format =
                    ClassFile.of(
                            ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                            ClassFile.ClassHierarchyResolverOption.of(
                                    ClassHierarchyResolver.ofResourceParsing(classes)
                                            .orElse(ClassHierarchyResolver.defaultResolver())));
            for (JarEntry entry : Collections.list(file.entries())) {
                byte[] content = content(file, entry);
                if (isClass(entry) && isOld(content)) content = withStackMaps(format, content);
                JarEntry copy = new JarEntry(entry.getName());
                copy.setTime(entry.getTime());
                target.putNextEntry(copy);
                target.write(content);
                target.closeEntry();
            }
        }
        Files.move(written, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Stack maps are made where a method body is built anew, hence the transform that keeps every
     * instruction.
     */
    private static byte[] withStackMaps(ClassFile format, byte[] content) {
        ClassModel model = format.parse(content);
        ClassTransform version =
                (builder, element) -> {
                    if (element instanceof ClassFileVersion)
                        builder.withVersion(VERSION_WITH_STACK_MAPS, 0);
                    else builder.with(element);
                };
        return format.transformClass(
                model,
                version.andThen(
                        ClassTransform.transformingMethodBodies(
                                (code, element) -> code.with(element))));
    }

    private static boolean isClass(JarEntry entry) {
        return entry.getName().endsWith(".class");
    }

    /** Bytes 6 and 7 of a class file are its major version. */
    private static boolean isOld(byte[] content) {
        return ((content[6] & 0xff) << 8 | content[7] & 0xff) < VERSION_IN_CACHE;
    }

    private static byte[] content(JarFile file, JarEntry entry) throws IOException {
        try (InputStream in = file.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
