package dev.penstock.cli.demo;

import dev.penstock.kernel.VectorModule;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Classes that commands need only after some seconds, or by chance, and that no demonstration would
 * meet: what is sent in one call because it waited, signs of life, a look for what to compact. The
 * cache that commands start from has the classes that its demonstration has loaded, and Java opens
 * and checks jar after jar for one that is missing, in the middle of a load.
 */
public final class RareClasses {
    private static final String LIST = "rare-classes.txt";
    private static final String CONNECTED_LIST = "rare-classes-connected.txt";

    private RareClasses() {}

    /**
     * Loads them, without their being initialized.
     *
     * @param connected also those of processes that talk to others, and what it takes to bring in
     *     the vector module, as servers do
     */
    public static void load(boolean connected) {
        names(LIST).forEach(RareClasses::load);
        if (connected) {
            names(CONNECTED_LIST).forEach(RareClasses::load);
            VectorModule.bringIn();
        }
    }

    private static void load(String name) {
        try {
            Class.forName(name, false, RareClasses.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("there is no class " + name + " any more", e);
        }
    }

    private static List<String> names(String list) {
        try (InputStream in = RareClasses.class.getResourceAsStream(list)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + list);
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
