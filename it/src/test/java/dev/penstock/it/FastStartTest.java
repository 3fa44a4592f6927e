package dev.penstock.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** What {@code tools/FastStart.java} makes of classes does what they did. */
final class FastStartTest {
    /** Every kind of call that is replaced, with all kinds of components and labels. */
    private static final String PROGRAM =
            """
            import java.util.Arrays;
            import java.util.List;

            public final class Sample {
                sealed interface Shape permits Empty, Dot, Many, Every {
                    default String kind() {
                        return switch (this) {
                            case Empty _ -> "empty";
                            case Dot(int x, double y) when x > 5 -> "far dot " + y;
                            case Dot dot -> "dot " + dot.x;
                            case Many _ -> "many";
                            case Every _ -> "every";
                        };
                    }
                }

                record Empty() implements Shape {}

                record Dot(int x, double y) implements Shape {}

                record Many(List<Shape> shapes, String name) implements Shape {}

                record Every(
                        boolean a, byte b, char c, short d, int e, long f, float g, double h,
                        String i, int[] j)
                        implements Shape {}

                enum Color { RED, GREEN }

                static String of(Object value) {
                    return switch (value) {
                        case null -> "null";
                        case String text when text.isEmpty() -> "no text";
                        case String text -> "text " + text;
                        case Integer number -> "number " + number;
                        case int[] numbers -> "numbers " + numbers.length;
                        case Object[] values -> "values " + values.length;
                        case Color color -> "color " + color;
                        default -> "else";
                    };
                }

                static String of(String word) {
                    return switch (word) {
                        case "a" -> "first";
                        case String other when other.length() > 3 -> "long";
                        case "b" -> "second";
                        case String other -> other;
                    };
                }

                static String named(boolean one) {
                    StringBuilder found = new StringBuilder();
                    try {
                        found.append(Class.forName("[Ljava.lang.String;"));
                        found.append(Class.forName(one ? "Sample" : "java.util.List"));
                        found.append(Class.forName("no.such.Name"));
                    } catch (ClassNotFoundException e) {
                        found.append(e.getMessage());
                    }
                    return found.toString();
                }

                public static void main(String[] args) {
                    System.out.println(named(true) + named(false));
                    int[] array = {1};
                    List<Shape> shapes = new java.util.ArrayList<>();
                    for (double y : new double[] {0.0, -0.0, Double.NaN, 1e300}) {
                        shapes.add(new Dot(3, y));
                        shapes.add(new Dot(7, y));
                    }
                    shapes.add(new Empty());
                    shapes.add(new Many(null, null));
                    shapes.add(new Many(List.of(new Empty()), "one"));
                    for (float g : new float[] {0f, -0f, Float.NaN}) {
                        for (String text : new String[] {"x", null}) {
                            shapes.add(
                                    new Every(
                                            g == 0, (byte) -3, 'c', (short) 300, -1, 1L << 40, g,
                                            2.5, text, null));
                        }
                    }
                    for (Shape left : shapes) {
                        System.out.println(left + " " + left.hashCode() + " " + left.kind());
                        StringBuilder same = new StringBuilder();
                        for (Shape right : shapes) {
                            same.append(left.equals(right) ? '1' : '0');
                        }
                        System.out.println(same + " " + left.equals(null) + left.equals("x"));
                    }
                    Every one = new Every(true, (byte) 1, 'd', (short) 2, 3, 4, 5f, 6.0, "", array);
                    Every two = new Every(true, (byte) 1, 'd', (short) 2, 3, 4, 5f, 6.0, "", array);
                    System.out.println(one.equals(two) + " " + (one.hashCode() == two.hashCode()));
                    Object[] values = {
                        null, "", "penstock", "y", 4, array, args, Color.GREEN, 1L, new Empty()
                    };
                    Arrays.stream(values).map(Sample::of).forEach(System.out::println);
                    for (String word : List.of("a", "b", "c", "long word")) {
                        System.out.println(of(word));
                    }
                }
            }
            """;

    @TempDir private Path folder;

    @Test
    void rewritten_classes_do_the_same() throws Exception {
        Path lib = Files.createDirectory(folder.resolve("lib"));
        Path jar = lib.resolve("sample.jar");
        pack(compiled(), jar);
        String before = output("-cp", jar.toString(), "Sample");
        assertThat(before).contains("Dot[x=3, y=NaN]", "far dot", "second", "no.such.Name");
        assertThat(callsOf(jar)).isNotEmpty();

        String tool = RepositoryFiles.root().resolve("tools/FastStart.java").toString();
        assertThat(output(tool, lib.toString())).isEmpty();

        assertThat(callsOf(jar)).isEmpty();
        assertThat(output("-Xverify:all", "-cp", jar.toString(), "Sample")).isEqualTo(before);
    }

    @Test
    void native_libraries_lie_beside_the_jars() throws Exception {
        Path lib = Files.createDirectories(folder.resolve("lib/own"));
        String library = System.mapLibraryName("sample_x");
        try (JarOutputStream out =
                new JarOutputStream(Files.newOutputStream(lib.resolve("native.jar")))) {
            for (String name : List.of("META-INF/native/" + library, "other/" + library + "2")) {
                out.putNextEntry(new JarEntry(name));
                out.write(name.getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        String tool = RepositoryFiles.root().resolve("tools/FastStart.java").toString();
        assertThat(output(tool, folder.resolve("lib").toString(), lib.toString())).isEmpty();
        try (Stream<Path> files = Files.list(lib.resolve("native"))) {
            assertThat(files).containsExactly(lib.resolve("native").resolve(library));
        }
        assertThat(lib.resolve("native").resolve(library)).hasContent("META-INF/native/" + library);
    }

    /** The classes of the jar that would have classes made for them at run time. */
    private static List<String> callsOf(Path jar) throws IOException {
        List<String> names = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : Collections.list(file.entries())) {
                try (InputStream in = file.getInputStream(entry)) {
                    String content = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
                    if (content.contains("typeSwitch") && content.contains("SwitchBootstraps")
                            || content.contains("ObjectMethods")) {
                        names.add(entry.getName());
                    }
                }
            }
        }
        return names;
    }

    private Path compiled() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source =
                new SimpleJavaFileObject(
                        URI.create("string:///Sample.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return PROGRAM;
                    }
                };
        List<String> options = List.of("-d", classes.toString(), "-XDstringConcat=inline");
        assertThat(compiler.getTask(null, null, null, options, null, List.of(source)).call())
                .isTrue();
        return classes;
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.list(classes)) {
            for (Path file : files.toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }

    private static String output(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
