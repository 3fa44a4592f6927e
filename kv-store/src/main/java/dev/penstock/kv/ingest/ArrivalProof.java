package dev.penstock.kv.ingest;

import dev.penstock.batch.ColumnSums;
import dev.penstock.error.Counted;
import dev.penstock.error.PenstockException;
import dev.penstock.kv.api.LoadDescriptor;
import dev.penstock.kv.storage.SegmentDescriptor;
import dev.penstock.kv.storage.SegmentFile;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentChecksum;
import dev.penstock.target.Verification;

import java.util.ArrayList;
import java.util.List;

/**
 * Proves that a region's part of a load is what was parsed: rows and sums of columns that came with
 * the fragments, less those of rows that were left out as duplicates, must be those of what is
 * stored. Used by one thread at a time.
 */
final class ArrivalProof {
    private static final int MAX_NAMES = 3;

    private final LoadDescriptor load;
    private final long regionId;
    private final TableSchema schema;
    private final Verification verification;
    private final ColumnSums due;
    private final ColumnSums dropped;
    private long rowsDue;

    ArrivalProof(LoadDescriptor load, long regionId) {
        this.load = load;
        this.regionId = regionId;
        schema = load.table().schema();
        verification = load.request().verification();
        due = none();
        dropped = none();
    }

    /** What has come so far; changes of the one do not change the other. */
    ArrivalProof copy() {
        ArrivalProof copy = new ArrivalProof(load, regionId);
        copy.take(rowsDue, due);
        if (verification.sums()) {
            copy.dropped.add(dropped);
        }
        return copy;
    }

    private ColumnSums none() {
        return verification.sums() ? new ColumnSums(schema.columnCount()) : ColumnSums.NONE;
    }

    /** Rows have come. */
    void take(long rows, ColumnSums sums) {
        rowsDue += rows;
        if (verification.sums()) {
            due.add(sums);
        }
    }

    /** Rows that have come are left out. */
    void drop(long rows, ColumnSums sums) {
        rowsDue -= rows;
        if (verification.sums()) {
            due.subtract(sums);
            dropped.add(sums);
        }
    }

    /** Sums of all rows that were left out. */
    ColumnSums dropped() {
        return verification.sums() ? dropped.copy() : ColumnSums.NONE;
    }

    /**
     * Checks what a merge has written.
     *
     * @throws PenstockException category CORRUPT
     */
    void check(long rows, ColumnSums stored) {
        if (verification == Verification.OFF) {
            return;
        }
        if (rows != rowsDue || verification.sums() && stored.rowCount() != rows) {
            throw failed(
                    ": it has "
                            + Counted.of(rows, "row")
                            + " where "
                            + rowsDue
                            + Counted.verb(rowsDue, " was", " were")
                            + " parsed and not left out");
        }
        if (verification.sums() && due.firstDifference(stored) >= 0) {
            throw failed(
                    ": the checksum of "
                            + differing(schema, due, stored)
                            + " of its "
                            + rows
                            + " rows is not the one that they had when they were parsed");
        }
    }

    private PenstockException failed(String why) {
        return PenstockException.corrupt(
                "region "
                        + regionId
                        + " of table "
                        + schema.name()
                        + " does not have what load "
                        + load.loadId()
                        + " brought"
                        + why);
    }

    /**
     * If the load asks for it, reads the segments back and compares them with what the merge says
     * that it wrote.
     *
     * @throws PenstockException category CORRUPT naming the file
     */
    void readBack(List<SegmentFile> files, List<SegmentDescriptor> descriptors) {
        for (int i = 0; i < files.size(); i++) {
            SegmentFile file = files.get(i);
            SegmentChecksum read = new SegmentChecksum(schema);
            read.add(file.reader());
            ColumnSums sums = descriptors.get(i).sums();
            if (!read.sums().equals(sums)) {
                throw PenstockException.corrupt(
                        file.path()
                                + ", read back, has another checksum of "
                                + differing(schema, sums, read.sums())
                                + " than when it was written; it is of region "
                                + regionId
                                + " of table "
                                + schema.name());
            }
        }
    }

    boolean readsBack() {
        return verification == Verification.FULL;
    }

    /** The columns whose sums differ, as a message names them. */
    static String differing(TableSchema schema, ColumnSums left, ColumnSums right) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < schema.columnCount(); i++) {
            if (left.column(i) != right.column(i)) {
                names.add(schema.column(i).name());
            }
        }
        if (names.size() == 1) {
            return "column " + names.getFirst();
        }
        int named = Math.min(MAX_NAMES, names.size());
        String more = named < names.size() ? " and " + (names.size() - named) + " more" : "";
        return "columns " + String.join(", ", names.subList(0, named)) + more;
    }
}
