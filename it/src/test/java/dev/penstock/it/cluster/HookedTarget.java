package dev.penstock.it.cluster;

import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A target of loads that tells when a load is about to be published. */
final class HookedTarget {
    private HookedTarget() {}

    /** The hook may throw, which is as if publishing had failed. */
    static LoadTarget before(LoadTarget target, Runnable publishing) {
        return wrapped(
                LoadTarget.class,
                target,
                (name, result) ->
                        result instanceof LoadSession session && name.equals("begin")
                                ? session(session, publishing)
                                : result,
                name -> {});
    }

    private static LoadSession session(LoadSession session, Runnable publishing) {
        return wrapped(
                LoadSession.class,
                session,
                (name, result) -> result,
                name -> {
                    if (name.equals("publish")) {
                        publishing.run();
                    }
                });
    }

    private interface After {
        Object of(String method, Object result);
    }

    private interface Before {
        void call(String method);
    }

    private static <T> T wrapped(Class<T> type, T inner, After after, Before before) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            before.call(method.getName());
                            try {
                                Object result = method.invoke(inner, arguments);
                                return after.of(method.getName(), result);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }));
    }
}
