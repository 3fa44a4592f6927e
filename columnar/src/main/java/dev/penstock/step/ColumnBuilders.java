package dev.penstock.step;

import dev.penstock.dict.BytesDictionaryBuilder;
import dev.penstock.dict.LongDictionaryBuilder;
import dev.penstock.dict.ValuedRows;

import org.jspecify.annotations.Nullable;

/** The dictionary builders of a table's columns, made when first needed. Owned by one thread. */
final class ColumnBuilders {
    private final @Nullable LongDictionaryBuilder[] longs;
    private final @Nullable BytesDictionaryBuilder[] strings;
    private final ValuedRows valued;

    ColumnBuilders(int columnCount, ValuedRows valued) {
        longs = new LongDictionaryBuilder[columnCount];
        strings = new BytesDictionaryBuilder[columnCount];
        this.valued = valued;
    }

    LongDictionaryBuilder longs(int column) {
        LongDictionaryBuilder known = longs[column];
        if (known == null) {
            known = new LongDictionaryBuilder();
            longs[column] = known;
        }
        return known;
    }

    BytesDictionaryBuilder strings(int column) {
        BytesDictionaryBuilder known = strings[column];
        if (known == null) {
            known = new BytesDictionaryBuilder(valued);
            strings[column] = known;
        }
        return known;
    }
}
