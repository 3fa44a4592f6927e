package dev.penstock.cli;

import dev.penstock.kv.ddl.Ddl;
import dev.penstock.kv.node.NodeOptions;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Field;
import java.util.List;
import java.util.UUID;

/**
 * Reaches, beside the parsing of a load's command line, what the load will reach first afterwards:
 * Java initializes classes where they are first used, and a tenth of a second of that would
 * otherwise come one after the other while a processor idles. Changes nothing but what is
 * initialized; without it everything happens all the same, later.
 *
 * <p>The command awaits the end before it uses anything of what is reached here: two threads that
 * initialize classes of one library in different orders could wait for each other for ever.
 */
final class HeadStart implements Runnable {
    /** What is annotated with all that options of a load are annotated with. */
    private static final List<Class<?>> ANNOTATED =
            List.of(LoadArguments.class, StoreOptions.class);

    /** Null if the command has none. */
    private static volatile @Nullable Thread running;

    private HeadStart() {}

    /** Begins, in a thread of its own, if the command is one that loads. */
    static void begin(String... args) {
        if (args.length > 1 && args[0].equals("load")) {
            Thread thread = new Thread(new HeadStart(), "penstock-head-start");
            thread.setDaemon(true);
            running = thread;
            thread.start();
        }
    }

    /** Waits until what {@link #begin} began is over; an interrupt ends the waiting. */
    static void await() {
        Thread thread = running;
        if (thread == null) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        for (Class<?> type : ANNOTATED) {
            for (Field field : type.getDeclaredFields()) {
                field.getAnnotations();
            }
        }
        Ddl.parseCreateTable("CREATE TABLE t (k INTEGER NOT NULL, PRIMARY KEY (k))");
        NodeOptions.defaults();
        UUID.randomUUID();
    }
}
