package dev.penstock.jdbc;

import dev.penstock.target.AckListener;
import dev.penstock.target.ForwardingLoadTarget;
import dev.penstock.target.LoadRequest;
import dev.penstock.target.LoadSession;
import dev.penstock.target.LoadTarget;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;

/** Targets whose loads do something else in some of their calls. */
public final class ChangedSessions {
    private ChangedSessions() {}

    /** What a session does instead of, or before, one of its calls. */
    @FunctionalInterface
    public interface Instead {
        @Nullable Object call(Call real) throws Exception;
    }

    /** The call as it was meant. */
    @FunctionalInterface
    public interface Call {
        @Nullable Object run() throws Exception;
    }

    /**
     * A target that passes everything else on.
     *
     * @param instead by the names of the session's methods
     */
    public static LoadTarget of(LoadTarget target, Map<String, Instead> instead) {
        return new ForwardingLoadTarget(target) {
            @Override
            public LoadSession begin(LoadRequest request, AckListener listener) {
                LoadSession session = super.begin(request, listener);
                return (LoadSession)
                        Proxy.newProxyInstance(
                                LoadSession.class.getClassLoader(),
                                new Class<?>[] {LoadSession.class},
                                (_, method, arguments) ->
                                        instead.getOrDefault(method.getName(), Call::run)
                                                .call(() -> invoke(session, method, arguments)));
            }
        };
    }

    private static @Nullable Object invoke(
            LoadSession session, Method method, @Nullable Object @Nullable [] arguments)
            throws Exception {
        try {
            return method.invoke(session, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException thrown ? thrown : e;
        }
    }
}
