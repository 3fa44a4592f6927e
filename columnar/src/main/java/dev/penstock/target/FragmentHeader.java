package dev.penstock.target;

import dev.penstock.batch.ColumnSums;
import dev.penstock.step.FragmentForm;

/**
 * What travels before a fragment's payload. A target takes each (load, chunk, region) once and
 * acknowledges repetitions without storing them again.
 *
 * @param chunkId number of the chunk in the plan; also the order of duplicates
 * @param regionId where the rows belong, or, of a text that is spread, one of the regions
 * @param form which steps have been done
 * @param rowCount rows, or records if raw; of a whole chunk as text, of which nobody knows how many
 *     records it has, below 0 (see {@link #ofText})
 * @param sums of the rows as they were parsed; none if raw, or if the load does not ask for them
 */
public record FragmentHeader(
        int chunkId, long regionId, FragmentForm form, int rowCount, ColumnSums sums) {

    // What is added up in the row count of text, which is one less than the negative sum.

    /** The text is no part of the load. */
    private static final int REHEARSAL = 1;

    /** The text does not come with the header. */
    private static final int IN_FILE = 2;

    /** The rows may belong to any region of the load. */
    private static final int SPREAD = 4;

    /** A header without sums. */
    public FragmentHeader(int chunkId, long regionId, FragmentForm form, int rowCount) {
        this(chunkId, regionId, form, rowCount, ColumnSums.NONE);
    }

    private static FragmentHeader ofText(int chunkId, long regionId, int flags) {
        return new FragmentHeader(chunkId, regionId, FragmentForm.RAW, -1 - flags);
    }

    /** Of a {@link dev.penstock.step.ChunkText}, which may be declined. */
    public static FragmentHeader ofText(int chunkId, long regionId) {
        return ofText(chunkId, regionId, 0);
    }

    /** Of a text that a target may keep to rehearse its steps with, and always declines. */
    public FragmentHeader forRehearsal() {
        return with(REHEARSAL);
    }

    /** The same where the payload is a {@link dev.penstock.step.ChunkInFile}. */
    public FragmentHeader inFile() {
        return with(IN_FILE);
    }

    /** The same where the target is to find out which rows belong to which of its regions. */
    public FragmentHeader spread() {
        return with(SPREAD);
    }

    private FragmentHeader with(int flag) {
        return ofText(chunkId, regionId, -1 - rowCount | flag);
    }

    /** Whether a whole chunk's text is sent, or where it is. */
    public boolean isText() {
        return form == FragmentForm.RAW && rowCount < 0;
    }

    /** Whether the payload says where the text is. */
    public boolean isInFile() {
        return has(IN_FILE);
    }

    /** Whether the rows may belong to any region of the load, of this target. */
    public boolean isSpread() {
        return has(SPREAD);
    }

    /** Whether the payload is such a text that is no part of the load. */
    public boolean isRehearsal() {
        return has(REHEARSAL);
    }

    private boolean has(int flag) {
        return isText() && (-1 - rowCount & flag) != 0;
    }
}
