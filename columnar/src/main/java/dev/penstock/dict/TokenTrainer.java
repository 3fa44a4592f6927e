package dev.penstock.dict;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.kernel.WordBorders;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the tokens of a column from a sample of its values: those that save the most bytes, as
 * many as make the codes smallest. A function of the sample's values alone.
 */
public final class TokenTrainer {
    /** Codes and counts must be predicted to take at most this share of the bytes, in percent. */
    private static final int MAX_PERCENT = 60;

    /** More different words than this are not counted; the first ones are. */
    private static final int MAX_WORDS = 1 << 17;

    /** Below this many bytes of sample nothing can be said. */
    private static final int MIN_SAMPLE_BYTES = 1 << 12;

    /** A token that occurs less often in the sample is chance. */
    private static final int MIN_COUNT = 2;

    /** Bits that the number of codes of a row takes, about. */
    private static final int COUNT_BITS = 4;

    private static final int[] TABLE_BITS = {9, 10, 11, 12};

    private record Word(long low, long high, int count) {
        int length() {
            return (int) (high >>> 56);
        }

        long gain() {
            return (long) count * (length() - 1);
        }

        byte[] bytes() {
            byte[] bytes = new byte[16];
            ByteAccess.putLong(bytes, 0, low);
            ByteAccess.putLong(bytes, 8, high);
            return Arrays.copyOf(bytes, length());
        }
    }

    private static final Comparator<Word> MOST_GAIN_FIRST =
            Comparator.comparingLong(Word::gain)
                    .reversed()
                    .thenComparing(Word::bytes, Arrays::compareUnsigned);

    private long[] keys = new long[2 << 12];
    private int[] counts = new int[1 << 12];
    private int wordCount;
    private long[] borders = new long[0];

    /**
     * The table for values like those of rows [0, rows), if codes are predicted to be clearly
     * smaller than the bytes. Rows that are NULL are left out.
     */
    public Optional<TokenTable> run(BytesColumn sample, int rows) {
        Arrays.fill(keys, 0);
        Arrays.fill(counts, 0);
        wordCount = 0;
        boolean nullable = sample.validity().hasNulls();
        int[] offsets = sample.offsets();
        long bytes = 0;
        for (int row = 0; row < rows; row++) {
            int length = offsets[row + 1] - offsets[row];
            if (length > 0 && !(nullable && !sample.validity().isValid(row))) {
                bytes += length;
                addWords(sample.data(), offsets[row], length);
            }
        }
        return bytes < MIN_SAMPLE_BYTES ? Optional.empty() : choose(bytes, rows);
    }

    private void addWords(byte[] data, int from, int length) {
        int words = (length + 64) >> 6;
        if (borders.length < words) {
            borders = new long[words];
        }
        borders[words - 1] = 0;
        WordBorders.find(data, from, length, borders);
        borders[length >> 6] |= 1L << length;
        int start = from;
        for (int word = 0; word < words; word++) {
            long left = borders[word];
            while (left != 0) {
                int end = from + (word << 6) + Long.numberOfTrailingZeros(left);
                left &= left - 1;
                for (; end - start > TokenTable.MAX_TOKEN_BYTES; start += 15) {
                    addWord(data, start, TokenTable.MAX_TOKEN_BYTES);
                }
                addWord(data, start, end - start);
                start = end;
            }
        }
    }

    private void addWord(byte[] data, int start, int length) {
        if (length < 2) {
            return;
        }
        long low = ByteStrings.head(data, start, length);
        long high =
                (length > 8 ? ByteStrings.head(data, start + 8, length - 8) : 0)
                        | (long) length << 56;
        int slot = find(low, high);
        if (counts[slot] > 0) {
            counts[slot]++;
        } else if (wordCount < MAX_WORDS) {
            keys[2 * slot] = low;
            keys[2 * slot + 1] = high;
            counts[slot] = 1;
            wordCount++;
            if (2 * wordCount > counts.length) {
                grow();
            }
        }
    }

    private int find(long low, long high) {
        int mask = counts.length - 1;
        long hash = low * 0x9E3779B97F4A7C15L ^ high * 0xC2B2AE3D27D4EB4FL;
        int slot = (int) (hash ^ hash >>> 32) & mask;
        while (counts[slot] > 0 && (keys[2 * slot] != low || keys[2 * slot + 1] != high)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldCounts = counts;
        keys = new long[2 * oldKeys.length];
        counts = new int[2 * oldCounts.length];
        for (int i = 0; i < oldCounts.length; i++) {
            if (oldCounts[i] > 0) {
                int slot = find(oldKeys[2 * i], oldKeys[2 * i + 1]);
                keys[2 * slot] = oldKeys[2 * i];
                keys[2 * slot + 1] = oldKeys[2 * i + 1];
                counts[slot] = oldCounts[i];
            }
        }
    }

    private Optional<TokenTable> choose(long bytes, int rows) {
        List<Word> words = new ArrayList<>();
        for (int slot = 0; slot < counts.length; slot++) {
            if (counts[slot] >= MIN_COUNT) {
                words.add(new Word(keys[2 * slot], keys[2 * slot + 1], counts[slot]));
            }
        }
        words.sort(MOST_GAIN_FIRST);
        long best = Long.MAX_VALUE;
        int chosen = 0;
        long codes = bytes;
        int taken = 0;
        for (int bits : TABLE_BITS) {
            int size = Math.min(words.size(), (1 << bits) - TokenTable.BYTE_CODES);
            for (; taken < size; taken++) {
                codes -= words.get(taken).gain();
            }
            long predicted = codes * BitPacking.bitsFor(TokenTable.BYTE_CODES + size - 1L);
            if (predicted < best) {
                best = predicted;
                chosen = size;
            }
        }
        long predictedBytes = (best + (long) COUNT_BITS * rows) / 8;
        if (predictedBytes * 100 > bytes * MAX_PERCENT) {
            return Optional.empty();
        }
        return Optional.of(
                new TokenTable(words.subList(0, chosen).stream().map(Word::bytes).toList()));
    }
}
