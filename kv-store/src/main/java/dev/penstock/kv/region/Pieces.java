package dev.penstock.kv.region;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Pieces of one answer, of which as many are made at a time as there are processors. When one
 * fails, a parallel stream would say so while others still read segments that whoever asked closes
 * next: so none of them fails within the stream, and those that have not begun are left out.
 */
final class Pieces {
    private Pieces() {}

    /** All pieces. None is being made any more on return, or when the first failure is thrown. */
    static <T> List<T> all(List<Supplier<T>> pieces) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<T> made =
                pieces.parallelStream()
                        .flatMap(piece -> unlessFailed(piece, failure).stream())
                        .toList();
        switch (failure.get()) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
        return made;
    }

    private static <T> Optional<T> unlessFailed(
            Supplier<T> piece, AtomicReference<@Nullable Throwable> failure) {
        if (failure.get() != null) {
            return Optional.empty();
        }
        try {
            return Optional.of(piece.get());
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            return Optional.empty();
        }
    }
}
