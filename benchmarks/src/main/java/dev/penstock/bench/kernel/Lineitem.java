package dev.penstock.bench.kernel;

import dev.penstock.batch.ColumnBatch;
import dev.penstock.bytes.ByteBuilder;
import dev.penstock.cli.generate.TpchTable;
import dev.penstock.cli.generate.TpchWriter;
import dev.penstock.dialect.Dialect;
import dev.penstock.dict.TokenTables;
import dev.penstock.dict.TokenTrainer;
import dev.penstock.kv.ddl.Ddl;
import dev.penstock.schema.TableSchema;
import dev.penstock.segment.SegmentIdentity;
import dev.penstock.segment.SegmentReader;
import dev.penstock.sort.Gather;
import dev.penstock.step.Deserialize;
import dev.penstock.step.Encode;
import dev.penstock.step.Merge;
import dev.penstock.step.Sort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** What the benchmarks of steps work on: lineitem as text, as rows and as fragments. */
final class Lineitem {
    static final TableSchema SCHEMA = Ddl.parseCreateTable(TpchTable.LINEITEM.ddl());

    /** Columns that a load would not give a dictionary: most of their values occur once. */
    private static final Set<String> DISTINCT =
            Set.of("l_orderkey", "l_partkey", "l_suppkey", "l_extendedprice", "l_comment");

    static final int INSTRUCTION = SCHEMA.indexOf("l_shipinstruct");
    static final int MODE = SCHEMA.indexOf("l_shipmode");
    static final int COMMENT = SCHEMA.indexOf("l_comment");

    private static final double BYTES_PER_SCALE = 700e6;

    private Lineitem() {}

    /** At most so many bytes of whole lines, with the padding that {@link Deserialize} wants. */
    static Text text(int bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes + (bytes >> 1));
        try {
            new TpchWriter(TpchTable.LINEITEM, bytes / BYTES_PER_SCALE, 1)
                    .writeTo(out, written -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] all = out.toByteArray();
        if (all.length < bytes) {
            throw new IllegalStateException("lineitem is only " + all.length + " bytes");
        }
        int length = bytes;
        while (all[length - 1] != '\n') {
            length--;
        }
        return new Text(Arrays.copyOf(all, length + Deserialize.PADDING), length);
    }

    /** Text of whole lines in {@code bytes[0, length)}. */
    record Text(byte[] bytes, int length) {
        /** The same lines in random order, the same every time. */
        Text shuffled() {
            int[] ends = IntStream.range(0, length).filter(i -> bytes[i] == '\n').toArray();
            int[] order = order(ends.length);
            byte[] shuffled = new byte[bytes.length];
            int at = 0;
            for (int line : order) {
                int from = line == 0 ? 0 : ends[line - 1] + 1;
                int count = ends[line] + 1 - from;
                System.arraycopy(bytes, from, shuffled, at, count);
                at += count;
            }
            return new Text(shuffled, length);
        }
    }

    /** A random order of so many things, the same every time. */
    static int[] order(int count) {
        int[] order = IntStream.range(0, count).toArray();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = count - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        return order;
    }

    static Deserialize deserialize() {
        List<Integer> fields = IntStream.range(0, SCHEMA.columnCount()).boxed().toList();
        return new Deserialize(SCHEMA, Dialect.tpch(), fields, 0);
    }

    static ColumnBatch emptyBatch() {
        return ColumnBatch.forColumns(SCHEMA.columns(), 1 << 16);
    }

    /** Appends the rows of a text; none may be rejected. */
    static void append(Deserialize deserialize, Text text, ColumnBatch out) {
        deserialize.run(
                text.bytes(),
                0,
                text.length(),
                0,
                0,
                0,
                out,
                reject -> {
                    throw new IllegalStateException("rejected: " + reject);
                });
    }

    /** The token table that a load makes of its sample, here of a whole text. */
    static TokenTables tokens(Text text) {
        ColumnBatch rows = emptyBatch();
        append(deserialize(), text, rows);
        return tokens(rows);
    }

    static TokenTables tokens(ColumnBatch rows) {
        return new TokenTables(
                Map.of(
                        COMMENT,
                        new TokenTrainer()
                                .run(rows.bytes(COMMENT), rows.rowCount())
                                .orElseThrow()));
    }

    static Encode.Choice[] choices() {
        return SCHEMA.columns().stream()
                .map(column ->
                        DISTINCT.contains(column.name())
                                ? Encode.Choice.PACKED
                                : Encode.Choice.DICTIONARY)
                .toArray(Encode.Choice[]::new);
    }

    /** The first rows of a text as fragments of equal size, each in key order. */
    static List<Merge.Run> fragments(Text text, int count, int rowsEach) {
        ColumnBatch rows = emptyBatch();
        append(deserialize(), text, rows);
        if (rows.rowCount() < count * rowsEach) {
            throw new IllegalStateException("the text has only " + rows.rowCount() + " rows");
        }
        Sort sort = new Sort(SCHEMA);
        Encode encode = new Encode(SCHEMA);
        List<Merge.Run> fragments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ByteBuilder image = new ByteBuilder(1 << 22);
            ColumnBatch sorted = sort.run(part(rows, i * rowsEach, rowsEach));
            SegmentIdentity identity = new SegmentIdentity(0, 0, i);
            encode.run(sorted, 0, rowsEach, choices(), true, identity, image);
            MemorySegment bytes = MemorySegment.ofArray(image.toByteArray());
            fragments.add(new Merge.Run(SegmentReader.open(SCHEMA, bytes, "fragment " + i), i));
        }
        return fragments;
    }

    private static ColumnBatch part(ColumnBatch rows, int from, int count) {
        ColumnBatch part = emptyBatch();
        int[] order = IntStream.range(from, from + count).toArray();
        for (int column = 0; column < rows.columnCount(); column++) {
            Gather.rows(rows.column(column), rows.rowCount(), order, 0, count, part.column(column));
        }
        part.setRowCount(count);
        return part;
    }
}
