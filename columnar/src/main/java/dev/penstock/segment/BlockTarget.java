package dev.penstock.segment;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.TokenTable;

/**
 * Takes the encoded blocks of columns, those of one column in the order of their rows, and what
 * they refer to. Owned by one thread.
 */
public interface BlockTarget {
    /** Says that the blocks of a column hold codes of this dictionary. */
    void dictionary(int column, Dictionary dictionary);

    /**
     * Says which tokens the codes of a column's blocks of tokens mean.
     *
     * @param inside whether the segment is to hold the table
     */
    void tokens(int column, TokenTable table, boolean inside);

    /** Says that a column has too many distinct values for a dictionary. */
    void overflowed(int column);

    /** Takes the next block of a column, whose bytes are the last ones of {@code out}. */
    void addInPlace(int column, EncodedBlock block, ByteBuilder out);
}
