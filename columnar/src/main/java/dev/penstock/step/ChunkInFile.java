package dev.penstock.step;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.error.PenstockException;

/**
 * Where a whole chunk's text is: the third payload of {@link FragmentForm#RAW}, for a target that
 * can read the file itself.
 *
 * <pre>
 *   int     magic "PFIL"
 *   int     source index
 *   long    byte position of the text in the source
 *   int     bytes of the text
 *   long    bytes of the file
 *   string  key of the file
 *   string  path of the file
 * </pre>
 *
 * @param text what is there
 * @param path absolute
 * @param key tells the file from others that have its path
 * @param fileBytes its size
 */
public record ChunkInFile(ChunkText text, String path, String key, long fileBytes) {
    /** A text takes memory while it is read, not while it waits. */
    private static final int CREDIT_SHARE = 16;

    /** Of a short text, whose file its loader keeps open. */
    private static final int LEAST_CREDIT = 64 << 10;

    private static final int MAGIC = 0x4C494650;
    private static final String WHAT = "the place of a chunk's text";

    /** What it counts for among fragments on their way, in bytes: some may wait for their turn. */
    public int creditBytes() {
        return Math.max(LEAST_CREDIT, text.length() / CREDIT_SHARE);
    }

    /** Appends the payload. */
    public void put(ByteBuilder out) {
        out.putInt(MAGIC).putInt(text.sourceIndex()).putLong(text.position());
        out.putInt(text.length()).putLong(fileBytes).putString(key).putString(path);
    }

    /** Reads the payload; what does not fit is refused as corrupt. */
    public static ChunkInFile of(byte[] payload, int payloadLength) {
        ByteParser in = new ByteParser(payload, 0, payloadLength, WHAT);
        if (in.getInt() != MAGIC) {
            throw PenstockException.corrupt(WHAT + " does not begin as one");
        }
        int source = in.getInt();
        long position = in.getLong();
        int length = in.getInt();
        long fileBytes = in.getLong();
        boolean possible =
                source >= 0
                        && position >= 0
                        && length >= 0
                        && length <= ChunkText.MOST_BYTES
                        && position <= fileBytes - length;
        if (!possible) {
            throw PenstockException.corrupt(
                    WHAT
                            + " is byte "
                            + position
                            + " of input "
                            + source
                            + ", for "
                            + length
                            + " of "
                            + fileBytes
                            + " bytes");
        }
        String key = in.getString();
        String path = in.getString();
        in.expectEnd();
        return new ChunkInFile(new ChunkText(source, position, length), path, key, fileBytes);
    }
}
