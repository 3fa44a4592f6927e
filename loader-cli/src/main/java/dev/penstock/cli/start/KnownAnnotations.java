package dev.penstock.cli.start;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers in the place of {@link AnnotatedElement}, which the build makes the command line parser
 * ask for the annotations of options: out of a table, if the build has made one. To read them out
 * of class files Java makes a class for each type of annotation in each process, which takes every
 * command some hundredths of a second.
 */
public final class KnownAnnotations {
    private static final Map<Class<?>, Object[]> KNOWN = new ConcurrentHashMap<>();

    private KnownAnnotations() {}

    /** As {@link AnnotatedElement#getAnnotation}. */
    public static <A extends Annotation> @Nullable A get(AnnotatedElement element, Class<A> type) {
        return switch (element) {
            case Class<?> owner -> get(element, owner, "", type);
            case Field field -> get(element, field.getDeclaringClass(), field.getName(), type);
            case Method method ->
                    get(element, method.getDeclaringClass(), method.getName() + "()", type);
            default -> element.getAnnotation(type);
        };
    }

    /** As {@link AnnotatedElement#isAnnotationPresent}. */
    public static boolean has(AnnotatedElement element, Class<? extends Annotation> type) {
        return get(element, type) != null;
    }

    /** As {@link Method#getParameterAnnotations}. */
    public static Annotation[][] ofParameters(Method method) {
        Object[] known = known(method.getDeclaringClass());
        if (named(known, method.getName() + "()").length == 0) {
            return method.getParameterAnnotations();
        }
        Annotation[][] all = new Annotation[method.getParameterCount()][];
        Arrays.setAll(all, place -> named(known, method.getName() + "(" + place + ")"));
        return all;
    }

    private static Annotation[] named(Object[] known, String name) {
        List<Annotation> named = new ArrayList<>();
        for (int i = 0; i < known.length; i += 2) {
            if (name.equals(known[i]) && known[i + 1] instanceof Annotation annotation) {
                named.add(annotation);
            }
        }
        return named.toArray(Annotation[]::new);
    }

    private static Object[] known(Class<?> owner) {
        return KNOWN.computeIfAbsent(owner, each -> AnnotationTable.of(each.getName()));
    }

    private static <A extends Annotation> @Nullable A get(
            AnnotatedElement element, Class<?> owner, String name, Class<A> type) {
        if (owner.getClassLoader() == null && type.getClassLoader() != null) {
            // Java's own classes have no other annotations than Java's.
            return null;
        }
        Object[] known = known(owner);
        if (known.length == 0) {
            return element.getAnnotation(type);
        }
        for (int i = 0; i < known.length; i += 2) {
            if (name.equals(known[i])) {
                if (!(known[i + 1] instanceof Annotation annotation)) {
                    return element.getAnnotation(type);
                }
                if (type.isInstance(annotation)) {
                    return type.cast(annotation);
                }
            }
        }
        return null;
    }
}
