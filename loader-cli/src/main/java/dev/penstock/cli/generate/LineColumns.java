package dev.penstock.cli.generate;

import static dev.penstock.cli.generate.WideValue.all;
import static dev.penstock.cli.generate.WideValue.code;
import static dev.penstock.cli.generate.WideValue.date;
import static dev.penstock.cli.generate.WideValue.decimal;
import static dev.penstock.cli.generate.WideValue.hex;
import static dev.penstock.cli.generate.WideValue.number;
import static dev.penstock.cli.generate.WideValue.oneOf;
import static dev.penstock.cli.generate.WideValue.pair;
import static dev.penstock.cli.generate.WideValue.prose;
import static dev.penstock.cli.generate.WideValue.text;
import static dev.penstock.cli.generate.WideValue.time;
import static dev.penstock.cli.generate.WideValue.timestamp;
import static dev.penstock.cli.generate.WideValue.truth;

import java.util.ArrayList;
import java.util.List;

/** The columns of the wide table that each line of an invoice has for itself, but for the key. */
final class LineColumns {
    private final List<WideColumn> columns = new ArrayList<>();

    private LineColumns() {}

    static List<WideColumn> list() {
        LineColumns table = new LineColumns();
        table.item();
        table.amounts();
        table.accounting();
        table.logistics();
        table.state();
        return List.copyOf(table.columns);
    }

    private void item() {
        add("item_no", "VARCHAR(18)", 0, code("ART-", 8, 50_000));
        add(
                "item_name",
                "VARCHAR(80)",
                0,
                all(pair(WideWords.ADJECTIVES, WideWords.SUBCATEGORIES), code(" ", 3, 120)));
        add("item_category", "VARCHAR(20)", 0, oneOf(WideWords.CATEGORIES));
        add("item_subcategory", "VARCHAR(20)", 0, oneOf(WideWords.SUBCATEGORIES));
        add("item_group", "CHAR(6)", 0, code("G", 5, 420));
        add("item_type", "CHAR(4)", 0, oneOf("FERT|HAWA|ROH|DIEN|VERP|ERSA"));
        add("brand", "VARCHAR(20)", 0, oneOf(WideWords.BRANDS));
        add("manufacturer", "VARCHAR(80)", 15, pair(WideWords.COMPANIES, WideWords.TRADES));
        add("manufacturer_part", "VARCHAR(24)", 40, all(hex(6), code("-", 4, 1_300)));
        add("ean", "CHAR(13)", 10, code("40", 11, 8_000_000_000L));
        add("color", "VARCHAR(16)", 45, oneOf(WideWords.COLORS));
        add("size", "VARCHAR(8)", 50, oneOf("M|L|S|XL|XXL|XS|10x20|30x40|50x70|one size"));
        add("material", "VARCHAR(20)", 55, oneOf(WideWords.MATERIALS));
        add("hazard_class", "VARCHAR(6)", 90, oneOf("3|8|9|2.1|2.2|6.1|4.1|5.1"));
        add("origin_country", "CHAR(2)", 5, oneOf(WideWords.COUNTRIES));
        add("tariff_code", "CHAR(8)", 12, code("", 8, 3_100));
    }

    private void amounts() {
        add("unit", "CHAR(3)", 0, oneOf(WideWords.UNITS));
        add("price_unit", "SMALLINT", 0, oneOf("1|10|100|1000"));
        add("quantity", "DECIMAL(13,3)", 0, decimal(1_000, 250_000, 3));
        add("quantity_delivered", "DECIMAL(13,3)", 8, decimal(0, 250_000, 3));
        add("quantity_returned", "DECIMAL(13,3)", 90, decimal(1_000, 20_000, 3));
        add("list_price", "DECIMAL(13,4)", 0, decimal(1_000, 48_000_000, 4));
        add("net_price", "DECIMAL(13,4)", 0, decimal(900, 42_000_000, 4));
        add("line_net", "DECIMAL(15,2)", 0, decimal(100, 950_000_00, 2));
        add("line_tax", "DECIMAL(15,2)", 0, decimal(0, 180_000_00, 2));
        add("line_gross", "DECIMAL(15,2)", 0, decimal(100, 1_130_000_00, 2));
        add("line_net_local", "DECIMAL(15,2)", 0, decimal(100, 950_000_00, 2));
        add("cost_price", "DECIMAL(13,4)", 6, decimal(500, 30_000_000, 4));
        add("margin_percent", "DECIMAL(7,3)", 6, decimal(-12_000, 78_000, 3));
        add("discount1_percent", "DECIMAL(5,2)", 30, decimal(0, 4_000, 2));
        add("discount2_percent", "DECIMAL(5,2)", 75, decimal(0, 1_500, 2));
        add("surcharge", "DECIMAL(11,2)", 80, decimal(50, 90_000, 2));
        add("rebate_percent", "DECIMAL(5,2)", 60, decimal(0, 900, 2));
        add("commission_percent", "DECIMAL(5,2)", 40, decimal(0, 1_200, 2));
    }

    private void accounting() {
        add("tax_code", "CHAR(2)", 0, oneOf("A1|A2|V0|V1|E5|X9"));
        add(
                "tax_percent",
                "DECIMAL(5,2)",
                0,
                oneOf("19.00|20.00|7.00|0.00|21.00|25.00|23.00|10.00|5.50"));
        add(
                "tax_exempt_reason",
                "VARCHAR(24)",
                88,
                oneOf("export|intra-community|medical|education|diplomatic"));
        add("account", "INTEGER", 0, number(400_000, 400_320));
        add("counter_account", "INTEGER", 20, number(140_000, 140_900));
        add("cost_object", "VARCHAR(12)", 50, code("OBJ", 7, 9_000));
    }

    private void logistics() {
        add("warehouse", "CHAR(4)", 0, oneOf("W001|W002|W010|W020|W050|W100|W200|W900"));
        add("storage_location", "CHAR(4)", 0, code("", 4, 90));
        add("bin", "VARCHAR(12)", 25, all(code("A", 2, 14), code("-", 3, 40), code("-", 2, 9)));
        add("batch_no", "VARCHAR(14)", 60, code("B", 9, 40_000_000));
        add("serial_no", "VARCHAR(20)", 72, all(text("SN"), hex(14)));
        add("expiry_date", "DATE", 78, date(90, 1_400));
        add("production_date", "DATE", 78, date(-400, -5));
        add("requested_date", "DATE", 0, date(-3, 40));
        add("promised_date", "DATE", 0, date(0, 45));
        add("shipped_at", "TIMESTAMP", 18, timestamp(0, 30));
        add("delivered_at", "TIMESTAMP", 25, timestamp(1, 45));
        add("pick_time", "TIME", 45, time());
        add("goods_issue_date", "DATE", 18, date(0, 30));
    }

    private void state() {
        add(
                "line_status",
                "VARCHAR(12)",
                0,
                oneOf("closed|shipped|open|backorder|cancelled|returned"));
        add("line_type", "CHAR(4)", 0, oneOf("TAN|TAS|TAD|KLN|REN|TANN"));
        add(
                "return_reason",
                "VARCHAR(24)",
                90,
                oneOf("damaged|wrong item|too late|not ordered|quality|surplus"));
        add(
                "rejection_reason",
                "VARCHAR(24)",
                90,
                oneOf("too expensive|delivery too late|competitor|error"));
        add("partial_allowed", "BOOLEAN", 0, truth(71));
        add("free_of_charge", "BOOLEAN", 0, truth(3));
        add("dropship", "BOOLEAN", 3, truth(12));
        add("gift_wrap", "BOOLEAN", 50, truth(5));
        add("package_type", "VARCHAR(12)", 20, oneOf("carton|pallet|envelope|crate|drum|bag"));
        add("package_count", "SMALLINT", 20, number(1, 40));
        add("gross_weight", "DECIMAL(11,3)", 0, decimal(20, 900_000, 3));
        add("net_weight", "DECIMAL(11,3)", 0, decimal(10, 850_000, 3));
        add("volume", "DOUBLE", 15, decimal(1, 40_000_000, 6));
        add("weight_unit", "CHAR(2)", 0, oneOf("kg|g|lb|t"));
        add("score", "DOUBLE", 35, decimal(0, 1_000_000, 6));
        add("line_note", "VARCHAR(120)", 65, prose(2, 14, 110));
        add("change_no", "BIGINT", 0, number(70_000_000_000L, 79_999_999_999L));
    }

    private void add(String name, String type, int nullPercent, WideValue value) {
        columns.add(new WideColumn(name, type, false, nullPercent, value));
    }
}
