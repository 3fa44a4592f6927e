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
import java.util.concurrent.CompletableFuture;

/**
 * A sample of the inputs: the key distribution, column profiles and sizes.
 *
 * @param keys distribution of encoded keys, weighted by bytes
 * @param borders the first keys of equal parts of an input in the order of its keys, but for that
 *     of the first part; empty if it is not
 * @param blockKeys the sampled keys of each block, in order of the input
 * @param columns profile of each table column; empty if the request did not ask for them
 * @param tokens token tables of the columns for which they are worth it; still being learned when
 *     the rest is known
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
        List<byte[]> borders,
        List<KeyBlock> blockKeys,
        List<ColumnProfile> columns,
        CompletableFuture<TokenTables> tokens,
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

    /**
     * Whether the rows of each block came in the order of their keys, so that those of most chunks
     * will; also of a table without a key, and of no rows.
     */
    public boolean isInOrder() {
        return blockKeys.stream().allMatch(KeyBlock::inOrder);
    }

    /** Split points for that many regions; fewer if one key is too frequent or keys are few. */
    public List<byte[]> splitPoints(int regionCount) {
        return isDividedInto(regionCount) ? borders : SplitSelector.choose(keys, regionCount);
    }

    /**
     * Split points that make so many regions of those between some borders, of a sample that was
     * asked for no equal parts if there are any; fewer as above.
     *
     * @param borders ascending
     */
    public List<byte[]> splitPoints(int regionCount, List<byte[]> borders) {
        return borders.isEmpty()
                ? splitPoints(regionCount)
                : SplitSelector.choose(keys, regionCount, borders);
    }

    /**
     * How even regions with these split points will be.
     *
     * @param splitPoints those of {@link #splitPoints(int)}, or if the sample was asked for none,
     *     any
     */
    public BalanceEstimate balance(List<byte[]> splitPoints) {
        if (isDividedInto(splitPoints.size() + 1)) {
            return BalancePredictor.predictEven(densities(), splitPoints.size() + 1);
        }
        List<int[]> counts = new ArrayList<>();
        for (KeyBlock block : blockKeys) {
            counts.add(block.countsBetween(splitPoints));
        }
        return BalancePredictor.predict(counts, splitPoints.size() + 1, keys.shareError());
    }

    private boolean isDividedInto(int regionCount) {
        return !borders.isEmpty() && borders.size() == regionCount - 1;
    }

    private double[] densities() {
        double[] densities = new double[blockKeys.size()];
        for (int i = 0; i < densities.length; i++) {
            densities[i] = blockKeys.get(i).rowsPerByte();
        }
        return densities;
    }
}
