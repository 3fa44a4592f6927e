package dev.penstock.kv.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

@Timeout(60)
final class PiecesTest {
    /** Long enough for a failure to be thrown to whoever asked. */
    private static final long PATIENCE_MILLIS = 200;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch returned = new CountDownLatch(1);
    private final AtomicInteger underWay = new AtomicInteger();

    @Test
    void all_pieces_come_in_their_order() {
        List<Supplier<Integer>> pieces = new ArrayList<>();
        IntStream.range(0, 1000).forEach(i -> pieces.add(() -> i));
        assertThat(Pieces.all(pieces))
                .containsExactlyElementsOf(IntStream.range(0, 1000).boxed().toList());
        assertThat(Pieces.all(List.<Supplier<Integer>>of())).isEmpty();
    }

    @Test
    void nothing_is_under_way_any_more_when_the_failure_of_a_piece_is_thrown() {
        IllegalStateException failure = new IllegalStateException("the first piece failed");
        List<Supplier<Integer>> pieces = List.of(() -> fail(failure), this::goOn);
        assertThatThrownBy(() -> Pieces.all(pieces)).isSameAs(failure);
        assertThat(underWay).hasValue(0);
        returned.countDown();
    }

    private int fail(IllegalStateException failure) {
        await(begun, 20_000);
        failed.countDown();
        throw failure;
    }

    private int goOn() {
        underWay.incrementAndGet();
        begun.countDown();
        await(failed, 20_000);
        await(returned, PATIENCE_MILLIS);
        return underWay.decrementAndGet();
    }

    /** Each thread begins one at most, and makes its failure known before it looks at another. */
    @Test
    void pieces_that_have_not_begun_are_left_out() {
        AtomicInteger tried = new AtomicInteger();
        Supplier<Integer> failing =
                () -> {
                    throw new InternalError("page " + tried.incrementAndGet());
                };
        assertThatThrownBy(() -> Pieces.all(Collections.nCopies(1000, failing)))
                .isInstanceOf(InternalError.class);
        assertThat(tried.get()).isBetween(1, 100);
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            if (!latch.await(millis, TimeUnit.MILLISECONDS) && millis > PATIENCE_MILLIS) {
                throw new IllegalStateException("it did not happen");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
