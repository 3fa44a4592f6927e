package dev.penstock.cli.start;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
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
    private static final Map<Class<?>, KnownClass> KNOWN = new ConcurrentHashMap<>();

    private KnownAnnotations() {}

    /** As {@link AnnotatedElement#getAnnotation}. */
    public static <A extends Annotation> @Nullable A get(AnnotatedElement element, Class<A> type) {
        Class<?> owner = owner(element);
        if (owner.getClassLoader() == null && type.getClassLoader() != null) {
            // Java's own classes have no other annotations than Java's.
            return null;
        }
        KnownClass known = known(owner);
        if (known.isUnknown()) {
            return element.getAnnotation(type);
        }
        return switch (element) {
            case Class<?> _ -> find(known.own(), type);
            case Field field -> find(known.ofField(field.getName()), type);
            case Method method when !known.isUnknown(method.getName()) ->
                    find(known.ofMethod(method.getName()), type);
            default -> element.getAnnotation(type);
        };
    }

    /** The class that an element is or is declared by; else one that no table knows. */
    private static Class<?> owner(AnnotatedElement element) {
        return switch (element) {
            case Class<?> self -> self;
            case Member member -> member.getDeclaringClass();
            default -> KnownAnnotations.class;
        };
    }

    private static <A extends Annotation> @Nullable A find(List<Annotation> all, Class<A> type) {
        for (int i = 0; i < all.size(); i++) {
            if (type.isInstance(all.get(i))) {
                return type.cast(all.get(i));
            }
        }
        return null;
    }

    /** As {@link AnnotatedElement#isAnnotationPresent}. */
    public static boolean has(AnnotatedElement element, Class<? extends Annotation> type) {
        return get(element, type) != null;
    }

    /** As {@link Method#getParameterAnnotations}. */
    public static Annotation[][] ofParameters(Method method) {
        KnownClass known = known(method.getDeclaringClass());
        String name = method.getName();
        if (known.ofMethod(name).isEmpty()) {
            return method.getParameterAnnotations();
        }
        Annotation[][] all = new Annotation[method.getParameterCount()][];
        for (int i = 0; i < all.length; i++) {
            all[i] = known.ofParameter(name, i).toArray(Annotation[]::new);
        }
        return all;
    }

    private static KnownClass known(Class<?> owner) {
        KnownClass known = KNOWN.get(owner);
        return known != null
                ? known
                : KNOWN.computeIfAbsent(
                        owner, each -> new KnownClass(AnnotationTable.of(each.getName())));
    }
}
