package dev.penstock.segment;

import dev.penstock.schema.Column;
import dev.penstock.schema.KeyColumn;
import dev.penstock.schema.TableSchema;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * The layout of a segment, the one form in which rows are stored and travel. All numbers are
 * little-endian; a segment has no options, and nothing in it is optional but what a count says.
 *
 * <pre>
 *  header, 40 bytes      0 magic:8 | 8 version:4 | 12 flags:4 | 16 identity:16 | 32 ordinal:4
 *                        | 36 CRC32C of the 36 bytes before:4
 *  blocks                one after the other, in the order in which they were written
 *  dictionaries          of the columns that have one, and token tables
 *  footer                see below; describes and locates all of the above
 *  trailer, 32 bytes     0 footer offset:8 | 8 footer length:4 | 12 CRC32C of the footer:4
 *                        | 16 version:4 | 20 CRC32C of the 20 bytes before:4 | 24 ~magic:8
 * </pre>
 *
 * <p>The footer:
 *
 * <pre>
 *  schema fingerprint:8 | row count:8 | block count:4 | rows of each block:4 each
 *  for each column:
 *    encoding:1 | flags:1 (1 = dictionary overflowed, 2 = has min, 4 = has max,
 *    8 = encoded as far as worth it, 16 = blocks of tokens)
 *    | null count:8 | stored bytes:8 | longest byte string:4
 *    | min | max                       LONG: 8 bytes; BYTES: length:4, bytes
 *    | dictionary entries:4 (-1 = none) and if there is one: offset:8 | length:4 | CRC32C:4
 *    | if there are blocks of tokens: table's fingerprint:8 | offset:8 (0 = it is not in the
 *      segment) | length:4 | CRC32C:4
 *    | for each block: block encoding:1 | offset:8 | length:4 | CRC32C:4 | null count:4
 *      | min:8 | max:8                 LONG: values, dictionary: codes,
 *                                      BYTES: first 8 bytes ({@code ByteStrings.orderedHead})
 *  key index: entry count:4, then for each: key length:4, key
 *             (key of each block's rows 0, 1024, 2048, ..., and of the segment's last row)
 * </pre>
 *
 * <p>A block holds the rows of one column in the same numbered range of rows for all columns: at
 * most {@link #BLOCK_ROWS}, and fewer where the byte strings of all columns would exceed {@link
 * #BLOCK_BYTES}, where a merge takes blocks of its runs as they are, and where rows are shared out
 * evenly. Its bytes, where values are those of the rows that are not NULL:
 *
 * <pre>
 *  if it has values and NULLs: validity words, 8 * ceil(rows / 64), bits beyond the rows 0
 *  PLAIN_1, _2, _4, _8   values * 1, 2, 4 or 8 bytes, signed
 *  PACKED                smallest value:8 | bits:1 | packed distances from it
 *  MULTIPLES             exponent of two:1 | exponent of five:1 | smallest quotient:8 | bits:1
 *                        | packed distances from it: values are quotients times both powers
 *  DECIMALS              places:1 | flags:1 (1 = rounded to floats) | smallest number:8 | bits:1
 *                        | packed distances from it: REAL and DOUBLE that are whole numbers
 *                        divided by 10^places
 *  CODES                 bits:1 | packed codes
 *  BYTES                 shortest:4 | bits:1 | packed lengths beyond it | byte count:4 | bytes
 *  LZ4                   shortest:4 | bits:1 | packed lengths beyond it | byte count:4
 *                        | compressed length:4 | an LZ4 block
 *  TOKENS                fewest codes:4 | bits:1 | packed numbers of codes beyond it
 *                        | code count:4 | bits:1 | packed codes
 * </pre>
 *
 * "packed" is the bit stream of {@link dev.penstock.kernel.BitPacking}. A dictionary is laid out as
 * a PACKED or BYTES block of its entries in ascending order, without NULLs. A token table is laid
 * out as {@link dev.penstock.dict.TokenTable#write} says; the bounds of its blocks are heads too,
 * but not tight. The segments of a load in transfer leave the table out: both ends know it.
 *
 * <p>Every CRC32C of a block begins with column:4 | block number:4 (-1 for the dictionary, -2 for
 * the token table), so that a block read from the wrong place does not pass. All but the header is
 * a function of the rows, so two loads of the same rows differ in the header only.
 */
public final class SegmentFormat {
    /** Most rows of a block. */
    public static final int BLOCK_ROWS = 8192;

    /** Most bytes of byte strings of a block, all columns together, unless it has one row only. */
    public static final int BLOCK_BYTES = 32 << 20;

    /** Rows of each segment of a merge but the last. */
    public static final long MAX_SEGMENT_ROWS = 4L << 20;

    /** Rows between two entries of the key index. */
    public static final int KEY_INDEX_ROWS = 1024;

    static final long MAGIC = 0x4745534B54534E50L; // "PNSTKSEG"
    static final int VERSION = 3;

    /** The oldest version that can be read: it has no MULTIPLES and no DECIMALS. */
    static final int OLDEST_VERSION = 2;

    static final int FLAG_SORTED = 1;
    static final int HEADER_BYTES = 40;
    static final int TRAILER_BYTES = 32;

    /** Bytes of the footer for one block of one column. */
    static final int BLOCK_REFERENCE_BYTES = 1 + 8 + 4 + 4 + 4 + 8 + 8;

    static final int COLUMN_OVERFLOWED = 1;
    static final int COLUMN_HAS_MIN = 2;
    static final int COLUMN_HAS_MAX = 4;
    static final int COLUMN_COMPLETE = 8;
    static final int COLUMN_HAS_TOKENS = 16;

    static final byte BLOCK_PLAIN_1 = 1;
    static final byte BLOCK_PLAIN_2 = 2;
    static final byte BLOCK_PLAIN_4 = 3;
    static final byte BLOCK_PLAIN_8 = 4;
    static final byte BLOCK_PACKED = 5;
    static final byte BLOCK_CODES = 6;
    static final byte BLOCK_BYTES_PLAIN = 7;
    static final byte BLOCK_BYTES_LZ4 = 8;
    static final byte BLOCK_TOKENS = 9;
    static final byte BLOCK_MULTIPLES = 10;
    static final byte BLOCK_DECIMALS = 11;

    /** Most codes of a block of tokens. */
    static final int BLOCK_CODE_LIMIT = 1 << 20;

    /** Block number of a dictionary in checksums. */
    static final int DICTIONARY_BLOCK = -1;

    /** Block number of a token table in checksums. */
    static final int TOKENS_BLOCK = -2;

    /** Of the last schema, since it is asked for with every segment, mostly of the same table. */
    private static volatile @Nullable Fingerprint last;

    private record Fingerprint(List<Column> columns, List<KeyColumn> key, long value) {}

    private SegmentFormat() {}

    /** Most bytes of byte strings of a block of so many rows. */
    static int mostBytes(int rows) {
        return rows > 1 ? BLOCK_BYTES : Integer.MAX_VALUE;
    }

    /** A hash of all that decides how rows are laid out and ordered: FNV-1a over the columns. */
    static long fingerprint(TableSchema schema) {
        Fingerprint known = last;
        if (known == null
                || !known.columns.equals(schema.columns())
                || !known.key.equals(schema.key())) {
            known = new Fingerprint(schema.columns(), schema.key(), hash(schema));
            last = known;
        }
        return known.value;
    }

    private static long hash(TableSchema schema) {
        StringBuilder text = new StringBuilder();
        for (Column column : schema.columns()) {
            text.append(column.name().toLowerCase(Locale.ROOT)).append('\n');
            text.append(column.type().sql()).append(column.nullable() ? "?\n" : "\n");
        }
        for (KeyColumn part : schema.key()) {
            text.append(part.columnIndex()).append(part.descending() ? "-\n" : "+\n");
        }
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return hash;
    }
}
