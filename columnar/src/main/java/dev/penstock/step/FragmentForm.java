package dev.penstock.step;

/**
 * How far a fragment has come when it changes site. The order is the order of the steps: everything
 * after a form's step remains to be done by the receiver.
 */
public enum FragmentForm {
    /** Records as text ({@link RawFragment}, {@link ChunkText}); all steps remain. */
    RAW,
    /** Typed, plain columns in input order; Sort, Encode and Merge remain. */
    TYPED,
    /** Typed, plain columns in key order; Encode and Merge remain. */
    SORTED,
    /** Columns in key order, some or all of them encoded; the rest of Encode, and Merge, remain. */
    ENCODED,
    /** Several fragments merged into one in key order; only the last merge remains. */
    MERGED
}
