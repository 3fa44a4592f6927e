package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bytes.ByteBuilder;
import dev.penstock.bytes.ByteParser;
import dev.penstock.kv.api.TableDescriptor;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class MetadataSnapshotTest {
    /** A state that has heard of a snapshot only, through its bytes. */
    private static MetadataState restored(MetadataState state) {
        MetadataState restored = new MetadataState();
        for (MetadataRecord each : state.snapshot()) {
            ByteBuilder out = new ByteBuilder(64);
            MetadataRecordCodec.put(each, out);
            restored.apply(MetadataRecordCodec.get(new ByteParser(out.toByteArray(), "a test")));
        }
        return restored;
    }

    @Test
    void aSnapshotLeadsToTheSameStateWhateverHasHappened() {
        for (int seed = 0; seed < 300; seed++) {
            MetadataState state = new MetadataState();
            MetadataHistory history = new MetadataHistory(new Random(seed), state);
            int records = seed;
            for (int i = 0; i < records; i++) {
                state.apply(history.next());
            }
            assertThat(history.answers(restored(state)))
                    .as("seed %d", seed)
                    .isEqualTo(history.answers(state));
        }
    }

    @Test
    void whatHappensNextHappensToBoth() {
        for (int seed = 0; seed < 100; seed++) {
            MetadataState state = new MetadataState();
            MetadataHistory history = new MetadataHistory(new Random(seed), state);
            for (int i = 0; i < 100; i++) {
                state.apply(history.next());
            }
            MetadataState restored = restored(state);
            for (int i = 0; i < 100; i++) {
                MetadataRecord next = history.next();
                state.apply(next);
                restored.apply(next);
            }
            assertThat(history.answers(restored))
                    .as("seed %d", seed)
                    .isEqualTo(history.answers(state));
        }
    }

    @Test
    void idsThatWereGivenAreNotGivenAgain() {
        MetadataState state = new MetadataState();
        MetadataHistory history = new MetadataHistory(new Random(5), state);
        for (int i = 0; i < 200; i++) {
            state.apply(history.next());
        }
        MetadataState restored = restored(state);
        assertThat(restored.newId()).isEqualTo(state.newId());
        state.tables()
                .forEach(table ->
                        assertThat(restored.nextOrdinal(table.schema()))
                                .isEqualTo(state.nextOrdinal(table.schema())));
        assertThat(state.tables()).isNotEmpty();
    }

    @Test
    void theOldestOfTooManyEndedLoadsIsForgottenByBoth() {
        MetadataState state = new MetadataState();
        MetadataHistory history = new MetadataHistory(new Random(1), state);
        state.apply(history.next());
        state.apply(history.next());
        TableDescriptor table = state.tables().getFirst();
        for (int i = 0; i < MetadataState.REMEMBERED_LOADS + 10; i++) {
            state.apply(new MetadataRecord.LoadAborted("aborted" + i));
        }
        MetadataState restored = restored(state);
        for (MetadataState each : List.of(state, restored)) {
            each.apply(new MetadataRecord.LoadAborted("one more"));
            assertThat(each.loadState("aborted10").name()).isEqualTo("UNKNOWN");
            assertThat(each.loadState("aborted11").name()).isEqualTo("ABORTED");
            assertThat(each.rememberedLoads()).isEqualTo(MetadataState.REMEMBERED_LOADS);
            assertThat(each.regions(table.tableId())).hasSize(1);
        }
    }
}
