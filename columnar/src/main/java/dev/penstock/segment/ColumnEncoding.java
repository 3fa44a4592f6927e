package dev.penstock.segment;

import java.util.Locale;

/** How a column of a segment is stored, summed up over its blocks. */
public enum ColumnEncoding {
    /** Values as they are. */
    PLAIN,
    /** At least one block holds bit-packed distances from its smallest value, scaled or not. */
    PACKED,
    /** Bit-packed codes into one dictionary of the segment. */
    DICTIONARY,
    /** At least one block of byte strings is LZ4-compressed. */
    COMPRESSED,
    /** At least one block of byte strings holds codes of words. */
    TOKENS;

    /** The word for reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
