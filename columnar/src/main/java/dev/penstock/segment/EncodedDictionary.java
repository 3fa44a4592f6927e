package dev.penstock.segment;

/**
 * A dictionary as it lies in a segment, and was read once, so that the same one in another segment
 * is known without reading it.
 */
public record EncodedDictionary(int entries, byte[] bytes) {
    /** No segment has this. */
    public static final EncodedDictionary NONE = new EncodedDictionary(-2, new byte[0]);
}
