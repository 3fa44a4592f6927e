package dev.penstock.dict;

import dev.penstock.batch.BytesColumn;
import dev.penstock.bytes.ByteAccess;
import dev.penstock.kernel.BitPacking;
import dev.penstock.kernel.ByteStrings;
import dev.penstock.kernel.WordBorders;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the tokens of a column from a sample of its values: those that save the most bytes, as
 * many as make the codes smallest. A function of the sample alone.
 */
public final class TokenTrainer {
    /** Codes and counts must be predicted to take at most this share of the bytes, in percent. */
    private static final int MAX_PERCENT = 60;

    /** More different words than this are not counted; the first ones are. */
    private static final int MAX_WORDS = 1 << 17;

    /** Below this many bytes of sample nothing can be said. */
    private static final int MIN_SAMPLE_BYTES = 1 << 12;

    /** Bits that the number of codes of a row takes, about. */
    private static final int COUNT_BITS = 4;

    private static final int[] TABLE_BITS = {9, 10, 11, 12};

    /**
     * Tables of up to 2^11 codes are preferred to smaller ones unless they make the codes larger by
     * more than this, in percent: a word that is found costs far less time than one that is not.
     */
    private static final int LARGER_PERCENT = 12;

    private static final int MAX_PREFERRED_BITS = 11;

    /**
     * A number is rare if it was seen once, or was less than one of two to this of all words: a
     * table that was full of such would know fewer words than one of groups.
     */
    private static final int RARE_SHIFT = 12;

    /** Digits of a group: the most of which all groups fit into a table. */
    private static final int GROUP_DIGITS = 3;

    /** There are at most twice {@link #MAX_WORDS} slots, rounded up to a power of two. */
    private static final int SLOT_BITS = 19;

    private static final long SLOT_MASK = (1L << SLOT_BITS) - 1;

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
        if (bytes < MIN_SAMPLE_BYTES) {
            return Optional.empty();
        }
        splitRareNumbers();
        return choose(bytes, rows);
    }

    /**
     * Counts groups of digits instead of words with numbers that are too rare to be worth a token:
     * of numbers that are all different no word is known, but two groups make one of six digits.
     */
    private void splitRareNumbers() {
        long total = 0;
        for (int count : counts) {
            total += count;
        }
        long[] words = keys.clone();
        int[] wordCounts = counts.clone();
        for (int slot = 0; slot < wordCounts.length; slot++) {
            int count = wordCounts[slot];
            if (count > 0 && count < Math.max(2, total >> RARE_SHIFT)) {
                splitNumber(words[2 * slot], words[2 * slot + 1], count);
            }
        }
    }

    /**
     * Counts the groups of a word's digits instead of it, if these are more than one and only
     * letters come before, and only punctuation behind. Letters before are a word of their own.
     * Digits between letters are no number, but mostly hexadecimal.
     */
    private void splitNumber(long low, long high, int count) {
        byte[] word = bytesOf(low, high);
        int from = 0;
        while (from < word.length
                && WordBorders.isLetter(word[from])
                && !TokenTable.isDigit(word[from])) {
            from++;
        }
        int to = from;
        while (to < word.length && TokenTable.isDigit(word[to])) {
            to++;
        }
        if (to - from > GROUP_DIGITS && (to == word.length || !WordBorders.isLetter(word[to]))) {
            addWord(word, 0, from, count);
            countGroups(word, from, to, count);
            counts[find(low, high)] = 1;
        }
    }

    /** Counts the groups of the number at [from, to); the last one has what comes behind it. */
    private void countGroups(byte[] word, int from, int to, int count) {
        int start = from;
        for (; to - start > GROUP_DIGITS; start += GROUP_DIGITS) {
            addWord(word, start, GROUP_DIGITS, count);
        }
        addWord(word, start, word.length - start, count);
    }

    private void addWords(byte[] data, int from, int length) {
        int words = (length + 64) >> 6;
        if (borders.length < words + WordBorders.SLACK) {
            borders = new long[words + WordBorders.SLACK];
        }
        WordBorders.find(data, from, length, borders);
        borders[length >> 6] |= 1L << length;
        int start = from;
        for (int word = 0; word < words; word++) {
            long left = borders[word];
            while (left != 0) {
                int end = from + (word << 6) + Long.numberOfTrailingZeros(left);
                left &= left - 1;
                for (; end - start > TokenTable.MAX_TOKEN_BYTES; start += 15) {
                    addWord(data, start, TokenTable.MAX_TOKEN_BYTES, 1);
                }
                addWord(data, start, end - start, 1);
                start = end;
            }
        }
    }

    private void addWord(byte[] data, int start, int length, int times) {
        if (length < 2) {
            return;
        }
        long low = ByteStrings.head(data, start, length);
        long high =
                (length > 8 ? ByteStrings.head(data, start + 8, length - 8) : 0)
                        | (long) length << 56;
        int slot = find(low, high);
        if (counts[slot] > 0) {
            counts[slot] += times;
        } else if (wordCount < MAX_WORDS) {
            keys[2 * slot] = low;
            keys[2 * slot + 1] = high;
            counts[slot] = times;
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
        long[] words = mostGainFirst();
        long best = Long.MAX_VALUE / 200;
        int chosen = 0;
        long codes = bytes;
        int taken = 0;
        for (int bits : TABLE_BITS) {
            int size = Math.min(words.length, (1 << bits) - TokenTable.BYTE_CODES);
            for (; taken < size; taken++) {
                codes -= gain(slotOf(words[taken]));
            }
            long predicted = codes * BitPacking.bitsFor(TokenTable.BYTE_CODES + size - 1L);
            int more = bits <= MAX_PREFERRED_BITS ? LARGER_PERCENT : 0;
            if (predicted * 100 < best * (100 + more)) {
                best = predicted;
                chosen = size;
            }
        }
        long predictedBytes = (best + (long) COUNT_BITS * rows) / 8;
        if (predictedBytes * 100 > bytes * MAX_PERCENT) {
            return Optional.empty();
        }
        List<byte[]> tokens = new ArrayList<>();
        for (int i = 0; i < chosen; i++) {
            int slot = slotOf(words[i]);
            tokens.add(bytesOf(keys[2 * slot], keys[2 * slot + 1]));
        }
        return Optional.of(new TokenTable(tokens));
    }

    /**
     * Words in descending order of what they save, each with its slot in the lowest bits. Those
     * that were seen once come last: words of letters are likely to be seen again and found sooner,
     * numbers only make the tokens more among which others are looked for.
     */
    private long[] mostGainFirst() {
        long[] words = new long[wordCount];
        int count = 0;
        for (int slot = 0; slot < counts.length; slot++) {
            if (counts[slot] > 1 || counts[slot] == 1 && !hasDigit(slot)) {
                words[count++] = -gain(slot) << SLOT_BITS | slot;
            }
        }
        Arrays.sort(words, 0, count);
        return Arrays.copyOf(words, count);
    }

    private boolean hasDigit(int slot) {
        for (byte letter : bytesOf(keys[2 * slot], keys[2 * slot + 1])) {
            if (TokenTable.isDigit(letter)) {
                return true;
            }
        }
        return false;
    }

    private static int slotOf(long word) {
        return (int) (word & SLOT_MASK);
    }

    /**
     * Bytes less codes in as much text as the sample, about: one of the places where a word was
     * seen does not count, since it is why the word is known.
     */
    private long gain(int slot) {
        return (long) (counts[slot] - 1) * ((keys[2 * slot + 1] >>> 56) - 1);
    }

    private static byte[] bytesOf(long low, long high) {
        byte[] bytes = new byte[16];
        ByteAccess.putLong(bytes, 0, low);
        ByteAccess.putLong(bytes, 8, high);
        return Arrays.copyOf(bytes, (int) (high >>> 56));
    }
}
