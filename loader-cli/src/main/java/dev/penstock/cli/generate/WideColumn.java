package dev.penstock.cli.generate;

/**
 * One column of the wide table.
 *
 * @param type as SQL writes it
 * @param ofInvoice whether all lines of an invoice have the same value
 * @param nullPercent of rows without a value; 0 makes the column NOT NULL
 */
record WideColumn(String name, String type, boolean ofInvoice, int nullPercent, WideValue value) {
    String ddl() {
        return name + " " + type + (nullPercent == 0 ? " NOT NULL" : "");
    }
}
