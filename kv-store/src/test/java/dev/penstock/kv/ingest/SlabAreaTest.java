package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;

final class SlabAreaTest {
    private static final long SEED = 5L;
    private static final int CELLS = 100;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate((long) CELLS * SlabArea.CELL_BYTES);
    private final SlabArea area = new SlabArea(memory);

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void slabsNeverOverlapAndOnlyWhatFitsNowhereIsRefused() {
        Random random = new Random(SEED);
        BitSet model = new BitSet(CELLS);
        List<MemorySegment> taken = new ArrayList<>();
        int refused = 0;
        for (int round = 0; round < 5_000; round++) {
            if (taken.isEmpty() || random.nextInt(10) < 6) {
                int cells = 1 + random.nextInt(round % 100 < 50 ? 3 : 30);
                Optional<MemorySegment> slab = area.take(cells * SlabArea.CELL_BYTES);
                assertThat(slab.isPresent())
                        .as("round %d, seed %d", round, SEED)
                        .isEqualTo(hasStretch(model, cells));
                slab.ifPresent(taken::add);
                slab.ifPresent(bytes -> mark(model, bytes, cells));
                refused += slab.isPresent() ? 0 : 1;
            } else {
                MemorySegment slab = taken.remove(random.nextInt(taken.size()));
                area.giveBack(slab);
                int first = cell(slab);
                model.clear(first, first + cells(slab));
            }
        }
        assertThat(refused).isBetween(100, 4_000);
        taken.forEach(area::giveBack);
        assertThat(area.take(CELLS * SlabArea.CELL_BYTES).orElseThrow()).isEqualTo(memory);
        assertThat(area.take(SlabArea.CELL_BYTES)).isEmpty();
    }

    @Test
    void aSlabComesBackOnce() {
        MemorySegment slab = area.take(2 * SlabArea.CELL_BYTES).orElseThrow();
        area.giveBack(slab);
        assertThatThrownBy(() -> area.giveBack(slab)).isInstanceOf(IllegalStateException.class);
        assertThat(area.take(CELLS * SlabArea.CELL_BYTES)).isPresent();
    }

    private void mark(BitSet model, MemorySegment slab, int cells) {
        int first = cell(slab);
        assertThat(cells(slab)).isEqualTo(cells);
        assertThat(model.get(first, first + cells).isEmpty()).as("nobody has it").isTrue();
        model.set(first, first + cells);
    }

    private int cell(MemorySegment slab) {
        return (int) ((slab.address() - memory.address()) / SlabArea.CELL_BYTES);
    }

    private static int cells(MemorySegment slab) {
        return (int) (slab.byteSize() / SlabArea.CELL_BYTES);
    }

    private static boolean hasStretch(BitSet model, int cells) {
        int free = 0;
        for (int i = 0; i < CELLS && free < cells; i++) {
            free = model.get(i) ? 0 : free + 1;
        }
        return free == cells;
    }
}
