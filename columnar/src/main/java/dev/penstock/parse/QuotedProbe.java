package dev.penstock.parse;

import dev.penstock.dialect.Dialect;
import dev.penstock.parse.RecordWalker.Outcome;

/**
 * Of text with quoted fields, which may hold line ends. Whether a place lies in one of them depends
 * on all quotes before; here it is guessed from what follows. The text is read both ways, and where
 * one of them leads to records that have the fields they should have, and the other does not, that
 * one is believed, as in Ge et al., Speculative Distributed CSV Data Parsing for Big Data Analytics
 * (SIGMOD 2019), section 4. Text can be made for which that is wrong, so whoever builds on an
 * answer must see it proved.
 */
public final class QuotedProbe implements RecordProbe {
    /** Records that have to look right. */
    private static final int LEAST_RECORDS = 2;

    /** Records that are looked at, if they are there. */
    private static final int MOST_RECORDS = 6;

    /** Records of fewer fields look right too easily for {@link #startAfter}. */
    public static final int LEAST_FIELDS = 2;

    private final RecordWalker walker;
    private final byte delimiter;
    private final byte quote;
    private final int delimiterCount;

    /**
     * @param dialect one in which {@link Dialect#quotesAloneHideLines}
     * @param fieldCount fields of a record
     */
    public QuotedProbe(Dialect dialect, int fieldCount) {
        walker = new RecordWalker(dialect, RecordBoundary.DEFAULT_MAX_RECORD_BYTES);
        delimiter = dialect.delimiter();
        quote = (byte) dialect.quote();
        delimiterCount = fieldCount - (dialect.trailingDelimiter() ? 0 : 1);
    }

    @Override
    public int startAfter(byte[] text, int from, int to) {
        int outside = afterRest(text, from, to);
        int inside = afterQuoted(text, from, to);
        boolean isOutside = looksRight(text, outside, to);
        boolean isInside = looksRight(text, inside, to);
        if (isOutside == isInside) {
            return isOutside && outside == inside ? outside : -1;
        }
        return isOutside ? outside : inside;
    }

    @Override
    public int end(byte[] text, int start, int to) {
        return walker.walk(text, start, to, false) == Outcome.INCOMPLETE ? -1 : walker.next();
    }

    /** Right if quotes come in pairs, as they do but for some in fields that are not quoted. */
    @Override
    public int lastStart(byte[] text, int from, int to) {
        boolean quoted = to > from && text[to - 1] == quote;
        for (int at = to - 2; at >= from; at--) {
            if (text[at] == quote) {
                quoted = !quoted;
            } else if (text[at] == '\n' && !quoted) {
                return at + 1;
            }
        }
        return -1;
    }

    /** Where the next record starts if {@code from} lies in a field, outside of quotes; or -1. */
    private int afterRest(byte[] text, int from, int to) {
        boolean possible =
                walker.walk(text, from, to, false) == Outcome.FIELDS
                        && walker.delimiterCount() <= delimiterCount;
        return possible ? walker.next() : -1;
    }

    /** The same if it lies within quotes. */
    private int afterQuoted(byte[] text, int from, int to) {
        int close = closingQuote(text, from, to);
        if (close < 0 || close + 1 >= to) {
            return -1;
        }
        byte next = text[close + 1];
        if (next == '\n') {
            return close + 2;
        }
        if (RecordWalker.isCrLf(text, close + 1, to)) {
            return close + 3;
        }
        return next == delimiter ? afterRest(text, close + 2, to) : -1;
    }

    private int closingQuote(byte[] text, int from, int to) {
        for (int at = from; at < to; at++) {
            if (text[at] == quote) {
                boolean doubled = at + 1 < to && text[at + 1] == quote;
                if (!doubled) {
                    return at;
                }
                at++;
            }
        }
        return -1;
    }

    /** Whether records begin at {@code start}, as far as a few of them tell. */
    private boolean looksRight(byte[] text, int start, int to) {
        int at = start;
        int records = 0;
        while (at >= 0 && at < to && records < MOST_RECORDS) {
            Outcome outcome = walker.walk(text, at, to, false);
            if (outcome == Outcome.INCOMPLETE) {
                break;
            }
            if (outcome != Outcome.FIELDS || walker.delimiterCount() != delimiterCount) {
                return false;
            }
            records++;
            at = walker.next();
        }
        return records >= LEAST_RECORDS;
    }
}
