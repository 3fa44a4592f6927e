package dev.penstock.loader.plan;

import dev.penstock.dialect.Dialect;

import java.util.List;

/**
 * How the inputs are read, after a look at their first records.
 *
 * @param because how the dialect was chosen, for the plan
 * @param fieldColumns for each field of a record the index of its table column, or -1 to skip it
 * @param dataStarts for each input the position of its first record, after mark and header
 * @param header the first input's header record as read, without its line end; empty if none
 * @param recordBytes mean bytes of the first records
 */
public record ChosenDialect(
        Dialect dialect,
        String because,
        List<Integer> fieldColumns,
        long[] dataStarts,
        byte[] header,
        double recordBytes) {
    public ChosenDialect {
        fieldColumns = List.copyOf(fieldColumns);
    }
}
