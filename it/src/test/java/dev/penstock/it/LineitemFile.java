package dev.penstock.it;

import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * A small lineitem file in shuffled order, and what a scan of it must print.
 *
 * @param file the text
 * @param ddl the declaration
 * @param csv header and rows in key order
 */
public record LineitemFile(Path file, Path ddl, String csv) {
    private static final int ORDER_KEY = 0;
    private static final int LINE_NUMBER = 3;
    private static final int QUANTITY = 4;
    private static final String HEADER =
            "l_orderkey,l_partkey,l_suppkey,l_linenumber,l_quantity,l_extendedprice,l_discount,"
                    + "l_tax,l_returnflag,l_linestatus,l_shipdate,l_commitdate,l_receiptdate,"
                    + "l_shipinstruct,l_shipmode,l_comment\n";

    public static LineitemFile shuffled(Path folder, double scale, long seed) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        new TpchWriter(TpchTable.LINEITEM, scale, 1).writeTo(text, bytes -> {});
        List<String> lines =
                new ArrayList<>(text.toString(StandardCharsets.ISO_8859_1).lines().toList());
        Collections.shuffle(lines, new Random(seed));
        Path file = folder.resolve("lineitem.tbl");
        Files.writeString(file, String.join("\n", lines) + "\n");
        Path ddl = folder.resolve("lineitem.sql");
        Files.writeString(ddl, TpchTable.LINEITEM.ddl());
        return new LineitemFile(file, ddl, csv(lines));
    }

    private static String csv(List<String> lines) {
        List<String[]> rows = new ArrayList<>();
        for (String line : lines) {
            String[] fields = line.split("\\|");
            fields[QUANTITY] += ".00";
            rows.add(fields);
        }
        rows.sort(
                Comparator.<String[]>comparingLong(row -> Long.parseLong(row[ORDER_KEY]))
                        .thenComparingInt(row -> Integer.parseInt(row[LINE_NUMBER])));
        StringBuilder text = new StringBuilder(HEADER);
        for (String[] row : rows) {
            List<String> fields = Arrays.stream(row).map(LineitemFile::quoted).toList();
            text.append(String.join(",", fields)).append('\n');
        }
        return text.toString();
    }

    private static String quoted(String field) {
        return field.indexOf(',') < 0 ? field : '"' + field + '"';
    }
}
