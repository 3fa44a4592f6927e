package dev.penstock.sampler;

import dev.penstock.dict.TokenTables;
import dev.penstock.reject.Reject;
import dev.penstock.sampler.profile.ColumnProfile;
import dev.penstock.sampler.sketch.KeySketch;
import dev.penstock.sampler.split.BalanceEstimate;
import dev.penstock.sampler.split.BalancePredictor;
import dev.penstock.sampler.split.SplitSelector;

import java.util.ArrayList;
import java.util.List;

/**
 * A sample of the inputs: the key distribution, column profiles and sizes.
 *
 * @param keys distribution of encoded keys, weighted by bytes
 * @param blockKeys the sampled keys of each block, in order of the input
 * @param columns profile of each table column
 * @param tokens token tables of the columns for which they are worth it
 * @param rows good rows
 * @param records records looked at
 * @param recordBytes text bytes of those records
 * @param checkedRecords records of which all columns were looked at
 * @param firstRejects the first records that would be rejected, at most a few
 * @param rejectCount records among the checked ones that would be rejected
 * @param guessedBlocks blocks in whose middle a record's start had to be guessed
 */
public record Sample(
        KeySketch keys,
        List<KeyBlock> blockKeys,
        List<ColumnProfile> columns,
        TokenTables tokens,
        long rows,
        long records,
        long recordBytes,
        long checkedRecords,
        List<Reject> firstRejects,
        long rejectCount,
        int guessedBlocks) {

    /** Mean text bytes of a record, line end included; 0 without records. */
    public double meanRecordBytes() {
        return records == 0 ? 0 : (double) recordBytes / records;
    }

    /** Split points for that many regions; fewer if one key is too frequent or keys are few. */
    public List<byte[]> splitPoints(int regionCount) {
        return SplitSelector.choose(keys, regionCount);
    }

    /** How even regions with these split points will be. */
    public BalanceEstimate balance(List<byte[]> splitPoints) {
        List<int[]> counts = new ArrayList<>();
        for (KeyBlock block : blockKeys) {
            counts.add(block.countsBetween(splitPoints));
        }
        return BalancePredictor.predict(counts, splitPoints.size() + 1, keys.shareError());
    }
}
