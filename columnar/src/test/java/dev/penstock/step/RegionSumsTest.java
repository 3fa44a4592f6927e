package dev.penstock.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.batch.BytesColumn;
import dev.penstock.batch.ColumnBatch;
import dev.penstock.batch.ColumnSums;
import dev.penstock.batch.LongColumn;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sums made part by part, or of groups, are those of each region's rows one by one. */
final class RegionSumsTest {
    private static final int COLUMNS = 2;
    private static final int REGIONS = 5;

    private final ColumnBatch batch =
            new ColumnBatch(List.of(new LongColumn(16), new BytesColumn(16, 0)));
    private SplittableRandom random = new SplittableRandom(1);

    /** Appends rows, some with NULLs; sometimes none. */
    private void append(int count) {
        int from = batch.rowCount();
        for (int row = from; row < from + count; row++) {
            batch.longs(0).ensureRows(row + 1);
            int nullColumn = random.nextInt(20);
            batch.longs(0).values()[row] = nullColumn == 0 ? 0 : random.nextLong();
            byte[] text = new byte[nullColumn == 1 ? 0 : random.nextInt(20)];
            random.nextBytes(text);
            batch.bytes(1).append(row, text, 0, text.length);
            if (nullColumn < COLUMNS) {
                batch.column(nullColumn).validity().setNull(row, row + 1);
            }
        }
        batch.setRowCount(from + count);
    }

    /** Where regions begin among the places of so many rows; some have none. */
    private int[] bounds(int rows) {
        int[] bounds = new int[REGIONS + 1];
        for (int i = 1; i < REGIONS; i++) {
            bounds[i] = random.nextInt(rows + 1);
        }
        bounds[REGIONS] = rows;
        Arrays.sort(bounds);
        return bounds;
    }

    private int[] anyOrder(int rows) {
        List<Integer> order =
                IntStream.range(0, rows).boxed().collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(order, random);
        return order.stream().mapToInt(row -> row).toArray();
    }

    private void check(RegionSums sums, int[] order, int[] bounds) {
        for (int region = 0; region < REGIONS; region++) {
            ColumnSums one = new ColumnSums(COLUMNS);
            one.add(batch, order, bounds[region], bounds[region + 1]);
            if (one.rowCount() > 0) {
                assertThat(sums.of(region)).isEqualTo(one);
            } else {
                assertThat(sums.of(region).isNone()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void of_chunks_in_order_and_not(long seed) {
        random = new SplittableRandom(seed);
        RegionSums sums = new RegionSums(COLUMNS, REGIONS, true);
        ColumnSums all = new ColumnSums(COLUMNS);
        for (int chunk = 0; chunk < 40; chunk++) {
            batch.clear();
            sums.begin();
            for (int part = random.nextInt(20); part >= 0; part--) {
                append(random.nextInt(4) * random.nextInt(600));
                sums.parsed(batch);
            }
            int rows = batch.rowCount();
            int[] bounds = bounds(rows);
            int[] rowOrder = IntStream.range(0, rows).toArray();
            if (random.nextInt(3) == 0) {
                int[] order = anyOrder(rows);
                if (random.nextBoolean()) {
                    sums.add(batch, order, bounds);
                } else {
                    addByColumn(sums, order, bounds);
                }
                check(sums, order, bounds);
            } else {
                if (random.nextBoolean()) {
                    sums.add(batch, null, bounds);
                } else {
                    addByColumn(sums, null, bounds);
                }
                check(sums, rowOrder, bounds);
            }
            all.add(batch, rowOrder, 0, rows);
        }
        assertThat(sums.total()).isEqualTo(all.columns());
    }

    private void addByColumn(RegionSums sums, int @Nullable [] order, int[] bounds) {
        sums.addByColumn(batch, order, bounds);
        for (int column = 0; column < COLUMNS; column++) {
            for (int from = 0; from < batch.rowCount(); ) {
                int to = Math.min(batch.rowCount(), from + 1 + random.nextInt(1000));
                sums.addColumn(batch, column, from, to);
                from = to;
            }
        }
    }

    /** Sums of parts must not stand for rows that have others' values by now. */
    @Test
    void parts_of_the_chunk_before_are_forgotten() {
        RegionSums sums = new RegionSums(COLUMNS, REGIONS, true);
        int[] bounds = {0, 100, 100, 100, 100, 100};
        append(100);
        sums.begin();
        sums.parsed(batch);
        sums.add(batch, null, bounds);
        batch.clear();
        append(100);
        sums.begin();
        sums.add(batch, null, bounds);
        check(sums, IntStream.range(0, 100).toArray(), bounds);
    }

    @Test
    void windows_of_a_chunk_add_up() {
        RegionSums sums = new RegionSums(COLUMNS, REGIONS, true);
        sums.begin();
        append(300);
        sums.parsed(batch);
        append(500);
        sums.parsed(batch);
        sums.add(batch, null, new int[] {0, 150, 450, 450, 450, 450}, 0, 450);
        sums.add(batch, null, new int[] {0, 0, 50, 350, 350, 350}, 450, 800);
        check(sums, IntStream.range(0, 800).toArray(), new int[] {0, 150, 500, 800, 800, 800});
    }

    @Test
    void nobody_wants_them() {
        RegionSums sums = new RegionSums(COLUMNS, REGIONS, false);
        sums.begin();
        append(10);
        sums.parsed(batch);
        sums.add(batch, null, new int[] {0, 10, 10, 10, 10, 10});
        assertThat(sums.of(0).isNone()).isTrue();
    }
}
