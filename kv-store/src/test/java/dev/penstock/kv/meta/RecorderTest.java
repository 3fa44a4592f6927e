package dev.penstock.kv.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.Supplier;

/** What a leader knows of a change whose recording ends with something else than an answer. */
final class RecorderTest {
    private static final MetadataRecord ABORTED = new MetadataRecord.LoadAborted("some");

    /** One that does not run: its publication can be logged and not be applied. */
    private static final MetadataRecord PUBLISHED =
            new MetadataRecord.LoadPublished("some", 7, 10, "");

    private final MetadataState state = new MetadataState();

    /** Keeps nothing. */
    private record Log(Runnable appending, boolean isInDoubt) implements MetadataLog {
        @Override
        public void append(MetadataRecord metadataRecord) {
            appending.run();
        }

        @Override
        public void shorten(Supplier<List<MetadataRecord>> snapshot) {
            // There is nothing to be written anew.
        }

        @Override
        public void close() {
            // There is nothing to be closed.
        }
    }

    private Recorder recorder(Runnable appending, boolean inDoubt) {
        return new Recorder(new Log(appending, inDoubt), state);
    }

    @Test
    void a_change_that_the_log_is_known_not_to_have_leaves_no_doubt() {
        PenstockException refused = PenstockException.usage("too long");
        Recorder refusing =
                recorder(
                        () -> {
                            throw refused;
                        },
                        false);
        assertThatThrownBy(() -> refusing.record(ABORTED)).isSameAs(refused);
        assertThat(refusing.isInDoubt()).isFalse();
        refusing.check();
        Recorder starved = recorder(RecorderTest::useUpMemory, false);
        assertThatThrownBy(() -> starved.record(ABORTED)).isInstanceOf(OutOfMemoryError.class);
        assertThat(starved.isInDoubt()).isFalse();
    }

    private static void useUpMemory() {
        throw new OutOfMemoryError("Java heap space");
    }

    @Test
    void memory_that_is_used_up_leaves_doubt_where_the_record_may_be_forced() {
        assertInDoubt(
                recorder(RecorderTest::useUpMemory, true),
                ABORTED,
                "it has failed (java.lang.OutOfMemoryError: Java heap");
    }

    @Test
    void a_record_that_is_not_applied_leaves_doubt() {
        assertInDoubt(
                recorder(() -> {}, false), PUBLISHED, "publishes load some, which does not run");
    }

    private static void assertInDoubt(Recorder recorder, MetadataRecord record, String why) {
        assertThatThrownBy(() -> recorder.record(record))
                .hasMessageStartingWith("it is not known whether this change was recorded")
                .hasMessageContaining(why)
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.RETRY));
        assertThat(recorder.isInDoubt()).isTrue();
        assertThatThrownBy(recorder::check).hasMessageContaining("changes nothing any more");
        assertThatThrownBy(() -> recorder.record(ABORTED)).hasMessageContaining("nothing any more");
    }
}
