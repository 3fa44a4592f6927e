package dev.penstock.target;

import dev.penstock.batch.ColumnSums;
import dev.penstock.step.FragmentForm;

/**
 * What travels before a fragment's payload. A target takes each (load, chunk, region) once and
 * acknowledges repetitions without storing them again.
 *
 * @param chunkId number of the chunk in the plan; also the order of duplicates
 * @param regionId where the rows belong
 * @param form which steps have been done
 * @param rowCount rows, or records if raw, or {@link #UNCOUNTED}, {@link #IN_FILE} or {@link
 *     #REHEARSAL}
 * @param sums of the rows as they were parsed; none if raw, or if the load does not ask for them
 */
public record FragmentHeader(
        int chunkId, long regionId, FragmentForm form, int rowCount, ColumnSums sums) {

    /** Of a whole chunk as text, of which nobody knows how many records it has. */
    private static final int UNCOUNTED = -1;

    /** Of such a text that is no part of the load. */
    private static final int REHEARSAL = -2;

    /** Of such a text that does not come with it. */
    private static final int IN_FILE = -3;

    /** A header without sums. */
    public FragmentHeader(int chunkId, long regionId, FragmentForm form, int rowCount) {
        this(chunkId, regionId, form, rowCount, ColumnSums.NONE);
    }

    /** Of a {@link dev.penstock.step.ChunkText}, which may be declined. */
    public static FragmentHeader ofText(int chunkId, long regionId) {
        return new FragmentHeader(chunkId, regionId, FragmentForm.RAW, UNCOUNTED);
    }

    /** Of a text that a target may keep to rehearse its steps with, and always declines. */
    public static FragmentHeader ofRehearsal(int chunkId, long regionId) {
        return new FragmentHeader(chunkId, regionId, FragmentForm.RAW, REHEARSAL);
    }

    /** The same where the payload is a {@link dev.penstock.step.ChunkInFile}. */
    public static FragmentHeader ofTextInFile(int chunkId, long regionId) {
        return new FragmentHeader(chunkId, regionId, FragmentForm.RAW, IN_FILE);
    }

    /** Whether a whole chunk's text is sent, or where it is. */
    public boolean isText() {
        return form == FragmentForm.RAW && rowCount < 0;
    }

    /** Whether the payload says where the text is. */
    public boolean isInFile() {
        return isText() && rowCount == IN_FILE;
    }

    /** Whether the payload is such a text that is no part of the load. */
    public boolean isRehearsal() {
        return isText() && rowCount == REHEARSAL;
    }
}
