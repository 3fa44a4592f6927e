package dev.penstock.cli;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * Ctrl-C and polite kills of a process that is ending already, of which Java takes no notice. They
 * are taken by the JDK's own interface, which only its module {@code jdk.unsupported} has; the
 * compiler warns of it without a way to say that it is meant, so it is called by name.
 */
final class LaterSignals {
    private LaterSignals() {}

    /**
     * From now on each calls an action, in a thread of its own, with the exit code of a process
     * that the signal ends. What this process was started to ignore stays ignored.
     *
     * @return whether that can be done
     */
    static boolean take(IntConsumer action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method number = signal.getMethod("getNumber");
            Object taking =
                    Proxy.newProxyInstance(
                            LaterSignals.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (_, _, arguments) -> {
                                action.accept(128 + (int) number.invoke(arguments[0]));
                                return null;
                            });
            Method handle = signal.getMethod("handle", signal, handler);
            for (String name : new String[] {"INT", "TERM"}) {
                handle.invoke(null, signal.getConstructor(String.class).newInstance(name), taking);
            }
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }
}
