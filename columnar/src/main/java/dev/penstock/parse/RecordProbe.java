package dev.penstock.parse;

/**
 * Finds records near a place in the middle of a text, of which what comes before is not known.
 * Positions are indexes of the text. Owned by one thread.
 */
public sealed interface RecordProbe permits LineProbe, QuotedProbe {
    /** The start of a record behind {@code from} in {@code text[from, to)}; -1 if none is seen. */
    int startAfter(byte[] text, int from, int to);

    /**
     * The end of the record that starts at {@code start}, its line end included; -1 if it does not
     * end in {@code text[start, to)}.
     */
    int end(byte[] text, int start, int to);

    /** The start of the record that ends at {@code to}; -1 if none is seen. */
    int lastStart(byte[] text, int from, int to);
}
