package dev.penstock.kv.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import org.junit.jupiter.api.Test;

/** Receipts of many regions take no more memory together than a server has for them. */
final class ReceiptRoomTest {
    @Test
    void what_many_receipts_take_is_added_up() {
        ReceiptRoom room = new ReceiptRoom(3L << 20);
        room.take(1L << 20);
        room.take(2L << 20);
        room.take(0);
        assertThatThrownBy(() -> room.take(1))
                .isInstanceOfSatisfying(
                        PenstockException.class,
                        e -> assertThat(e.category()).isEqualTo(ErrorCategory.DATA))
                .hasMessageContaining("(3 MiB)")
                .hasMessageContaining("--offload select");
    }
}
