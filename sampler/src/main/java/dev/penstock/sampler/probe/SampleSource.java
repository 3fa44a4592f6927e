package dev.penstock.sampler.probe;

/** An input as the sampler sees it. Used by one thread. */
public interface SampleSource {
    String name();

    /** Position of the first record: after a byte-order mark and a header. */
    long dataStart();

    /**
     * Bytes in all. For a source that is not {@link #seekable}, an estimate that says how much of
     * the sample it should give.
     */
    long size();

    /** Whether any position can be read; otherwise only ascending positions without gaps. */
    boolean seekable();

    /**
     * Reads up to {@code length} bytes; fewer only at the end of the source.
     *
     * @return bytes read, 0 at the end
     */
    int read(long position, byte[] target, int offset, int length);
}
