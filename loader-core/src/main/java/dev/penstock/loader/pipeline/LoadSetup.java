package dev.penstock.loader.pipeline;

import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.loader.OffloadPolicy;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.step.FragmentForm;
import dev.penstock.target.DuplicatePolicy;
import dev.penstock.target.RegionMap;
import dev.penstock.target.Verification;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * What every thread of a load knows.
 *
 * @param fieldColumns for each field of a record the index of its table column, or -1 to skip it
 * @param loadId names the load in the target
 * @param loadOrdinal part of hidden row ids
 * @param tokens what codes in columns of tokens mean
 * @param verification whether sums of rows are to be made
 * @param cut the form in which fragments travel
 */
public record LoadSetup(
        TableSchema schema,
        Dialect dialect,
        List<Integer> fieldColumns,
        String loadId,
        long loadOrdinal,
        OffloadPolicy policy,
        FragmentForm cut,
        DuplicatePolicy duplicates,
        Verification verification,
        TokenTables tokens,
        RegionMap regions) {
    public LoadSetup {
        fieldColumns = List.copyOf(fieldColumns);
    }

    /** What fragments of a chunk carry in their header: the load's id, and the chunk. */
    SegmentIdentity identity(int chunkId) {
        UUID id;
        try {
            id = UUID.fromString(loadId);
        } catch (IllegalArgumentException e) {
            id = UUID.nameUUIDFromBytes(loadId.getBytes(StandardCharsets.UTF_8));
        }
        return SegmentIdentity.ofChunk(id, chunkId);
    }
}
