package dev.penstock.error;

/** A number of things in a message: {@code 1 row}, {@code 2 rows}. */
public final class Counted {
    private Counted() {}

    /**
     * @param one what one of them is called
     */
    public static String of(long count, String one) {
        return count + " " + noun(count, one);
    }

    /** What so many of them are called, for those who write the number in their own way. */
    public static String noun(long count, String one) {
        return count == 1 ? one : one + (one.endsWith("s") ? "es" : "s");
    }

    /** What they do, after the noun. */
    public static String verb(long count, String one, String many) {
        return count == 1 ? one : many;
    }
}
