package dev.penstock.cli.generate;

import static dev.penstock.cli.generate.WideValue.all;
import static dev.penstock.cli.generate.WideValue.code;
import static dev.penstock.cli.generate.WideValue.date;
import static dev.penstock.cli.generate.WideValue.decimal;
import static dev.penstock.cli.generate.WideValue.number;
import static dev.penstock.cli.generate.WideValue.oneOf;
import static dev.penstock.cli.generate.WideValue.pair;
import static dev.penstock.cli.generate.WideValue.prose;
import static dev.penstock.cli.generate.WideValue.text;
import static dev.penstock.cli.generate.WideValue.timestamp;
import static dev.penstock.cli.generate.WideValue.truth;
import static dev.penstock.cli.generate.WideValue.uuid;

import java.util.ArrayList;
import java.util.List;

/** The columns of the wide table that all lines of an invoice have in common, but for the key. */
final class InvoiceColumns {
    private final List<WideColumn> columns = new ArrayList<>();

    private InvoiceColumns() {}

    static List<WideColumn> list() {
        InvoiceColumns table = new InvoiceColumns();
        table.document();
        table.payment();
        table.customer();
        table.addresses();
        table.sales();
        table.shipping();
        return List.copyOf(table.columns);
    }

    private void document() {
        add(
                "company_code",
                "CHAR(4)",
                0,
                oneOf("1000|1010|1020|1100|1200|2000|2100|3000|3010|4000|5000|9000"));
        add(
                "business_unit",
                "VARCHAR(20)",
                0,
                oneOf("Industry|Retail|Export|Services|Medical|Public|Energy|Wholesale|Online"));
        add("cost_center", "CHAR(8)", 0, code("CC", 6, 180));
        add("profit_center", "CHAR(8)", 0, code("PC", 6, 60));
        add("ledger", "CHAR(2)", 0, oneOf("0L|1L|2L|9L"));
        add("fiscal_year", "SMALLINT", 0, number(2019, 2026));
        add("fiscal_period", "SMALLINT", 0, number(1, 12));
        add("document_type", "CHAR(2)", 0, oneOf("RV|DR|DG|KR|AB|ZP"));
        add(
                "document_status",
                "VARCHAR(12)",
                0,
                oneOf("paid|open|cleared|partial|overdue|cancelled|disputed"));
        add("invoice_date", "DATE", 0, date(0, 0));
        add("posting_date", "DATE", 0, date(0, 3));
        add("due_date", "DATE", 0, date(14, 60));
        add("created_at", "TIMESTAMP", 0, timestamp(-1, 0));
        add("created_by", "VARCHAR(16)", 0, oneOf(WideWords.USERS));
        add("changed_at", "TIMESTAMP", 35, timestamp(1, 90));
        add("changed_by", "VARCHAR(16)", 35, oneOf(WideWords.USERS));
        add("approved_at", "TIMESTAMP", 20, timestamp(0, 5));
        add("approved_by", "VARCHAR(16)", 20, oneOf(WideWords.USERS));
    }

    private void payment() {
        add("currency", "CHAR(3)", 0, oneOf(WideWords.CURRENCIES));
        add("exchange_rate", "DECIMAL(12,6)", 0, decimal(100_000, 9_000_000, 6));
        add(
                "payment_terms",
                "VARCHAR(16)",
                0,
                oneOf("net 30|net 14|net 60|2/10 net 30|3/14 net 45|prepaid|on delivery|net 90"));
        add(
                "payment_method",
                "VARCHAR(16)",
                0,
                oneOf("transfer|direct debit|credit card|cheque|cash|wallet"));
        add("payment_reference", "VARCHAR(24)", 15, code("RF", 12, 40_000_000_000L));
        add("paid_date", "DATE", 40, date(3, 75));
        add("dunning_level", "SMALLINT", 85, number(1, 4));
        add("dunning_date", "DATE", 85, date(40, 120));
        add("discount_days", "SMALLINT", 50, number(7, 21));
        add("discount_percent", "DECIMAL(5,2)", 50, decimal(50, 500, 2));
        add("bank_country", "CHAR(2)", 30, oneOf(WideWords.COUNTRIES));
        add(
                "iban",
                "VARCHAR(34)",
                45,
                all(oneOf("DE|FR|NL|ES|IT"), code("", 20, 900_000_000_000_000_000L)));
    }

    private void customer() {
        add("customer_no", "INTEGER", 0, number(100_000, 180_000));
        add("customer_name", "VARCHAR(80)", 0, pair(WideWords.COMPANIES, WideWords.TRADES));
        add(
                "customer_group",
                "VARCHAR(16)",
                0,
                oneOf("key account|dealer|end user|public sector|internal|reseller|one-time"));
        add("customer_class", "CHAR(1)", 0, oneOf("B|A|C|D"));
        add("customer_since", "DATE", 0, date(-7000, -30));
        add(
                "customer_vat_id",
                "VARCHAR(16)",
                10,
                all(oneOf("DE|FR|ATU|NL|PL|IT"), code("", 9, 60_000)));
        add("customer_language", "CHAR(2)", 0, oneOf(WideWords.LANGUAGES));
        add("contact_name", "VARCHAR(60)", 12, pair(WideWords.FIRST_NAMES, WideWords.LAST_NAMES));
        add(
                "contact_email",
                "VARCHAR(80)",
                25,
                all(
                        pair(WideWords.USERS, "@", WideWords.USERS),
                        code("-", 4, 900),
                        oneOf(".com|.de|.fr|.org|.co.uk")));
        add(
                "contact_phone",
                "VARCHAR(24)",
                30,
                all(oneOf("+49 |+1 |+33 |+44 |+31 "), code("", 10, 900_000_000)));
    }

    private void addresses() {
        add(
                "bill_to_street",
                "VARCHAR(60)",
                0,
                all(oneOf(WideWords.STREETS), text(" "), number(1, 240)));
        add("bill_to_city", "VARCHAR(40)", 0, oneOf(WideWords.CITIES));
        add("bill_to_postcode", "VARCHAR(10)", 0, code("", 5, 13_000));
        add("bill_to_region", "VARCHAR(30)", 20, oneOf(WideWords.STATES));
        add("bill_to_country", "CHAR(2)", 0, oneOf(WideWords.COUNTRIES));
        add("ship_to_name", "VARCHAR(80)", 60, pair(WideWords.COMPANIES, WideWords.TRADES));
        add(
                "ship_to_street",
                "VARCHAR(60)",
                0,
                all(oneOf(WideWords.STREETS), text(" "), number(1, 240)));
        add("ship_to_city", "VARCHAR(40)", 0, oneOf(WideWords.CITIES));
        add("ship_to_postcode", "VARCHAR(10)", 0, code("", 5, 13_000));
        add("ship_to_region", "VARCHAR(30)", 20, oneOf(WideWords.STATES));
        add("ship_to_country", "CHAR(2)", 0, oneOf(WideWords.COUNTRIES));
    }

    private void sales() {
        add("sales_org", "CHAR(4)", 0, oneOf("DE01|US01|FR01|GB01|AP01|ME01"));
        add("sales_channel", "VARCHAR(12)", 0, oneOf("direct|webshop|EDI|dealer|phone|fair|app"));
        add("sales_division", "SMALLINT", 0, number(1, 14));
        add("sales_office", "VARCHAR(20)", 5, oneOf(WideWords.CITIES));
        add("sales_rep", "VARCHAR(60)", 0, pair(WideWords.FIRST_NAMES, WideWords.LAST_NAMES));
        add("territory", "CHAR(5)", 0, code("T", 4, 320));
        add("campaign_code", "VARCHAR(12)", 70, code("CMP-", 5, 140));
        add("price_list", "VARCHAR(8)", 0, oneOf("STD|NET|EXP|VIP|PROMO|TENDER"));
        add("order_no", "BIGINT", 0, number(4_500_000_000L, 4_599_999_999L));
        add("order_date", "DATE", 0, date(-30, -1));
        add("order_type", "VARCHAR(10)", 0, oneOf("standard|rush|sample|return|credit|debit"));
        add("order_source", "VARCHAR(10)", 0, oneOf("edi|web|mail|phone|fax|visit"));
        add("customer_po", "VARCHAR(20)", 30, code("PO", 8, 9_000_000));
        add("contract_no", "VARCHAR(14)", 65, code("K-", 7, 2_500));
        add("project_no", "VARCHAR(14)", 80, code("P.", 6, 700));
        add("quote_no", "VARCHAR(14)", 75, code("Q", 9, 90_000_000));
    }

    private void shipping() {
        add("incoterms", "CHAR(3)", 8, oneOf("DAP|EXW|FCA|CIF|DDP|FOB|CPT|CIP"));
        add(
                "shipping_condition",
                "VARCHAR(12)",
                0,
                oneOf("standard|express|overnight|freight|pickup"));
        add("delivery_priority", "SMALLINT", 0, number(1, 9));
        add("carrier", "VARCHAR(20)", 10, oneOf(WideWords.CARRIERS));
        add("tracking_no", "VARCHAR(22)", 35, code("1Z", 16, 900_000_000_000_000L));
        add("freight_terms", "VARCHAR(12)", 0, oneOf("prepaid|collect|third party"));
        add("header_note", "VARCHAR(200)", 70, prose(4, 24, 180));
        add("document_uuid", "UUID", 0, uuid());
        add("tax_country", "CHAR(2)", 0, oneOf(WideWords.COUNTRIES));
        add("reverse_charge", "BOOLEAN", 0, truth(9));
        add("intercompany", "BOOLEAN", 0, truth(4));
        add("recurring", "BOOLEAN", 0, truth(22));
        add("blocked", "BOOLEAN", 5, truth(2));
        add("e_invoice", "BOOLEAN", 0, truth(64));
        add("print_count", "SMALLINT", 20, number(0, 5));
        add(
                "segment",
                "VARCHAR(16)",
                0,
                oneOf("automotive|building|retail|health|education|logistics|farming|media"));
    }

    private void add(String name, String type, int nullPercent, WideValue value) {
        columns.add(new WideColumn(name, type, true, nullPercent, value));
    }
}
