package dev.penstock.aggregate;

import dev.penstock.batch.BytesColumn;
import dev.penstock.dict.BytesDictionary;
import dev.penstock.dict.Dictionary;
import dev.penstock.dict.LongDictionary;
import dev.penstock.predicate.Literal;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Numbers the values of one group-by column, NULL being one of them: by their codes if the column
 * has a dictionary, else in the order in which they come. Owned by one thread.
 */
abstract sealed class ColumnIds {
    /** Numbers given so far; all are smaller. */
    abstract int size();

    /** The value with that number; empty for NULL. */
    abstract Optional<Literal> value(int id);

    private static boolean isValid(long @Nullable [] validity, int row) {
        return validity == null || (validity[row >> 6] >>> row & 1) != 0;
    }

    /** Codes; NULL has the number after the last. */
    static final class Codes extends ColumnIds {
        private final Dictionary dictionary;

        Codes(Dictionary dictionary) {
            this.dictionary = dictionary;
        }

        @Override
        int size() {
            return dictionary.size() + 1;
        }

        @Override
        Optional<Literal> value(int id) {
            if (id == dictionary.size()) {
                return Optional.empty();
            }
            return Optional.of(
                    switch (dictionary) {
                        case LongDictionary longs -> new Literal.LongLiteral(longs.value(id));
                        case BytesDictionary strings -> new Literal.BytesLiteral(strings.value(id));
                    });
        }

        /** Makes numbers of codes in place: those of NULLs change. */
        void ids(int[] codes, int count, long @Nullable [] validity, int @Nullable [] rows) {
            if (validity == null) {
                return;
            }
            int none = dictionary.size();
            for (int i = 0; i < count; i++) {
                codes[i] = isValid(validity, rows == null ? i : rows[i]) ? codes[i] : none;
            }
        }
    }

    /** Longs in the order in which they come. */
    static final class Longs extends ColumnIds {
        private final LongIds ids = new LongIds();
        private int none = -1;
        private int size;

        @Override
        int size() {
            return size;
        }

        @Override
        Optional<Literal> value(int id) {
            if (id == none) {
                return Optional.empty();
            }
            int at = none >= 0 && id > none ? id - 1 : id;
            return Optional.of(new Literal.LongLiteral(ids.key(at)));
        }

        /**
         * @param values of the rows that count
         * @param rows for each of them its bit in {@code validity}; null if that is its position
         */
        void ids(
                long[] values,
                int count,
                long @Nullable [] validity,
                int @Nullable [] rows,
                int[] out) {
            for (int i = 0; i < count; i++) {
                if (isValid(validity, rows == null ? i : rows[i])) {
                    int id = ids.idOf(values[i]);
                    out[i] = none >= 0 && id >= none ? id + 1 : id;
                } else {
                    none = none < 0 ? ids.size() : none;
                    out[i] = none;
                }
            }
            size = ids.size() + (none < 0 ? 0 : 1);
        }
    }

    /** Byte strings in the order in which they come. */
    static final class Strings extends ColumnIds {
        private final Map<GroupKey, Integer> ids = new HashMap<>();
        private final List<Optional<Literal>> values = new ArrayList<>();

        @Override
        int size() {
            return values.size();
        }

        @Override
        Optional<Literal> value(int id) {
            return values.get(id);
        }

        void ids(
                BytesColumn column,
                int count,
                long @Nullable [] validity,
                int @Nullable [] rows,
                int[] out) {
            for (int i = 0; i < count; i++) {
                int row = rows == null ? i : rows[i];
                Optional<Literal> value =
                        isValid(validity, row)
                                ? Optional.of(new Literal.BytesLiteral(column.get(row)))
                                : Optional.empty();
                GroupKey key = new GroupKey(List.of(value));
                Integer known = ids.get(key);
                if (known == null) {
                    known = values.size();
                    values.add(value);
                    ids.put(key, known);
                }
                out[i] = known;
            }
        }
    }
}
