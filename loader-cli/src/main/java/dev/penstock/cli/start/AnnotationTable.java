package dev.penstock.cli.start;

/**
 * The command line parser's annotations of each class, as objects. As it stands it knows none: the
 * build writes the body of {@link #of} from the annotations of the classes that it has compiled
 * ({@code tools/OptionTables.java}).
 */
final class AnnotationTable {
    private AnnotationTable() {}

    /**
     * By pairs, the name of an annotated field and one of its annotations. The name is empty for
     * those of the class itself; of a method it ends with parentheses, and of a parameter has its
     * number from 0 within them. Those of a method whose name is another's too are not known: then
     * the pair is the method's name, and an empty string. Nothing for a class that is not in the
     * table.
     */
    static Object[] of(String className) {
        return new Object[0];
    }
}
