package dev.penstock.kv.region;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.RegionDescriptor;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentChecksum;

import java.util.Optional;

/**
 * Reads the segments of a region: every stored checksum is checked, and where a load has proved
 * what it wrote, the values are compared with that. Segments that flushes and compactions made have
 * no such sums. Used by one thread.
 */
final class StoredProof {
    private final RegionDescriptor region;
    private final ColumnSums proven;

    StoredProof(RegionDescriptor region) {
        this.region = region;
        proven = new ColumnSums(region.schema().columnCount());
    }

    /**
     * Checks all segments of a layer.
     *
     * @throws PenstockException category CORRUPT naming file, region and, unless it is the whole
     *     file that is damaged, column
     */
    void check(Layer layer) {
        for (SegmentFile segment : layer.segments()) {
            try {
                if (segment.sums().isNone()) {
                    segment.reader().verify();
                } else {
                    compare(segment);
                }
            } catch (PenstockException e) {
                if (e.category() != ErrorCategory.CORRUPT) {
                    throw e;
                }
                throw new PenstockException(
                        ErrorCategory.CORRUPT,
                        "region "
                                + region.regionId()
                                + " of table "
                                + region.schema().name()
                                + " is damaged: "
                                + e.getMessage(),
                        e);
            }
        }
    }

    private void compare(SegmentFile segment) {
        TableSchema schema = region.schema();
        SegmentChecksum stored = new SegmentChecksum(schema);
        stored.add(segment.reader().unread());
        int column = stored.sums().firstDifference(segment.sums());
        if (column >= 0 || stored.rowCount() != segment.sums().rowCount()) {
            throw PenstockException.corrupt(
                    segment.path()
                            + ": "
                            + (column < 0
                                    ? "the rows are"
                                    : "column " + schema.column(column).name() + " is")
                            + " not what the load brought, though all bytes match their"
                            + " checksums");
        }
        proven.add(segment.sums());
    }

    /** Rows of the segments that were compared with what loads brought. */
    long provenRows() {
        return proven.rowCount();
    }

    /** The sums of all visible rows, if they are those of the segments that were checked. */
    Optional<ColumnSums> all(RegionSnapshot snapshot) {
        boolean same =
                snapshot.deltas().isEmpty()
                        && snapshot.layers().size() <= 1
                        && snapshot.layers().stream()
                                .flatMap(layer -> layer.segments().stream())
                                .noneMatch(segment -> segment.sums().isNone());
        return same ? Optional.of(proven.copy()) : Optional.empty();
    }
}
