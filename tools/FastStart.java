import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeElement;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Rewrites classes so that commands start sooner, without changing what they do:
 *
 * <ul>
 *   <li>Old classes get stack maps. Java's AOT cache leaves out classes compiled for Java 5 and
 *       older, since they lack what lets it link them ahead of time; the command line parser is
 *       such a library, and without the cache it is read from its jar, verified and linked anew by
 *       every command.
 *   <li>{@link PlainCalls} replaces calls for which Java would make classes at run time.
 *   <li>{@link LateLoggers} makes loggers when something is first said to them.
 *   <li>{@link OptionTables} makes plain objects of the annotations that declare options.
 *   <li>{@link OptionFields} makes plain reads and writes of the fields of options.
 *   <li>{@link HandlerQuestions} makes plain answers of annotations of connections' handlers.
 * </ul>
 *
 * <p>{@link NativeLibraries} copies native libraries out of the jars.
 *
 * <p>{@code java FastStart.java FOLDER [FOLDER]...} rewrites in place the jars of these folders,
 * which are one class path, that hold such classes, and puts their libraries into a folder {@code
 * native} beside them. Signed jars are left alone. Running it again changes nothing.
 */
public final class FastStart {

    /** The first class file version whose classes must have stack maps: Java 7. */
    private static final int VERSION_WITH_STACK_MAPS = 51;

    /** Beside the jars, for native libraries. */
    private static final String NATIVE = "native";

    /** The cache takes classes from this version on: Java 6. */
    private static final int VERSION_IN_CACHE = 50;

    private final ClassLoader classes;
    private final ClassFile format;
    private final LateLoggers loggers;
    private final OptionTables options;
    private final OptionFields fields;
    private final HandlerQuestions handlers;

    private FastStart(ClassLoader classes) {
        this.classes = classes;
        ClassHierarchyResolver byResource =
                ClassHierarchyResolver.ofResourceParsing(classes)
                        .orElse(ClassHierarchyResolver.defaultResolver());
        format =
                ClassFile.of(
                        ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                        ClassFile.ConstantPoolSharingOption.NEW_POOL,
                        ClassFile.ClassHierarchyResolverOption.of(byResource));
        loggers = new LateLoggers(format);
        options = new OptionTables(format);
        fields = new OptionFields(format);
        handlers = new HandlerQuestions(format);
    }

    public static void main(String[] folders) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String folder : folders) jars.addAll(jarsIn(Path.of(folder)));
        URL[] places = new URL[jars.size()];
        for (int i = 0; i < places.length; i++) places[i] = jars.get(i).toUri().toURL();
        try (URLClassLoader classes = new URLClassLoader(places)) {
            FastStart tool = new FastStart(classes);
            for (Path jar : jars) tool.look(jar);
            for (Path jar : jars) tool.rewrite(jar);
        }
        for (Path jar : jars) NativeLibraries.copy(jar, jar.resolveSibling(NATIVE));
    }

    private static List<Path> jarsIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }

    /** Every class is seen before one is changed. */
    private void look(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (!isClass(entry)) continue;
                byte[] content = content(file, entry);
                String words = words(content);
                if (words.contains(LateLoggers.TYPE)) loggers.look(content);
                handlers.look(words);
                if (OptionTables.concerns(words)) {
                    options.look(content);
                    fields.look(content);
                }
            }
        }
    }

    private void rewrite(Path jar) throws IOException {
        Map<JarEntry, byte[]> entries = new LinkedHashMap<>();
        Map<String, byte[]> made = new LinkedHashMap<>();
        boolean changed = false;
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (entry.getName().matches("META-INF/.*\\.(SF|RSA|DSA|EC)")) return;
                byte[] content = content(file, entry);
                byte[] faster = isClass(entry) ? faster(content) : content;
                if (entry.getName().equals(OptionTables.TABLE + ".class")) {
                    made.putAll(options.made());
                }
                changed |= !Arrays.equals(faster, content);
                entries.put(entry, faster);
            }
        }
        entries.keySet().removeIf(entry -> made.containsKey(entry.getName()));
        made.forEach((name, content) -> entries.put(entry(name), content));
        if (changed) write(entries, jar);
    }

    /** Of no time in particular: the same sources make the same jar. */
    private static JarEntry entry(String name) {
        JarEntry entry = new JarEntry(name);
        entry.setTimeLocal(LocalDateTime.of(2000, 1, 1, 0, 0));
        return entry;
    }

    private static void write(Map<JarEntry, byte[]> entries, Path jar) throws IOException {
        Path written = jar.resolveSibling(jar.getFileName() + ".new");
        try (OutputStream out = Files.newOutputStream(written);
                JarOutputStream target = new JarOutputStream(out)) {
            for (Map.Entry<JarEntry, byte[]> entry : entries.entrySet()) {
                JarEntry copy = new JarEntry(entry.getKey().getName());
                copy.setTime(entry.getKey().getTime());
                target.putNextEntry(copy);
                target.write(entry.getValue());
                target.closeEntry();
            }
        }
        Files.move(written, jar, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The same array if there is nothing to change. */
    private byte[] faster(byte[] content) {
        byte[] current = isOld(content) ? withStackMaps(format, content) : content;
        String words = words(current);
        if (words.contains(LateLoggers.TYPE)) current = loggers.apply(current);
        if (HandlerQuestions.concerns(words)) current = handlers.apply(current);
        if (OptionTables.concerns(words)) current = fields.apply(options.apply(current));
        return words.contains("java/lang/runtime/") || words.contains("forName")
                ? PlainCalls.apply(format, current, this::exists)
                : current;
    }

    private boolean exists(String className) {
        return className.startsWith("[")
                || classes.getResource(className.replace('.', '/') + ".class") != null;
    }

    /** A class as text, where names of ASCII can be found: most can thus be left unparsed. */
    private static String words(byte[] content) {
        return new String(content, StandardCharsets.ISO_8859_1);
    }

    /** All instructions of a class, method by method. */
    static Stream<CodeElement> code(ClassModel model) {
        return model.methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(code -> code.elementStream());
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
