package dev.penstock.cli.generate;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.error.PenstockException;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Writes the wide table: a first line with the names of the columns, then a row a line. NULL is an
 * empty field; a field that contains the delimiter is quoted, which with {@code |} none is. The
 * first rows do not depend on how many follow.
 */
public final class WideWriter implements TableWriter {
    /** Rows at scale 1, which are about a gigabyte. */
    public static final long ROWS_PER_SCALE = 1_000_000;

    private static final int ROWS_PER_PART = 4096;

    private final long rows;
    private final char delimiter;
    private final long seed;
    private final int threads;

    /**
     * @param delimiter between fields: an ASCII character that is no letter, digit, quote or line
     *     end
     */
    public WideWriter(long rows, char delimiter, long seed, int threads) {
        if (rows < 0 || rows > 100_000 * ROWS_PER_SCALE) {
            throw PenstockException.usage(
                    "the number of rows must be from 0 to " + 100_000 * ROWS_PER_SCALE);
        }
        if (",|;\t".indexOf(delimiter) < 0) {
            throw PenstockException.usage(
                    "--delimiter must be a comma, a semicolon, tab or |, not '" + delimiter + "'");
        }
        this.rows = rows;
        this.delimiter = delimiter;
        this.seed = seed;
        this.threads = threads;
    }

    @Override
    public String tableName() {
        return WideTable.NAME;
    }

    @Override
    public String ddl() {
        return WideTable.ddl();
    }

    @Override
    public String fileName() {
        return WideTable.NAME + ".csv";
    }

    @Override
    public Written writeTo(OutputStream out, LongConsumer progress) throws IOException {
        int parts = Math.toIntExact(Math.max(1, (rows + ROWS_PER_PART - 1) / ROWS_PER_PART));
        return new TextParts(parts, this::part).writeTo(out, threads, progress);
    }

    private TextParts.Part part(int index) {
        ByteBuilder text = new ByteBuilder(6 << 20);
        if (index == 0) {
            header(text);
        }
        long from = (long) index * ROWS_PER_PART;
        long to = Math.min(rows, from + ROWS_PER_PART);
        WideDraw draw = new WideDraw(seed);
        for (long row = from; row < to; row++) {
            draw.row(row);
            line(draw, text);
        }
        return new TextParts.Part(text, to - from);
    }

    private void header(ByteBuilder text) {
        String names =
                WideTable.all().stream()
                        .map(WideColumn::name)
                        .collect(Collectors.joining(String.valueOf(delimiter)));
        WideText.ascii(text, names);
        text.putByte('\n');
    }

    private void line(WideDraw draw, ByteBuilder text) {
        List<WideColumn> columns = WideTable.all();
        for (int i = 0; i < columns.size(); i++) {
            WideColumn column = columns.get(i);
            if (i > 0) {
                text.putByte(delimiter);
            }
            draw.column(i, column.ofInvoice());
            if (column.nullPercent() == 0 || draw.below(100) >= column.nullPercent()) {
                int start = text.length();
                column.value().append(draw, text);
                quoteIfNeeded(text, start);
            }
        }
        text.putByte('\n');
    }

    private void quoteIfNeeded(ByteBuilder text, int start) {
        int end = text.length();
        byte[] bytes = text.array();
        for (int i = start; i < end; i++) {
            if (bytes[i] == delimiter) {
                text.reserve(2);
                bytes = text.array();
                System.arraycopy(bytes, start, bytes, start + 1, end - start);
                bytes[start] = '"';
                bytes[end + 1] = '"';
                text.setLength(end + 2);
                return;
            }
        }
    }
}
