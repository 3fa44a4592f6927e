package dev.penstock.loader.file;

import dev.penstock.error.PenstockException;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files that a loader of text is given by mistake, told by their first bytes; without this they
 * would be refused as text with strange records.
 */
public enum NotText {
    UTF_16("UTF-16 text", "\u00FE\u00FF", 0, "iconv -f UTF-16 -t UTF-8 FILE"),
    UTF_32_LITTLE("UTF-32 text", "\u00FF\u00FE\0\0", 0, "iconv -f UTF-32 -t UTF-8 FILE"),
    UTF_16_LITTLE("UTF-16 text", "\u00FF\u00FE", 0, "iconv -f UTF-16 -t UTF-8 FILE"),
    UTF_32("UTF-32 text", "\0\0\u00FE\u00FF", 0, "iconv -f UTF-32 -t UTF-8 FILE"),
    BZIP2("compressed with bzip2", "1AY&SY", 4, "bzip2 -dc FILE"),
    XZ("compressed with xz", "\u00FD7zXZ\0", 0, "xz -dc FILE"),
    LZ4("compressed with lz4", "\u0004\"M\u0018", 0, "lz4 -dc FILE"),
    SNAPPY("compressed with snappy", "\u00FF\u0006\0\0sNaPpY", 0, "snzip -dc FILE"),
    ZIP("a zip archive", "PK\u0003\u0004", 0, "unzip -p FILE"),
    SEVEN_ZIP("a 7z archive", "7z\u00BC\u00AF'\u001C", 0, "7z x -so FILE"),
    TAR("a tar archive", "ustar", 257, "tar -xOf FILE"),
    PARQUET("a Parquet file", "PAR1\u0015", 0, ""),
    ORC("an ORC file", "ORC", 0, ""),
    AVRO("an Avro file", "Obj\u0001", 0, ""),
    ARROW("an Arrow file", "ARROW1\0\0", 0, ""),
    PDF("a PDF document", "%PDF-1.", 0, "");

    /** Readable marks that a text might begin with too; such files have zero bytes close to it. */
    private static final Set<NotText> NEED_ZEROS = EnumSet.of(TAR, ORC);

    /**
     * How close: the length of a tar header, and more than is before a zero in ORC's first stream.
     */
    private static final int CLOSE_BYTES = 512;

    /** So much is looked at for zeros between letters, as there may be very many inputs. */
    private static final int LOOKED_AT_BYTES = 4 << 10;

    private final String what;

    /** Every char is a byte. */
    private final String magic;

    private final int position;
    private final String converter;

    NotText(String what, String magic, int position, String converter) {
        this.what = what;
        this.magic = magic;
        this.position = position;
        this.converter = converter;
    }

    /**
     * Refuses an input that is no UTF-8 text.
     *
     * @param head its first bytes, after decompression
     * @throws PenstockException of category {@code USAGE}, with what it is and what makes text of
     *     it
     */
    public static void refuse(String name, byte[] head) {
        for (NotText kind : values()) {
            if (kind.begins(head) && (!NEED_ZEROS.contains(kind) || hasZeroClose(head))) {
                throw PenstockException.usage(kind.message(name));
            }
        }
        String unmarked = unmarked(head);
        if (!unmarked.isEmpty()) {
            throw PenstockException.usage(
                    name
                            + " looks like UTF-16 text; Penstock reads UTF-8. Convert it first, for"
                            + " example with: iconv -f "
                            + unmarked
                            + " -t UTF-8 FILE");
        }
    }

    private boolean begins(byte[] head) {
        if (head.length < position + magic.length()) {
            return false;
        }
        for (int i = 0; i < magic.length(); i++) {
            if ((head[position + i] & 0xFF) != magic.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasZeroClose(byte[] head) {
        for (int i = 0; i < Math.min(head.length, CLOSE_BYTES); i++) {
            if (head[i] == 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether an input that begins so might be refused, depending on what follows. */
    public static boolean mayBegin(byte[] start) {
        return Stream.of(values()).anyMatch(kind -> kind.begins(start))
                || !unmarked(start).isEmpty();
    }

    private String message(String name) {
        String reads = "; Penstock reads delimited UTF-8 text, also compressed with gzip or zstd";
        String advice =
                converter.isEmpty()
                        ? ". Export it as CSV first"
                        : ". Make text of it first, for example with: " + converter;
        return name + " is " + what + reads + advice;
    }

    /** The name of the encoding if half of the bytes, every other one, are zero; else empty. */
    private static String unmarked(byte[] head) {
        int pairs = Math.min(head.length, LOOKED_AT_BYTES) / 2;
        int[] zeros = new int[2];
        for (int i = 0; i < 2 * pairs; i++) {
            if (head[i] == 0) {
                zeros[i & 1]++;
            }
        }
        if (pairs == 0 || Math.max(zeros[0], zeros[1]) < (pairs + 1) / 2) {
            return "";
        }
        return zeros[0] == 0 ? "UTF-16LE" : zeros[1] == 0 ? "UTF-16BE" : "";
    }
}
