package dev.penstock.cli.oddtext;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * How a text is written. Characters that there are none of are {@link #NONE}.
 *
 * @param lineEnds one of them is taken for each line
 * @param columns kinds of the table's columns
 * @param notNull for each column whether it takes no NULL
 * @param fields for each field of a record its column
 */
record OddFormat(
        char delimiter,
        char quote,
        char escape,
        char comment,
        boolean mark,
        boolean header,
        boolean trailing,
        String nullText,
        List<String> lineEnds,
        List<Kind> columns,
        List<Boolean> notNull,
        List<Integer> fields) {
    static final char NONE = 0;

    /** Types of columns. */
    enum Kind {
        INTEGER("INTEGER"),
        DECIMAL("DECIMAL(9,2)"),
        DATE("DATE"),
        TEXT("VARCHAR(12)");

        private final String sql;

        Kind(String sql) {
            this.sql = sql;
        }
    }

    static OddFormat of(Random random) {
        boolean quoted = random.nextInt(4) > 0;
        char quote = !quoted ? NONE : random.nextInt(4) == 0 ? '\'' : '"';
        boolean header = random.nextInt(3) == 0;
        List<Kind> columns =
                random.ints(1 + random.nextInt(5), 0, Kind.values().length)
                        .mapToObj(i -> Kind.values()[i])
                        .toList();
        List<Integer> fields = new ArrayList<>();
        columns.forEach(column -> fields.add(fields.size()));
        if (header) {
            Collections.shuffle(fields, random);
        }
        List<List<String>> lineEnds =
                List.of(List.of("\n"), List.of("\r\n"), List.of("\n", "\r\n"), List.of("\r"));
        return new OddFormat(
                ",;|\t".charAt(random.nextInt(4)),
                quote,
                quoted && random.nextInt(4) == 0 ? '\\' : NONE,
                random.nextInt(5) == 0 ? '#' : NONE,
                random.nextInt(5) == 0,
                header,
                random.nextInt(4) == 0,
                List.of("", "NULL", "\\N").get(random.nextInt(3)),
                lineEnds.get(random.nextInt(lineEnds.size())),
                columns,
                columns.stream().map(column -> random.nextInt(5) == 0).toList(),
                List.copyOf(fields));
    }

    boolean endsLinesWithReturns() {
        return lineEnds.contains("\r");
    }

    static String name(int column) {
        return "c" + column;
    }

    /** The declaration of a table for such a text. */
    String declaration(String table) {
        StringBuilder sql = new StringBuilder("CREATE TABLE " + table + " (");
        for (int i = 0; i < columns.size(); i++) {
            sql.append(i == 0 ? "" : ", ").append(name(i)).append(' ').append(columns.get(i).sql);
            sql.append(notNull.get(i) ? " NOT NULL" : "");
        }
        return sql.append(")").toString();
    }
}
