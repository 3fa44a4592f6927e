package dev.penstock.convert;

import dev.penstock.batch.BytesColumn;
import dev.penstock.error.Counted;
import dev.penstock.kernel.CopyKernels;
import dev.penstock.kernel.ScanKernels;
import dev.penstock.reject.RejectReason;

import java.util.Arrays;

/** CHAR and VARCHAR: UTF-8 as it is, of at most so many characters. */
final class CharacterText {
    private CharacterText() {}

    /** Answers false if a value is no text, or too long. */
    static boolean convert(FieldBounds fields, BytesColumn out, int row, int maxCharacters) {
        int count = fields.count();
        out.ensureRows(row + count);
        int[] offsets = out.offsets();
        int from = offsets[row];
        int longest = fields.longest();
        makeRoom(fields, from, out);
        CopyKernels.gather(
                fields.text(),
                fields.before(),
                fields.end(),
                count,
                out.data(),
                offsets,
                row,
                fields.shortest(),
                longest);
        boolean mayBeLong = longest > maxCharacters;
        if (fields.inValidText()) {
            return !mayBeLong || fit(out.data(), offsets, row, count, maxCharacters);
        }
        if (ScanKernels.isAscii(out.data(), from, offsets[row + count])) {
            return !mayBeLong;
        }
        return isText(out.data(), offsets, row, count)
                && (!mayBeLong || fit(out.data(), offsets, row, count, maxCharacters));
    }

    /** Makes room for all values; measures them only if there might not be enough. */
    private static void makeRoom(FieldBounds fields, int from, BytesColumn out) {
        long most = (long) fields.longest() * fields.count();
        if (out.data().length - from < most + CopyKernels.SLACK) {
            long total = CopyKernels.totalLength(fields.before(), fields.end(), fields.count());
            out.ensureBytes(from + total + CopyKernels.SLACK);
        }
    }

    /** Whether all values are UTF-8. */
    private static boolean isText(byte[] data, int[] offsets, int row, int count) {
        if (Utf8.firstInvalid(data, offsets[row], offsets[row + count]) >= 0) {
            return false;
        }
        for (int i = row; i < row + count; i++) {
            boolean empty = offsets[i] == offsets[i + 1];
            if (!empty && Utf8.isContinuation(data[offsets[i]])) {
                return false;
            }
        }
        return true;
    }

    /** Whether all values, which are UTF-8, have at most so many characters. */
    private static boolean fit(byte[] data, int[] offsets, int row, int count, int maxCharacters) {
        for (int i = row; i < row + count; i++) {
            if (offsets[i + 1] - offsets[i] > maxCharacters
                    && Utf8.characters(data, offsets[i], offsets[i + 1]) > maxCharacters) {
                return false;
            }
        }
        return true;
    }

    static Parsed parse(int maxCharacters, byte[] text, int from, int length) {
        int invalid = Utf8.firstInvalid(text, from, from + length);
        if (invalid >= 0) {
            return new Parsed.Invalid(
                    RejectReason.INVALID_UTF8,
                    String.format(
                            "text in UTF-8; byte 0x%02X at offset %d of the field is not;"
                                    + " convert the file, for example with iconv -t UTF-8",
                            text[invalid], invalid - from));
        }
        int characters = Utf8.characters(text, from, from + length);
        if (characters > maxCharacters) {
            return new Parsed.Invalid(
                    RejectReason.TOO_LONG,
                    "at most " + Counted.of(maxCharacters, "character") + ", found " + characters);
        }
        return new Parsed.BytesValue(Arrays.copyOfRange(text, from, from + length));
    }
}
