package dev.penstock.cli.start;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the table says of one class. The parser asks for each member some ten times. */
final class KnownClass {
    private final Map<String, List<Annotation>> fields = new HashMap<>();
    private final Map<String, List<Annotation>> methods = new HashMap<>();

    /** By name and number. */
    private final Map<String, List<Annotation>> parameters = new HashMap<>();

    private final Set<String> unknownMethods = new HashSet<>();
    private final boolean isUnknown;

    /**
     * @param pairs as of {@link AnnotationTable#of}
     */
    KnownClass(Object[] pairs) {
        isUnknown = pairs.length == 0;
        for (int i = 0; i < pairs.length; i += 2) {
            add((String) pairs[i], pairs[i + 1]);
        }
    }

    private void add(String name, Object annotation) {
        boolean isMethod = name.endsWith("()");
        String key = isMethod ? name.substring(0, name.length() - 2) : name;
        if (annotation instanceof Annotation known) {
            Map<String, List<Annotation>> kind = isMethod ? methods : fields;
            if (!isMethod && name.endsWith(")")) {
                kind = parameters;
            }
            kind.computeIfAbsent(key, each -> new ArrayList<>(2)).add(known);
        } else {
            unknownMethods.add(key);
        }
    }

    /** Whether Java has to be asked for all of it. */
    boolean isUnknown() {
        return isUnknown;
    }

    boolean isUnknown(String method) {
        return isUnknown || unknownMethods.contains(method);
    }

    List<Annotation> own() {
        return ofField("");
    }

    List<Annotation> ofField(String name) {
        return fields.getOrDefault(name, List.of());
    }

    List<Annotation> ofMethod(String name) {
        return methods.getOrDefault(name, List.of());
    }

    List<Annotation> ofParameter(String method, int number) {
        return parameters.getOrDefault(method + "(" + number + ")", List.of());
    }
}
