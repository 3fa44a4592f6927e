package dev.penstock.cli;

import dev.penstock.aggregate.Aggregate;
import dev.penstock.aggregate.ResultColumn;
import dev.penstock.aggregate.ResultColumn.Content;
import dev.penstock.error.PenstockException;
import dev.penstock.schema.TableSchema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an aggregate query computes, from text like {@code sum(a), count(*)}.
 *
 * @param groupBy table columns
 * @param aggregates each once, averages as a sum and a count
 * @param columns of the result: the groups, then what was asked for, in that order
 */
record SelectList(List<Integer> groupBy, List<Aggregate> aggregates, List<ResultColumn> columns) {
    private static final Pattern CALL =
            Pattern.compile("\\s*(\\w+)\\s*\\((\\s*\"[^\"]*(?:\"\"[^\"]*)*\"\\s*|[^()]*)\\)\\s*");

    /** Reads the list; {@code USAGE} naming what is not understood. */
    static SelectList parse(TableSchema schema, String text, List<String> by) {
        SelectList list = new SelectList(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (String name : by) {
            int column = Projection.index(schema, name);
            list.add(schema.column(column).name(), new Content.Group(list.groupBy.size()));
            list.groupBy.add(column);
        }
        for (String item : ColumnNames.split(text)) {
            Matcher call = CALL.matcher(item);
            if (!call.matches()) {
                throw PenstockException.usage(
                        "--select '"
                                + item.strip()
                                + "' is none of count(*), count(c), sum(c), min(c), max(c),"
                                + " avg(c)");
            }
            list.add(schema, call.group(1).toLowerCase(Locale.ROOT), call.group(2).strip());
        }
        return list;
    }

    private void add(TableSchema schema, String function, String argument) {
        if (function.equals("count") && argument.equals("*")) {
            add(name(function, argument), new Content.Value(position(Aggregate.countRows())));
            return;
        }
        int column = Projection.index(schema, ColumnNames.name(argument));
        String name = name(function, schema.column(column).name());
        Content content =
                switch (function) {
                    case "count" -> new Content.Value(position(Aggregate.count(column)));
                    case "sum" -> new Content.Value(position(Aggregate.sum(column)));
                    case "min" -> new Content.Value(position(Aggregate.min(column)));
                    case "max" -> new Content.Value(position(Aggregate.max(column)));
                    case "avg" ->
                            new Content.Average(
                                    position(Aggregate.sum(column)),
                                    position(Aggregate.count(column)));
                    default ->
                            throw PenstockException.usage(
                                    "there is no function "
                                            + function
                                            + "; there are count, sum, min, max and avg");
                };
        add(name, content);
    }

    private static String name(String function, String argument) {
        return function + "(" + argument + ")";
    }

    private void add(String name, Content content) {
        for (ResultColumn column : columns) {
            if (column.name().equalsIgnoreCase(name)) {
                throw PenstockException.usage(name + " is asked for twice");
            }
        }
        columns.add(new ResultColumn(name, content));
    }

    private int position(Aggregate aggregate) {
        int known = aggregates.indexOf(aggregate);
        if (known >= 0) {
            return known;
        }
        aggregates.add(aggregate);
        return aggregates.size() - 1;
    }
}
