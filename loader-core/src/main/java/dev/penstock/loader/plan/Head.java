package dev.penstock.loader.plan;

import dev.penstock.dialect.Dialect;
import dev.penstock.kernel.ScanKernels;
import dev.penstock.loader.file.FirstRecords;
import dev.penstock.loader.file.InputFile;
import dev.penstock.loader.file.Inputs;
import dev.penstock.loader.file.NotText;

import java.util.List;

/**
 * The first bytes of one input.
 *
 * @param mark bytes of the byte-order mark
 */
record Head(InputFile file, byte[] bytes, int mark) {
    static Head read(Inputs inputs, InputFile file) {
        byte[] bytes = inputs.head(file.index(), DialectChooser.HEAD_BYTES);
        NotText.refuse(file.name(), bytes);
        return new Head(file, bytes, startsWith(bytes, 0xEF, 0xBB, 0xBF) ? 3 : 0);
    }

    private static boolean startsWith(byte[] bytes, int... mark) {
        if (bytes.length < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if (bytes[i] != (byte) mark[i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether there is no record in it, but perhaps comments and empty lines. */
    boolean isEmpty(Dialect dialect) {
        return isWhole() && records(dialect, mark, 1).isEmpty();
    }

    private boolean isWhole() {
        return bytes.length < DialectChooser.HEAD_BYTES;
    }

    /**
     * Whether there are carriage returns, but no line feed that could end a record: those in quoted
     * fields do not.
     */
    boolean endsLinesWithLoneReturns(Dialect dialect) {
        int firstReturn = ScanKernels.indexOf(bytes, 0, bytes.length, (byte) '\r');
        if (firstReturn == bytes.length) {
            return false;
        }
        if (!hasFeed(0)) {
            return true;
        }
        boolean lone = false;
        for (int i = firstReturn; i < bytes.length; i++) {
            lone |= bytes[i] == '\r' && (i + 1 == bytes.length || bytes[i + 1] != '\n');
        }
        return lone && dialect.quoted() && !endsRecordsWithFeeds(dialect);
    }

    /**
     * Reads on as if lone returns ended records, too, until a record ends with a line feed. A field
     * that does not close its quote before the text ends may hide such an end: it is no field then,
     * but the rest of a record that has a return in it. After several records it is a field.
     */
    private boolean endsRecordsWithFeeds(Dialect dialect) {
        Dialect anyNewline = dialect.withNewline(Dialect.Newline.ANY);
        FirstRecords records = new FirstRecords(anyNewline, bytes, mark);
        int endedByReturns = 0;
        int from = mark;
        List<FirstRecords.SplitRecord> next = records.next(1, false);
        while (!next.isEmpty()) {
            from = next.getFirst().end();
            if (bytes[from - 1] == '\n') {
                return true;
            }
            endedByReturns++;
            next = records.next(1, false);
        }
        return endedByReturns == 0
                || endedByReturns == 1 && records.stoppedInQuotes() && hasFeed(from);
    }

    private boolean hasFeed(int from) {
        return ScanKernels.indexOf(bytes, from, bytes.length, (byte) '\n') < bytes.length;
    }

    /** Up to {@code count} whole records from {@code from} on. */
    List<FirstRecords.SplitRecord> records(Dialect dialect, int from, int count) {
        return new FirstRecords(dialect, bytes, from).next(count, isWhole());
    }
}
