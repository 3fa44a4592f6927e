package dev.penstock.loader.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns: the first column to the left, others as asked. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final boolean[] right;

    /**
     * A table with one line of column names.
     *
     * @param alignment one letter a column, {@code l} or {@code r}
     */
    public TextTable(String alignment, String... names) {
        right = new boolean[alignment.length()];
        for (int i = 0; i < right.length; i++) {
            right[i] = alignment.charAt(i) == 'r';
        }
        row(names);
    }

    public TextTable row(String... cells) {
        if (cells.length != right.length) {
            throw new IllegalArgumentException(cells.length + " cells in " + right.length);
        }
        rows.add(List.of(cells));
        return this;
    }

    /** One line a row, none with spaces at its end. */
    public List<String> lines(String indent) {
        int[] widths = new int[right.length];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < widths.length; i++) {
                String cell = row.get(i);
                String padding = " ".repeat(widths[i] - cell.length());
                line.append(i == 0 ? "" : GAP);
                line.append(right[i] ? padding + cell : cell + padding);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
