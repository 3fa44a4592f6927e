package dev.penstock.sampler;

import dev.penstock.dialect.Dialect;
import dev.penstock.schema.TableSchema;

import java.util.List;

/**
 * What to sample.
 *
 * @param fieldColumns for each field of a record the index of its table column, or -1 to skip it
 * @param rows rows wanted, about
 * @param recordBytes mean bytes of a record, roughly, to turn rows into bytes
 * @param regionCount regions that split points will be asked for
 * @param mayDivide whether fewer rows do, and the first keys of equal parts of the input as split
 *     points for {@code regionCount} regions, if it turns out to be in the order of its keys
 * @param describes whether the columns are described, which a load does not ask for
 * @param seed of the random positions and roundings
 */
public record SampleRequest(
        TableSchema schema,
        Dialect dialect,
        List<Integer> fieldColumns,
        int rows,
        double recordBytes,
        int regionCount,
        boolean mayDivide,
        boolean describes,
        long seed) {
    public SampleRequest {
        fieldColumns = List.copyOf(fieldColumns);
    }
}
