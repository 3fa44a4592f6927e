package dev.penstock.cli.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A table as business systems export them: the lines of invoices with all that is known about each,
 * in 155 columns. Most are codes, names and states with few distinct values; there are dates,
 * amounts, numbers that occur once, free text beyond ASCII, and columns that are mostly NULL. What
 * belongs to an invoice is the same in its lines, and lines come in the order of the key.
 */
final class WideTable {
    static final String NAME = "wide";

    private static final int INVOICES_APART = 3;

    private static final List<WideColumn> COLUMNS = columns();

    private WideTable() {}

    /** In the order of the fields. */
    static List<WideColumn> all() {
        return COLUMNS;
    }

    static String ddl() {
        return COLUMNS.stream()
                .map(column -> "  " + column.ddl() + ",\n")
                .collect(
                        Collectors.joining(
                                "",
                                "CREATE TABLE " + NAME + " (\n",
                                "  PRIMARY KEY (invoice_no, line_no)\n)\n"));
    }

    private static List<WideColumn> columns() {
        List<WideColumn> columns = new ArrayList<>();
        columns.add(
                new WideColumn(
                        "invoice_no",
                        "BIGINT",
                        true,
                        0,
                        (draw, out) -> {
                            long number =
                                    draw.invoice() * INVOICES_APART + draw.below(INVOICES_APART);
                            WideText.number(out, 9_000_000_000L + number);
                        }));
        columns.add(
                new WideColumn(
                        "line_no",
                        "SMALLINT",
                        false,
                        0,
                        (draw, out) -> WideText.number(out, 10L * draw.line())));
        columns.addAll(InvoiceColumns.list());
        columns.addAll(LineColumns.list());
        return List.copyOf(columns);
    }
}
