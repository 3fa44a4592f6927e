package dev.penstock.cli;

import dev.penstock.error.PenstockException;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists of columns in options. Names are separated by commas; in double quotes, as in SQL, they may
 * have commas and, doubled, quotes in them.
 */
final class ColumnNames {
    private ColumnNames() {}

    /** The names in all values that were given for an option. */
    static List<String> of(List<String> lists) {
        List<String> names = new ArrayList<>();
        for (String list : lists) {
            for (String item : split(list)) {
                names.add(name(item));
            }
        }
        return names;
    }

    /** What is between commas that are not within quotes, as it is written. */
    static List<String> split(String list) {
        List<String> items = new ArrayList<>();
        int start = 0;
        char before = ',';
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            if (c == '"' && (before == ',' || before == '(')) {
                i = closingQuote(list, i);
            } else if (c == ',') {
                items.add(list.substring(start, i));
                start = i + 1;
            }
            before = c == ' ' ? before : c;
        }
        items.add(list.substring(start));
        return items;
    }

    private static int closingQuote(String list, int opening) {
        int at = list.indexOf('"', opening + 1);
        while (at >= 0 && list.startsWith("\"\"", at)) {
            at = list.indexOf('"', at + 2);
        }
        if (at < 0) {
            throw PenstockException.usage("a double quote is not closed in " + list);
        }
        return at;
    }

    /** A name without spaces around it and without its quotes. */
    static String name(String written) {
        String name = written.strip();
        return name.length() >= 2 && name.startsWith("\"") && name.endsWith("\"")
                ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
                : name;
    }
}
