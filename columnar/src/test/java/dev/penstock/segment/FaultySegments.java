package dev.penstock.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What is expected of segments named "faulty", whose checksums are right. */
final class FaultySegments {
    private FaultySegments() {}

    static void refused(ThrowingCallable read, String why) {
        assertThatThrownBy(read)
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.CORRUPT))
                .hasMessageContaining("faulty")
                .hasMessageContaining(why);
    }
}
